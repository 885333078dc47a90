"""The wheel holds everything that a question needs."""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.conftest import ROOT, environment


@pytest.fixture
def installed(tmp_path):
    """The command of the wheel, in a venv that sees the packages of this one, but not our sources."""
    build = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--wheel-dir",
        tmp_path,
        ROOT,
    ]
    subprocess.run(build, check=True, timeout=300)
    (wheel,) = tmp_path.glob("*.whl")
    place = tmp_path / "venv"
    venv.create(place, with_pip=False, symlinks=os.name != "nt")
    python = place / ("Scripts" if os.name == "nt" else "bin") / "python"
    install = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index", wheel]
    subprocess.run(install, check=True, timeout=300)
    site = subprocess.check_output(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], text=True
    ).strip()
    (Path(site) / "test-packages.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return python.with_name("vram")


def test_a_question_from_another_folder(installed, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    clean = {name: value for name, value in environment(tmp_path).items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [installed, "13b lora ctx=4k"],
        cwd=elsewhere,
        env=clean,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    golden = ROOT / "tests" / "templates" / "golden" / "terminal" / "answer.txt"
    assert done.stdout == golden.read_text(encoding="utf-8") + "Logged    #1\n", done.stderr
