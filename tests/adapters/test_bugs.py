"""A bug is one sentence with a reference for the person, and a traceback in a file for us."""

import re
import subprocess
import sys

from tests.conftest import environment

PROGRAM = """
import sys
from adapters.app import report_bug
from adapters.terminal.command import run

sys.exit(run(["13b"], lambda manner: 1 / 0, "0", report_bug))
"""


def broken(tmp_path, home):
    command = [sys.executable, "-c", PROGRAM]
    return subprocess.run(
        command, env=environment(home), cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=60, check=False
    )


def test_a_bug_is_said_in_one_sentence_and_found_by_its_reference(tmp_path):
    done = broken(tmp_path, tmp_path)
    assert (done.stdout, done.returncode) == ("", 1)
    said = re.fullmatch(r"Something in the bot went wrong\. .* reference: (\w{10})\.\n", done.stderr)
    (file,) = tmp_path.rglob("vram.log")
    kept = file.read_text(encoding="utf-8")
    assert f"bug reference={said[1]}" in kept
    assert "ZeroDivisionError" in kept


def test_where_nothing_can_be_written_the_sentence_still_comes(tmp_path):
    (tmp_path / "data").write_text("a file in the way of the folder", encoding="utf-8")
    done = broken(tmp_path, tmp_path)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
