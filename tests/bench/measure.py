"""Medians of repeated runs, and the page that keeps them."""

import os
import platform
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"


@dataclass(frozen=True)
class Figure:
    """One measured figure beside its target."""

    what: str
    measured: str
    target: str


def median_seconds(run: Callable[[], object], times: int) -> float:
    """The median of so many runs, after one that does not count."""
    run()
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        run()
        taken.append(time.perf_counter() - began)
    return median(taken)


def microseconds(seconds: float) -> str:
    return f"{seconds * 1e6:,.0f} µs"


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:,.1f} ms"


def machine() -> str:
    return f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"


def section(title: str, command: str, figures: Iterable[Figure]) -> str:
    """A section of the page, with the machine and the command that made it."""
    rows = "\n".join(f"| {one.what} | {one.measured} | {one.target} |" for one in figures)
    return f"## {title}\n\n`{command}` on {machine()}.\n\n| what | measured | target |\n| --- | --- | --- |\n{rows}\n"


def keep(title: str, text: str) -> None:
    """Puts a section into the page, in place of the one of the same title."""
    page = PAGE.read_text(encoding="utf-8") if PAGE.exists() else "# Benchmarks\n\nMade by `make bench`; medians.\n\n"
    head, *parts = page.split("\n## ")
    kept = [part for part in parts if part.partition("\n")[0] != title]
    sections = [*kept, text.removeprefix("## ").rstrip("\n") + "\n"]
    PAGE.write_text("\n## ".join([head.rstrip("\n") + "\n", *sections]), encoding="utf-8")
