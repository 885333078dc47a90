"""What several test files share."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
Vram = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def vram(tmp_path) -> Vram:
    """Runs the command in a process of its own, from another folder, with a data folder of its own."""

    def run(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "adapters.app", *arguments],
            env=environment(tmp_path) | settings,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )

    return run


def environment(home: Path) -> dict[str, str]:
    """A clean environment: only what a process needs, and our package."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    return kept | {
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "PYTHONPATH": str(ROOT),
        "LOGNAME": "tester",
    }
