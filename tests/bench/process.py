"""A cold process: when the card is on the screen, and when the process has ended."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from tests.bench.measure import Figure, milliseconds

VRAM = Path(sys.executable).with_name("vram")
RUNS = 15


def run(folder: Path) -> tuple[float, float]:
    """Seconds until the card was read, and until the process had ended."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "VRAM_DATABASE_URL": f"sqlite:///{folder}/log.sqlite"}
    began = time.perf_counter()
    with subprocess.Popen([VRAM, "13b", "lora", "ctx=4k"], env=environment, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith(b"Assumed"):
                break
        shown = time.perf_counter() - began
        process.stdout.read()
    return shown, time.perf_counter() - began


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as first:
        run(Path(first))
        warm = [run(Path(first)) for _ in range(RUNS)]
    yield Figure("cold process: card on screen", milliseconds(median(shown for shown, _ in warm)), "under 300 ms")
    yield Figure("cold process: ended, question logged", milliseconds(median(end for _, end in warm)), "under 650 ms")
    ends = []
    for _ in range(RUNS // 3):
        with tempfile.TemporaryDirectory() as fresh:
            ends.append(run(Path(fresh))[1])
    yield Figure("first use, with migration: ended", milliseconds(median(ends)), "under 1,200 ms")
