"""The query log: store, list, show. A failing log never costs the answer, and nothing asked is lost.

Questions are stored one after the other in the order of `append`, so that the numbers of a channel follow the order in
which it asked. Where the database fails, the question goes to the spool, and for a moment the next ones go there
without asking the database, so that a hanging server does not hold them up one by one. The first question after that
moment replays the spool and then stores itself.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.log.database import make_engine
from bot.log.entry import Filters, LogAway, NewQuery, NotLogged, Page, StoredQuery, Viewer
from bot.log.faults import plain_reason
from bot.log.read import place_of, read_one, read_page
from bot.log.replay import replay
from bot.log.revision import bring_to_head
from bot.log.spool import Spool
from bot.log.write import store

logger = logging.getLogger(__name__)
Result = TypeVar("Result")

PATIENCE_SECONDS: Final = 3.0
"""How long the database may take to connect, to unlock or to answer, each. Our choice: a person at a terminal waits."""

AWAY_SECONDS: Final = 1.0
"""How long the database is left alone after a failure. Our choice: a person hardly notices, a server can recover."""

GRACE_SECONDS: Final = 1.0
"""What a whole question may take beyond the patience, so that SQLite's own "locked" comes before our limit."""


class QueryLog:
    """One log: a database and the spool before it. Use it as an async context manager, or call `close`."""

    def __init__(self, engine: AsyncEngine | None, spool: Spool, patience_seconds: float, unusable: str = "") -> None:
        self._engine = engine
        self._unusable = unusable
        self._spool = spool
        self._patience_seconds = patience_seconds
        self._turn = asyncio.Lock()
        self._preparing: asyncio.Task[None] | None = None
        self._storing: set[asyncio.Task[int]] = set()
        self._away_until = 0.0
        self._away_reason = ""

    @classmethod
    async def open(cls, url: str, spool_path: Path, *, patience_seconds: float = PATIENCE_SECONDS) -> Self:
        """A log that connects, and creates or migrates its tables, when it is first used. Never fails."""
        spool = Spool(spool_path)
        try:
            return cls(make_engine(url, patience_seconds), spool, patience_seconds)
        except LogAway as away:
            return cls(None, spool, patience_seconds, away.reason)

    async def append(self, entry: NewQuery) -> int:
        """Stores a question and returns its number in the team; the first one's where the event key is known.

        A caller that stops waiting stops nothing: the question is stored all the same.

        Raises:
            NotLogged: the question waits in the spool or, with `lost`, could not even be written there.
        """
        storing = asyncio.create_task(self._append(entry))
        self._storing.add(storing)
        storing.add_done_callback(self._storing.discard)
        storing.add_done_callback(_seen)
        return await asyncio.shield(storing)

    async def replay(self) -> int:
        """Stores what waits in the spool; how many that were. Raises LogAway where the database is away."""
        async with self._turn:
            return await self._guarded(self._replay)

    async def page(
        self, viewer: Viewer, filters: Filters | None = None, after: str | None = None, limit: int = 20
    ) -> Page:
        """Rows that the viewer may see, newest first. Raises LogAway; ValueError for an `after` not of ours."""
        place = None if after is None else place_of(after)
        return await self._read(lambda connection: read_page(connection, viewer, filters or Filters(), place, limit))

    async def show(self, viewer: Viewer, number: int | str) -> StoredQuery | None:
        """One row by number or public id; None where there is none that the viewer may see. Raises LogAway."""
        return await self._read(lambda connection: read_one(connection, viewer, number))

    async def close(self) -> None:
        """Waits for the questions still being stored, then closes every connection."""
        if self._storing:
            await asyncio.wait(self._storing)
        if self._preparing is not None:
            await asyncio.wait([self._preparing])
        if self._engine is not None:
            await self._engine.dispose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _append(self, entry: NewQuery) -> int:
        async with self._turn:
            try:
                return await self._guarded(lambda: self._replay_and_store(entry))
            except LogAway as away:
                reason = away.reason
            try:
                await asyncio.to_thread(self._spool.add, entry)
            except OSError as error:
                lost = f"{reason}, and the spool file cannot be written ({error.strerror}); this question is not kept"
                raise NotLogged(lost, lost=True) from None
            raise NotLogged(reason)

    async def _replay_and_store(self, entry: NewQuery) -> int:
        if self._spool.holds_rows():
            try:
                await self._replay()
            except OSError as error:
                if error.filename is None:
                    raise
                logger.warning("log: the spool cannot be read (%s)", error.strerror)
        return await self._asked(lambda connection: store(connection, entry))

    async def _replay(self) -> int:
        await self._ready()
        return await replay(self._connectable(), self._spool, self._patience_seconds)

    async def _guarded(self, work: Callable[[], Awaitable[Result]]) -> Result:
        """Does it, unless the database failed a moment ago; remembers a failure."""
        now = asyncio.get_running_loop().time
        if now() < self._away_until:
            raise LogAway(self._away_reason)
        try:
            return await self._in_plain_words(work)
        except LogAway as away:
            self._away_until, self._away_reason = now() + AWAY_SECONDS, away.reason
            raise

    async def _read(self, work: Callable[[AsyncConnection], Awaitable[Result]]) -> Result:
        return await self._in_plain_words(lambda: self._asked(work))

    async def _in_plain_words(self, work: Callable[[], Awaitable[Result]]) -> Result:
        try:
            return await work()
        except LogAway:
            raise
        except Exception as error:  # noqa: BLE001 - whatever breaks here must not cost the answer
            reason = plain_reason(error)
            logger.warning("log: %s (%s)", reason, type(error).__name__)
            raise LogAway(reason) from None

    async def _asked(self, work: Callable[[AsyncConnection], Awaitable[Result]]) -> Result:
        """Asks the database within the patience; once more where a connection turns out to be stale."""
        try:
            return await self._asked_once(work)
        except DBAPIError as error:
            if not error.connection_invalidated:
                raise
        return await self._asked_once(work)

    async def _asked_once(self, work: Callable[[AsyncConnection], Awaitable[Result]]) -> Result:
        await self._ready()
        async with asyncio.timeout(self._patience_seconds + GRACE_SECONDS), self._connectable().connect() as connection:
            return await work(connection)

    async def _ready(self) -> None:
        """Has the tables made or migrated once. A long migration goes on while its questions are spooled."""
        engine = self._connectable()
        if self._preparing is None or (self._preparing.done() and self._preparing.exception() is not None):
            self._preparing = asyncio.create_task(bring_to_head(engine))
            self._preparing.add_done_callback(_seen)
        async with asyncio.timeout(self._patience_seconds + GRACE_SECONDS):
            await asyncio.shield(self._preparing)

    def _connectable(self) -> AsyncEngine:
        if self._engine is None:
            raise LogAway(self._unusable)
        return self._engine


def _seen(task: asyncio.Task[Any]) -> None:
    """Takes note of a failure that a caller who went away does not ask for."""
    if not task.cancelled():
        task.exception()
