"""Ctrl-C in the midst of the imports: compiled modules cannot be broken off by an exception."""

import subprocess
import sys

import pytest

from tests.conftest import environment

SCRIPT = """
import os, signal, sys
import adapters.app

class Finger:
    def find_spec(self, name, *_):
        if name == at:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)

at, sys.argv[1:] = sys.argv[1], ["13b", "lora"]
sys.meta_path.insert(0, Finger())
adapters.app.main()
"""


@pytest.mark.parametrize(
    "module", ["pydantic_core", "click", "bot.service", "adapters.system", "asyncio", "sqlalchemy"]
)
def test_it_ends_at_once_and_shows_no_traceback(tmp_path, module):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, module], env=environment(tmp_path), capture_output=True, timeout=60, check=False
    )
    assert (done.stderr.strip(), done.returncode in {-2, 130}) == (b"", True)
