"""How fast questions are logged, each in a transaction of its own, one after the other, on both databases."""

import asyncio
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bot.log.query_log import QueryLog
from tests.bench.log import database
from tests.bench.measure import Figure
from tests.bot.log.conftest import SERVER
from tests.bot.log.making import a_query

ROWS = 2_000


async def rows_a_second(url: str, spool: Path) -> float:
    async with await QueryLog.open(url, spool, patience_seconds=60) as log:
        await log.append(a_query())
        entries = [a_query() for _ in range(ROWS)]
        began = time.perf_counter()
        for entry in entries:
            await log.append(entry)
        return ROWS / (time.perf_counter() - began)


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder)
        rate = asyncio.run(rows_a_second(f"sqlite:///{file}/log.sqlite", file / "spool"))
        yield Figure("SQLite: questions logged, one a transaction", f"{rate:,.0f} a second", "over 800 a second")
        with database(SERVER) as url:
            rate = asyncio.run(rows_a_second(url, file / "spool"))
        yield Figure("PostgreSQL: the same", f"{rate:,.0f} a second", "over 500 a second")
