"""What the use cases need of the world outside."""

from datetime import datetime
from typing import Protocol

from bot.log.entry import Filters, NewQuery, Page, StoredQuery, Viewer


class Clock(Protocol):
    def now(self) -> datetime:
        """The time, aware, in UTC."""

    def seconds(self) -> float:
        """Seconds since some moment that stays the same; never goes back."""


class NewId(Protocol):
    def new(self) -> str:
        """10 characters that nobody guesses: letters and digits."""


class Log(Protocol):
    """What the use cases need of `bot.log`."""

    async def append(self, entry: NewQuery) -> int:
        """The number of the query in its team; raises NotLogged once the entry stands in the spool."""

    async def page(self, viewer: Viewer, filters: Filters, after: str | None, limit: int) -> Page: ...

    async def show(self, viewer: Viewer, number: int | str) -> StoredQuery | None: ...
