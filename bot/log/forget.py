"""Deleting: one's own row, and rows that are older than the log is kept."""

from datetime import datetime
from typing import Final

from sqlalchemy import delete, exists, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.log.database import SQLITE
from bot.log.decide import lock_team
from bot.log.entry import StoredQuery, Viewer
from bot.log.prepared import driver_of
from bot.log.read import read_one
from bot.log.rows import stored, whole_rows
from bot.log.tables import decisions, queries
from bot.log.word_index import delete_words, words_of_row
from engine.errors import NotAllowed

PRUNED_AT_ONCE: Final = 500
"""Rows a transaction: a few hundred milliseconds of SQLite's write lock, so that questions get in between."""


async def forget(connection: AsyncConnection, viewer: Viewer, number: int | str) -> StoredQuery | None:
    """Deletes a row with its decisions, measured runs and words, and returns what it was; None where none is to see.

    Raises:
        NotAllowed: the row is somebody else's and the viewer is no administrator.
    """
    await lock_team(connection, viewer.team)
    row = await read_one(connection, viewer, number)
    if row is None:
        return None
    if row.user != viewer.user and not viewer.is_admin:
        raise NotAllowed(f"forget {row.number}", reason="only who asked, or an administrator, may delete a query")
    await _delete(connection, [row])
    return row


async def prune_some(connection: AsyncConnection, before: datetime) -> int:
    """Deletes some of the rows of all teams asked before that moment, but none that is or was a decision."""
    ever = decisions.alias()  # whole_rows joins the standing ones
    decided = exists().where(ever.c.team == queries.c.team, ever.c.number == queries.c.number)
    old = whole_rows().where(queries.c.asked_at < before, ~decided).limit(PRUNED_AT_ONCE)
    rows = [stored(row) for row in (await connection.execute(old)).mappings()]
    await _delete(connection, rows)
    return len(rows)


async def give_back_space(connection: AsyncConnection) -> None:
    """SQLite's file shrinks by the pages that were freed; PostgreSQL's autovacuum needs no word from us."""
    if connection.dialect.name == SQLITE:
        driver = await driver_of(connection)
        await driver.executescript("PRAGMA incremental_vacuum")  # a page a step; `execute` takes one step only
        await driver.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")


async def _delete(connection: AsyncConnection, rows: list[StoredQuery]) -> None:
    if not rows:
        return
    await delete_words(
        connection, ((row, words_of_row(row, None if row.decision is None else row.decision.note)) for row in rows)
    )
    numbers = [(row.team, row.number) for row in rows]
    await connection.execute(delete(queries).where(tuple_(queries.c.team, queries.c.number).in_(numbers)))
