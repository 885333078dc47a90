"""Asking the database with patience: within a time limit, past stale connections, with failures in plain words."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

from sqlalchemy import literal, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.log.database import make_engine, transaction
from bot.log.entry import LogAway, WrongDatabase
from bot.log.faults import FAILED, plain_reason, refuses_us
from bot.log.revision import bring_to_head
from engine.errors import EngineError

logger = logging.getLogger(__name__)
Result = TypeVar("Result")
Work = Callable[[AsyncConnection], Awaitable[Result]]

GRACE_SECONDS: Final = 1.0
"""What a question may take beyond the patience, so that SQLite's own "locked" comes before our limit."""


class PatientDatabase:
    """The database of one process. It connects, and makes or migrates its tables, when it is first asked."""

    def __init__(self, address: str, patience_seconds: float) -> None:
        self.patience_seconds = patience_seconds
        self._preparing: asyncio.Task[None] | None = None
        self._engine: AsyncEngine | WrongDatabase
        try:
            self._engine = make_engine(address, patience_seconds)
        except WrongDatabase as wrong:
            self._engine = wrong

    async def ask(self, work: Work[Result]) -> Result:
        """Does `work`, which must be harmless twice: it is done again where the connection turns out to be stale."""
        return await in_plain_words(lambda: self._ask_again(work))

    async def change(self, work: Work[Result]) -> Result:
        """Does `work` in one transaction, once."""

        async def changed(connection: AsyncConnection) -> Result:
            async with transaction(connection):
                return await work(connection)

        async def live_and_changed() -> Result:
            await self._ask_again(_ping)
            return await self._ask_once(changed)

        return await in_plain_words(live_and_changed)

    async def live_engine(self) -> AsyncEngine:
        """The engine, with tables made and no stale connections. Raises what the driver raises."""
        await self._ask_again(_ping)
        return self._connectable()

    async def close(self) -> None:
        if self._preparing is not None:
            await asyncio.wait([self._preparing])
        if isinstance(self._engine, AsyncEngine):
            await self._engine.dispose()

    async def _ask_again(self, work: Work[Result]) -> Result:
        try:
            return await self._ask_once(work)
        except DBAPIError as error:
            if not error.connection_invalidated:
                raise
        return await self._ask_once(work)

    async def _ask_once(self, work: Work[Result]) -> Result:
        await self._ready()
        limit = asyncio.timeout(self.patience_seconds + GRACE_SECONDS)
        async with limit, self._connectable().connect() as connection:
            return await work(connection)

    async def _ready(self) -> None:
        """Has the tables made or migrated once. A long migration goes on while the questions are spooled.

        A server that refuses us before it ever let us in was never the right one. Once it did, the setting is right
        and a refusal will pass: somebody changes the password, say.
        """
        engine = self._connectable()
        if self._preparing is None or (self._preparing.done() and self._preparing.exception() is not None):
            self._preparing = asyncio.create_task(bring_to_head(engine))
            self._preparing.add_done_callback(seen)
        if not self._preparing.done():
            try:
                async with asyncio.timeout(self.patience_seconds + GRACE_SECONDS):
                    await asyncio.shield(self._preparing)
            except Exception as error:
                if refuses_us(error):
                    raise WrongDatabase(plain_reason(error)) from None
                raise

    def _connectable(self) -> AsyncEngine:
        if isinstance(self._engine, WrongDatabase):
            raise self._engine.with_traceback(None)
        return self._engine


async def in_plain_words(work: Callable[[], Awaitable[Result]]) -> Result:
    """Does it; whatever the database, the driver or we ourselves break becomes LogAway."""
    try:
        return await work()
    except (LogAway, EngineError):
        raise
    except Exception as error:
        reason = plain_reason(error)
        logger.warning("log: %s (%s)", reason, type(error).__name__, exc_info=reason == FAILED)
        raise LogAway(reason) from None


def seen(task: asyncio.Task[Any]) -> None:
    """Takes note of a failure that a caller who went away does not ask for."""
    if not task.cancelled():
        task.exception()


async def _ping(connection: AsyncConnection) -> None:
    await connection.execute(select(literal(1)))
