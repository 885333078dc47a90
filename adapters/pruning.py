"""Keeping the log for VRAM_LOG_DAYS: once by `vram prune`, daily in `vram serve`."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Final, Protocol

from bot.log.entry import LogAway
from bot.ports import Clock

logger = logging.getLogger(__name__)

DAY_SECONDS: Final = 86_400.0
AGAIN_SECONDS: Final = 600.0
"""How soon it is tried again where the database is away."""


class Prunable(Protocol):
    async def prune(self, before: datetime) -> int: ...


async def prune(log: Prunable, clock: Clock, days: int) -> int:
    """Deletes what is older than that many days, decisions excepted; how many questions that were."""
    return await log.prune(clock.now() - timedelta(days=days))


@contextlib.asynccontextmanager
async def pruning_daily(
    log: Prunable, clock: Clock, days: int | None, *, every_seconds: float = DAY_SECONDS
) -> AsyncIterator[None]:
    """While it is entered the log is pruned: at the start, then daily. Nothing without a number of days."""
    if days is None:
        yield
        return

    async def again_and_again() -> None:
        while True:
            wait_seconds = await _once(log, clock, days, every_seconds)
            await asyncio.sleep(wait_seconds)

    running = asyncio.create_task(again_and_again())
    try:
        yield
    finally:
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running


async def _once(log: Prunable, clock: Clock, days: int, every_seconds: float) -> float:
    """Prunes; returns how long to wait for the next time."""
    try:
        count = await prune(log, clock, days)
    except LogAway as away:
        logger.info("log: not pruned (%s)", away.reason)
        return min(AGAIN_SECONDS, every_seconds)
    logger.info("log: pruned questions=%d days=%d", count, days)
    return every_seconds
