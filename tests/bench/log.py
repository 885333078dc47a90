"""A log of a million rows on both databases: list, filter, deep page, show. `make bench-log` keeps it in the page."""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from statistics import median
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from bot.log.entry import Filters, Viewer
from bot.log.query_log import QueryLog
from bot.log.read import cursor_of
from tests.bench.measure import Figure, keep, milliseconds, section
from tests.bench.seed_log import TEAM, seed
from tests.bot.log.conftest import SERVER

TIMES = 41
PAGE_ROWS = 20
DEEP = 10_000
VIEWER = Viewer(team=TEAM, user="person017", channel="C00003")
UNWRITTEN = Filters(words=("nosuchword",))
TARGET = "under 50 ms"


async def median_of(work: Callable[[], Awaitable[object]]) -> float:
    await work()
    taken = []
    for _ in range(TIMES):
        began = time.perf_counter()
        await work()
        taken.append(time.perf_counter() - began)
    return median(taken)


async def figures(name: str, url: str, rows: int) -> list[Figure]:
    found = []
    with tempfile.TemporaryDirectory() as folder:
        async with await QueryLog.open(url, Path(folder) / "spool", patience_seconds=60) as log:
            deep_number = max(1, rows - DEEP * PAGE_ROWS)
            row = None
            while row is None:  # the nearest one that this reader may see
                row = await log.show(VIEWER, deep_number)
                deep_number -= 1
            deep = cursor_of((row.asked_at, row.number))
            works: dict[str, Callable[[], Awaitable[object]]] = {
                "list, page 1": lambda: log.page(VIEWER, Filters(), None, PAGE_ROWS),
                f"list, page {DEEP:,}": lambda: log.page(VIEWER, Filters(), deep, PAGE_ROWS),
                "filter, a common word (`70b`)": lambda: log.page(VIEWER, Filters(words=("70b",)), None, PAGE_ROWS),
                f"the same, page {DEEP:,}": lambda: log.page(VIEWER, Filters(words=("70b",)), deep, PAGE_ROWS),
                "filter, two words, a GPU and a person": lambda: log.page(
                    VIEWER, Filters(words=("70b", "int4"), gpu="a40", user_name="person003"), None, PAGE_ROWS
                ),
                "filter, a model that is tight": lambda: log.page(
                    VIEWER, Filters(model="llama-3.1-70b", verdict="tight"), None, PAGE_ROWS
                ),
                "filter, a verdict alone": lambda: log.page(VIEWER, Filters(verdict="tight"), None, PAGE_ROWS),
                "filter, decisions": lambda: log.page(VIEWER, Filters(decided=True), None, PAGE_ROWS),
                "filter, a word that nobody wrote": lambda: log.page(
                    VIEWER, Filters(words=("nosuchword",)), None, PAGE_ROWS
                ),
                "show": lambda: log.show(VIEWER, row.number),
            }
            for what, work in works.items():
                found.append(Figure(f"{name}: {what}", milliseconds(await median_of(work)), TARGET))
    return found


@contextmanager
def database(server: str) -> Iterator[str]:
    """An own database on the server, gone at the end."""
    name = f"vram_bench_{token_hex(4)}"
    asyncio.run(_run(server, f'CREATE DATABASE "{name}"'))
    try:
        yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
    finally:
        asyncio.run(_run(server, f'DROP DATABASE "{name}" WITH (FORCE)'))


async def _run(server: str, statement: str) -> None:
    connection = await asyncpg.connect(server)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    rows = parser.parse_args().rows
    found: list[Figure] = []
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/log.sqlite3"
        asyncio.run(seed(url, rows))
        found += asyncio.run(figures("SQLite", url, rows))
    with database(SERVER) as url:
        asyncio.run(seed(url, rows))
        found += asyncio.run(figures("PostgreSQL", url, rows))
    text = section(f"The log with {rows:,} rows", f"make bench-log ROWS={rows}", found)
    sys.stdout.write(text)
    keep(f"The log with {rows:,} rows", text)


if __name__ == "__main__":
    main()
