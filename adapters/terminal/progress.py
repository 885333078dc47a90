"""A bar for what takes a while, on a terminal that somebody looks at."""

import sys
from collections.abc import Iterable, Iterator
from typing import Final

LEAST_BYTES: Final = 500_000
"""Smaller files are read before anybody could see a bar."""


def watched(lines: Iterable[str], name: str, size_bytes: int) -> Iterable[str]:
    """The lines, with a bar on standard error while they are read."""
    if size_bytes < LEAST_BYTES or sys.stderr is None or not sys.stderr.isatty():
        return lines
    return _with_bar(lines, name, size_bytes)


def _with_bar(lines: Iterable[str], name: str, size_bytes: int) -> Iterator[str]:
    from tqdm import tqdm  # noqa: PLC0415 - a question does not wait for it

    with tqdm(total=size_bytes, desc=name, unit="B", unit_scale=True, leave=False) as bar:
        for line in lines:
            bar.update(len(line))
            yield line
