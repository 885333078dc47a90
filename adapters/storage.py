"""The query log, opened when it is first needed: the terminal shows its card before."""

from collections.abc import AsyncIterator, Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from adapters.settings import Settings
from bot.log.entry import Filters, Measured, NewQuery, Page, PastDecision, StoredQuery, Viewer

if TYPE_CHECKING:
    from bot.log.query_log import QueryLog

DATABASE_FILE: Final = "vram.sqlite3"
SPOOL_FILE: Final = "vram.spool"


class LogOnDemand:
    """A `bot.ports.Log` by the settings' database: SQLite in the user's data folder where they name none."""

    def __init__(self, settings: Settings, before_opening: Callable[[], None]) -> None:
        self._settings = settings
        self._before_opening = before_opening
        self._log: QueryLog | None = None

    async def append(self, entry: NewQuery) -> int:
        return await (await self._opened()).append(entry)

    async def page(self, viewer: Viewer, filters: Filters, after: str | None, limit: int) -> Page:
        return await (await self._opened()).page(viewer, filters, after, limit)

    async def show(self, viewer: Viewer, number: int | str) -> StoredQuery | None:
        return await (await self._opened()).show(viewer, number)

    async def history(self, viewer: Viewer, number: int | str) -> tuple[PastDecision, ...]:
        return await (await self._opened()).history(viewer, number)

    async def superseded(self, viewer: Viewer, number: int | str) -> tuple[int, ...]:
        return await (await self._opened()).superseded(viewer, number)

    async def pin(
        self, viewer: Viewer, number: int | str, note: str, *, by_name: str, at: datetime
    ) -> StoredQuery | None:
        return await (await self._opened()).pin(viewer, number, note, by_name=by_name, at=at)

    async def unpin(self, viewer: Viewer, number: int | str, *, at: datetime) -> StoredQuery | None:
        return await (await self._opened()).unpin(viewer, number, at=at)

    async def measured(self, viewer: Viewer, number: int | str, run: Measured) -> StoredQuery | None:
        return await (await self._opened()).measured(viewer, number, run)

    async def forget(self, viewer: Viewer, number: int | str) -> StoredQuery | None:
        return await (await self._opened()).forget(viewer, number)

    async def count(self, viewer: Viewer, filters: Filters) -> int:
        return await (await self._opened()).count(viewer, filters)

    async def export(self, viewer: Viewer, filters: Filters) -> AsyncIterator[StoredQuery]:
        async for row in (await self._opened()).export(viewer, filters):
            yield row

    async def prune(self, before: datetime) -> int:
        return await (await self._opened()).prune(before)

    async def team_runs(self, team: str, engine: str) -> list[tuple[float, float]]:
        return await (await self._opened()).team_runs(team, engine)

    async def close(self) -> None:
        """Closes what was opened; the next use opens it again."""
        log, self._log = self._log, None
        if log is not None:
            await log.close()

    async def _opened(self) -> "QueryLog":
        if self._log is None:
            self._before_opening()
            from bot.log.query_log import QueryLog  # noqa: PLC0415 - SQLAlchemy, not before the card is shown

            self._log = await QueryLog.open(database_url(self._settings), spool_path(self._settings))
        return self._log


def database_url(settings: Settings) -> str:
    if settings.database_url is not None:
        return settings.database_url.get_secret_value()
    return f"sqlite:///{data_folder() / DATABASE_FILE}"


def spool_path(settings: Settings) -> Path:
    return settings.spool or data_folder() / SPOOL_FILE


def data_folder() -> Path:
    import platformdirs  # noqa: PLC0415 - not before the card is shown

    return platformdirs.user_data_path("vram-bot", appauthor=False)
