"""`make seed-log ROWS=1000000 URL=…`: a log of any size, to look at and to time. One team's, with real answers."""

import argparse
import asyncio
import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

import asyncpg
from sqlalchemy import Table, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection
from tqdm import tqdm

from bot.log.columns import Cents
from bot.log.database import SQLITE, make_engine, transaction
from bot.log.decide import question_key
from bot.log.entry import NewQuery, StoredQuery
from bot.log.revision import bring_to_head
from bot.log.rows import row_values
from bot.log.tables import decisions, measured_runs, queries, query_words, teams
from bot.log.wall import scope_of
from bot.log.words import row_words
from engine import packaged_catalog
from tests.bench.engine import answering, request

TEAM = "seeded"
LAST = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
APART = timedelta(seconds=30)
AT_ONCE = 20_000
BULK_SETTINGS = ("PRAGMA cache_size=-1000000", "PRAGMA synchronous=OFF", "PRAGMA temp_store=MEMORY")
"""Of the connection that seeds, alone: a gigabyte of pages, and no waiting for the disk."""
DECIDED_EVERY = 200
MEASURED_EVERY = 1_000
PEOPLE = tuple(f"person{number:03d}" for number in range(200))
CHANNELS = tuple(f"C{number:05d}" for number in range(40))
MODELS = (
    "7b",
    "13b",
    "34b",
    "70b",
    "llama-3.1-8b",
    "llama-3.1-70b",
    "mixtral",
    "qwen2.5-72b",
    "gemma-2-27b",
    "deepseek-r1",
)
WORK = ("int4", "fp8", "lora", "qlora", "ctx=32k", "users=20 int4", "int4 on 2x3090", "bf16", "int4 24gb", "lroa")
VISIBILITIES = ("public",) * 18 + ("private-channel", "direct")


def templates() -> list[NewQuery]:
    """Answers to a hundred questions, as the bot gives them."""
    service = answering(packaged_catalog())
    asked = (service.answer(request(f"{model} {work}")).entry for model in MODELS for work in WORK)
    return [entry for entry in asked if entry is not None]


def entries(rows: int) -> Iterator[NewQuery]:
    """So many questions, the last one at LAST; the same ones each time."""
    known, chance = templates(), random.Random(17)  # noqa: S311 - no secret
    first = LAST - APART * (rows - 1)
    for place in range(rows):
        user, visibility = chance.choice(PEOPLE), chance.choice(VISIBILITIES)
        yield replace(
            chance.choice(known),
            public_id=f"s{place:09d}",
            event_key=f"seed-{place}",
            asked_at=first + APART * place,
            platform="slack",
            team=TEAM,
            channel=None if visibility == "direct" else chance.choice(CHANNELS),
            user=user,
            user_name=user,
            visibility=visibility,
        )


async def seed(url: str, rows: int) -> None:
    """Fills an empty log."""
    if url.startswith("sqlite:///"):
        Path(url.removeprefix("sqlite:///")).parent.mkdir(parents=True, exist_ok=True)
    engine = make_engine(url, 60.0)
    await bring_to_head(engine)
    made = entries(rows)
    async with engine.connect() as connection:
        if (await connection.execute(select(teams).where(teams.c.team == TEAM))).first() is not None:
            raise SystemExit(f"The team {TEAM} is in this log already; take an empty one.")
        await connection.rollback()
        if connection.dialect.name == SQLITE:
            for setting in BULK_SETTINGS:
                await connection.exec_driver_sql(setting)
            await connection.rollback()
        with tqdm(total=rows, unit=" rows", desc="seeding") as bar:
            number = 0
            while some := list(islice(made, AT_ONCE)):
                async with transaction(connection):
                    await put(connection, some, number)
                number += len(some)
                bar.update(len(some))
        async with transaction(connection):
            await connection.execute(insert(teams).values(team=TEAM, last_number=number))
        if connection.dialect.name == SQLITE:
            await connection.exec_driver_sql("ANALYZE")
    if not url.startswith("sqlite"):
        await analyze(url)
    await engine.dispose()


async def put(connection: AsyncConnection, some: list[NewQuery], before: int) -> None:
    """Stores rows with their words, decisions and runs, in bulk."""
    numbered = list(enumerate(some, before + 1))
    await bulk(connection, queries, [row_values(entry) | {"number": number} for number, entry in numbered])
    words = sorted(words_of(numbered), key=lambda row: (row["scope"], row["word"], row["number"]))
    await bulk(connection, query_words, words)
    decided = [decision_of(number, entry) for number, entry in numbered if is_chosen(number, entry, DECIDED_EVERY)]
    await bulk(connection, decisions, decided)
    runs = [run_of(number, entry) for number, entry in numbered if is_chosen(number, entry, MEASURED_EVERY)]
    await bulk(connection, measured_runs, runs)


async def bulk(connection: AsyncConnection, table: Table, rows: list[dict[str, Any]]) -> None:
    if not rows:
        return
    if connection.dialect.name == SQLITE:
        await connection.execute(insert(table), rows)
        return
    driver: asyncpg.Connection = (await connection.get_raw_connection()).driver_connection  # type: ignore[assignment]
    names = list(rows[0])
    cents = {column.name for column in table.columns if isinstance(column.type, Cents)}
    records = [tuple(_cents(row[name]) if name in cents else row[name] for name in names) for row in rows]
    await driver.copy_records_to_table(table.name, records=records, columns=names)


def _cents(value: Any) -> int | None:
    return None if value is None else int(value * 100)


def words_of(numbered: list[tuple[int, NewQuery]]) -> Iterator[dict[str, Any]]:
    for number, entry in numbered:
        place = {"team": TEAM, "scope": scope_of(entry), "asked_at": entry.asked_at, "number": number}
        for word in row_words(entry.text, entry.model, entry.user_name):
            yield {**place, "word": word}


def is_chosen(number: int, entry: NewQuery, every: int) -> bool:
    return number % every == 0 and entry.kind == "answer"


def place_of(number: int, entry: NewQuery) -> dict[str, Any]:
    by = {"by": entry.user, "by_name": entry.user_name, "at": entry.asked_at + APART}
    return {"team": TEAM, "number": number, "scope": scope_of(entry), "asked_at": entry.asked_at, **by}


def decision_of(number: int, entry: NewQuery) -> dict[str, Any]:
    """Every decision on a question of its own, so that none supersedes another."""
    key = f"{number:08x}{question_key(StoredQuery(**row_of(entry), number=number))}"[:32]
    return {**place_of(number, entry), "question_key": key, "note": f"agreed {number}"}


def row_of(entry: NewQuery) -> dict[str, Any]:
    return {name: value for name, value in row_values(entry).items() if name != "scope"}


def run_of(number: int, entry: NewQuery) -> dict[str, Any]:
    return {**place_of(number, entry), "gb": (entry.need_gb or 1.0) * 0.95, "tokens_per_second": 20.0, "note": ""}


async def analyze(url: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute("VACUUM ANALYZE", timeout=600)
    finally:
        await connection.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--url", default="")
    given = parser.parse_args()
    asyncio.run(seed(given.url or "sqlite:///seeded.sqlite3", given.rows))


if __name__ == "__main__":
    main()
