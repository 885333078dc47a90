"""What the use cases need of the world outside."""

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Protocol

from bot.log.entry import Filters, Measured, NewQuery, Page, PastDecision, StoredQuery, Viewer


class Clock(Protocol):
    def now(self) -> datetime:
        """The time, aware, in UTC."""

    def seconds(self) -> float:
        """Seconds since some moment that stays the same; never goes back."""


class NewId(Protocol):
    def new(self) -> str:
        """10 characters that nobody guesses: letters and digits."""


class Links(Protocol):
    """Signed addresses of the log's web pages, each for one reader and for a while."""

    def to_list(self, reader: Viewer, words: str) -> str:
        """Of the list with these filters; it leads to every page that the reader may see."""

    def to_query(self, reader: Viewer, public_id: str) -> str:
        """Of one query; it leads to every page that the reader may see."""

    def to_query_alone(self, reader: Viewer, public_id: str) -> str:
        """Of one query; it leads nowhere else."""


class Log(Protocol):
    """What the use cases need of `bot.log`."""

    async def append(self, entry: NewQuery) -> int:
        """The number of the query in its team; raises NotLogged once the entry stands in the spool."""

    async def page(self, viewer: Viewer, filters: Filters, after: str | None, limit: int) -> Page: ...

    async def show(self, viewer: Viewer, number: int | str) -> StoredQuery | None: ...

    async def history(self, viewer: Viewer, number: int | str) -> tuple[PastDecision, ...]: ...

    async def superseded(self, viewer: Viewer, number: int | str) -> tuple[int, ...]: ...

    async def pin(
        self, viewer: Viewer, number: int | str, note: str, *, by_name: str, at: datetime
    ) -> StoredQuery | None: ...

    async def unpin(self, viewer: Viewer, number: int | str, *, at: datetime) -> StoredQuery | None: ...

    async def measured(self, viewer: Viewer, number: int | str, run: Measured) -> StoredQuery | None: ...

    async def forget(self, viewer: Viewer, number: int | str) -> StoredQuery | None: ...

    def export(self, viewer: Viewer, filters: Filters) -> AsyncIterator[StoredQuery]:
        """All rows, newest first."""

    async def team_runs(self, team: str, engine: str) -> list[tuple[float, float]]:
        """(predicted GB, measured GB) of the team's own runs of one engine."""
