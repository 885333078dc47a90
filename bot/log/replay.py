"""Storing what waited in the spool: in order, a hundred questions a transaction."""

import asyncio
import logging
from typing import Final

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.log.database import transaction
from bot.log.entry import NewQuery
from bot.log.faults import refuses_the_row
from bot.log.spool import Spool, entry_of
from bot.log.write import insert, store

logger = logging.getLogger(__name__)

BATCH: Final = 100
"""Few enough to hold SQLite's write lock for some 50 ms only."""

BATCH_SECONDS: Final = 1.0
"""What a batch may take beyond the patience for a lock."""

LOOK_AGAIN_SECONDS: Final = 0.02


async def replay(engine: AsyncEngine, spool: Spool, patience_seconds: float) -> int:
    """How many lines were stored. Where another process is at it, waits for that, but no longer than the patience."""
    loop = asyncio.get_running_loop()
    until = loop.time() + patience_seconds
    while spool.holds_rows():
        with spool.replaying() as ours:
            if ours:
                return await _replay_all(engine, spool, patience_seconds)
        if loop.time() > until:
            break
        await asyncio.sleep(LOOK_AGAIN_SECONDS)
    return 0


async def _replay_all(engine: AsyncEngine, spool: Spool, patience_seconds: float) -> int:
    count = 0
    while lines := await asyncio.to_thread(spool.take):
        refused: list[str] = []
        for start in range(0, len(lines), BATCH):
            async with asyncio.timeout(patience_seconds + BATCH_SECONDS):
                refused += await _store_batch(engine, lines[start : start + BATCH])
        await asyncio.to_thread(spool.done, refused)
        count += len(lines) - len(refused)
        if refused:
            logger.warning("spool: %d lines could not be read or stored and were set aside", len(refused))
    return count


async def _store_batch(engine: AsyncEngine, lines: tuple[str, ...]) -> list[str]:
    """Stores what can be stored and returns the lines that never can be."""
    entries = [(line, entry_of(line)) for line in lines if line]
    damaged = [line for line, entry in entries if entry is None]
    whole = [(line, entry) for line, entry in entries if entry is not None]
    try:
        async with engine.connect() as connection, transaction(connection):
            for _, entry in whole:
                await insert(connection, entry)
    except Exception as error:
        if not refuses_the_row(error):
            raise
        return damaged + [line for line, entry in whole if not await _stored_alone(engine, entry)]
    return damaged


async def _stored_alone(engine: AsyncEngine, entry: NewQuery) -> bool:
    try:
        async with engine.connect() as connection:
            await store(connection, entry)
    except Exception as error:
        if not refuses_the_row(error):
            raise
        return False
    return True
