"""The query log: store, find, show, decide. A failing log never costs the answer, and nothing asked is lost.

Questions are stored in the order of `append`, so that the numbers of a channel follow the order in which it asked;
those that come while the disk is busy share the next transaction, so that a burst waits for the disk a few times only.
Where the database fails, the question goes to the spool. Where the setting names one that can never be used it does
not, since it would later be stored in another database: it is not kept, and its asker is told. After a failure the
database is not asked for a moment, so that a hanging server does not hold the next questions up one by one. The first
question after that moment replays the spool and then stores itself.

Everything here raises LogAway (append: NotLogged) where the database is away. What a viewer may not see is None, like
what does not exist.
"""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TypeVar

from bot.log import decide, statistics
from bot.log.entry import (
    Decision,
    Filters,
    LogAway,
    Measured,
    NewQuery,
    NotLogged,
    Page,
    PastDecision,
    StoredQuery,
    Viewer,
    WrongDatabase,
)
from bot.log.forget import forget, give_back_space, prune_some
from bot.log.patient import PatientDatabase, in_plain_words, seen
from bot.log.read import NEWER, count_rows, place_of, read_one, read_page
from bot.log.replay import replay
from bot.log.spool import Spool
from bot.log.write import store_all

logger = logging.getLogger(__name__)
Result = TypeVar("Result")

PATIENCE_SECONDS: Final = 5.0
"""How long the database may take to connect, to unlock or to answer, each. Our choice: a person at a terminal waits."""

AWAY_SECONDS: Final = 1.0
"""How long the database is left alone after a failure. Our choice: a person hardly notices, a server can recover."""

STORED_AT_ONCE: Final = 20
"""Questions of one burst in one transaction. Few enough to hold SQLite's write lock for some 10 ms only."""

EXPORTED_AT_ONCE: Final = 500
EVERYTHING: Final = Filters()


class QueryLog:
    """One log: a database and the spool before it. Use it as an async context manager, or call `close`."""

    def __init__(self, database: PatientDatabase, spool: Spool) -> None:
        self._database = database
        self._spool = spool
        self._turn = asyncio.Lock()
        self._queue: deque[tuple[NewQuery, asyncio.Future[int]]] = deque()
        self._storing: set[asyncio.Task[int]] = set()
        self._away_until = 0.0
        self._away: LogAway | None = None

    @classmethod
    async def open(cls, url: str, spool_path: Path, *, patience_seconds: float = PATIENCE_SECONDS) -> Self:
        """A log that connects, and makes or migrates its tables, when it is first used. Never fails."""
        return cls(PatientDatabase(url, patience_seconds), Spool(spool_path))

    async def append(self, entry: NewQuery) -> int:
        """Stores a question and returns its number in the team; the first one's where the event key is known.

        A caller that stops waiting stops nothing: the question is stored all the same.

        Raises:
            NotLogged: the question waits in the spool or, with `lost`, is not kept: the spool cannot be written, or
                the setting names a database that can never be used.
        """
        storing = asyncio.create_task(self._append(entry))
        self._storing.add(storing)
        storing.add_done_callback(self._storing.discard)
        storing.add_done_callback(seen)
        return await asyncio.shield(storing)

    async def replay(self) -> int:
        """Stores what waits in the spool; how many that were."""
        async with self._turn:
            return await self._unless_away(self._replay)

    def waiting(self) -> int:
        """How many questions wait in the spool."""
        return self._spool.waiting()

    async def page(
        self, viewer: Viewer, filters: Filters = EVERYTHING, after: str | None = None, limit: int = 20
    ) -> Page:
        """Rows newest first; `after` is the `next` or `previous` of another page, ValueError where it is not."""
        newer = after is not None and after.startswith(NEWER)
        place = None if after is None else place_of(after.removeprefix(NEWER))
        return await self._database.ask(lambda on: read_page(on, viewer, filters, place, limit, newer=newer))

    async def show(self, viewer: Viewer, number: int | str) -> StoredQuery | None:
        """One row by its number in the team or its public id."""
        return await self._database.ask(lambda on: read_one(on, viewer, number))

    async def count(self, viewer: Viewer, filters: Filters = EVERYTHING) -> int:
        """How many rows `export` will give."""
        return await self._database.ask(lambda on: count_rows(on, viewer, filters))

    async def export(self, viewer: Viewer, filters: Filters = EVERYTHING) -> AsyncIterator[StoredQuery]:
        """All rows, newest first: some hundreds at a time in memory, and no lock or snapshot held in between."""
        after: str | None = None
        while True:
            page = await self.page(viewer, filters, after, EXPORTED_AT_ONCE)
            for row in page.rows:
                yield row
            if page.next is None:
                return
            after = page.next

    async def pin(
        self, viewer: Viewer, number: int | str, note: str, *, by_name: str, at: datetime
    ) -> StoredQuery | None:
        """Makes a query the decision on its question; an older one becomes history."""
        decision = Decision(note, viewer.user, by_name, at)
        return await self._database.change(lambda on: decide.pin(on, viewer, number, decision))

    async def unpin(self, viewer: Viewer, number: int | str, *, at: datetime) -> StoredQuery | None:
        """Ends a decision. Raises NotAllowed where it is somebody else's and the viewer is no administrator."""
        return await self._database.change(lambda on: decide.unpin(on, viewer, number, at))

    async def history(self, viewer: Viewer, number: int | str) -> tuple[PastDecision, ...]:
        """Every decision that this query was and is, the latest first."""
        return await self._database.ask(lambda on: decide.history(on, viewer, number))

    async def superseded(self, viewer: Viewer, number: int | str) -> tuple[int, ...]:
        """The queries that this one stands in place of as a decision."""
        return await self._database.ask(lambda on: decide.superseded(on, viewer, number))

    async def measured(self, viewer: Viewer, number: int | str, run: Measured) -> StoredQuery | None:
        """Records what a run really took, beside what was predicted."""
        return await self._database.change(lambda on: decide.measure(on, viewer, number, run))

    async def first_act(self, viewer: Viewer, number: int | str, action: str, *, at: datetime) -> bool | None:
        """True the first time this person does this to this query, then False."""
        return await self._database.change(lambda on: decide.first_act(on, viewer, number, action, at))

    async def forget(self, viewer: Viewer, number: int | str) -> StoredQuery | None:
        """Deletes a row, in the spool too. Raises NotAllowed where it is not the viewer's, unless an administrator."""
        row = await self._database.change(lambda on: forget(on, viewer, number))
        if row is not None:
            await asyncio.to_thread(self._spool.remove, row.public_id)
        return row

    async def prune(self, before: datetime) -> int:
        """Deletes the rows of all teams asked before that moment, decisions excepted; how many that were."""
        count = 0
        while some := await self._database.change(lambda on: prune_some(on, before)):
            count += some
        await self._database.ask(give_back_space)
        return count

    async def asked_between(self, viewer: Viewer, edges: Sequence[datetime]) -> tuple[int, ...]:
        """How many questions were asked from each moment to the next."""
        return await self._database.ask(lambda on: statistics.asked_between(on, viewer, edges))

    async def most_asked_models(self, viewer: Viewer, since: datetime, limit: int) -> tuple[tuple[str, int], ...]:
        """The models asked for most since then, each with how often."""
        return await self._database.ask(lambda on: statistics.most_asked_models(on, viewer, since, limit))

    async def team_runs(self, team: str, engine: str) -> list[tuple[float, float]]:
        """(predicted GB, measured GB) of one team's public runs of one engine profile."""
        return await self._database.ask(lambda on: statistics.team_runs(on, team, engine))

    async def close(self) -> None:
        """Waits for the questions that are still being stored, then closes every connection."""
        if self._storing:
            await asyncio.wait(self._storing)
        await self._database.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _append(self, entry: NewQuery) -> int:
        place: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._queue.append((entry, place))
        async with self._turn:
            if not place.done():  # else somebody's turn before has stored it with their own
                some = [self._queue.popleft() for _ in range(min(len(self._queue), STORED_AT_ONCE))]
                try:
                    await self._settle(some)
                finally:
                    for _, unsettled in some:
                        unsettled.cancel()  # after a bug nobody waits for ever
        return await place

    async def _settle(self, some: list[tuple[NewQuery, "asyncio.Future[int]"]]) -> None:
        """Stores the questions, or spools them; each place then has its number or why there is none."""
        entries = [entry for entry, _ in some]
        try:
            numbers = await self._unless_away(lambda: self._replay_and_store(entries))
        except LogAway as away:
            for entry, place in some:
                place.set_exception(await self._not_logged(entry, away))
            return
        for (_, place), number in zip(some, numbers, strict=True):
            place.set_result(number)

    async def _not_logged(self, entry: NewQuery, away: LogAway) -> NotLogged:
        reason = away.reason
        if isinstance(away, WrongDatabase):
            return NotLogged(f"{reason}; this question is not kept", lost=True)
        try:
            await asyncio.to_thread(self._spool.add, entry)
        except OSError as error:
            lost = f"{reason}, and the spool file cannot be written ({error.strerror}): this question is not kept"
            return NotLogged(lost, lost=True)
        return NotLogged(reason)

    async def _replay_and_store(self, entries: list[NewQuery]) -> list[int]:
        if self._spool.holds_rows():
            try:
                await self._replay()
            except OSError as error:
                if error.filename is None:  # the network's; a file's means that only the spool is in trouble
                    raise
                logger.warning("log: the spool cannot be replayed (%s)", error.strerror)
        return await self._database.ask(lambda on: store_all(on, entries))

    async def _replay(self) -> int:
        return await replay(await self._database.live_engine(), self._spool, self._database.patience_seconds)

    async def _unless_away(self, work: Callable[[], Awaitable[Result]]) -> Result:
        """Does it, unless the database failed a moment ago; remembers a failure."""
        now = asyncio.get_running_loop().time
        if self._away is not None and now() < self._away_until:
            raise self._away.with_traceback(None)
        try:
            return await in_plain_words(work)
        except LogAway as away:
            self._away_until, self._away = now() + AWAY_SECONDS, away
            raise
