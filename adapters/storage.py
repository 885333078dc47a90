"""The query log, opened when it is first needed: the terminal shows its card before."""

import re
from collections.abc import AsyncIterator, Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from adapters.settings import Settings, SettingsError
from bot.log.entry import Filters, Measured, NewQuery, Page, PastDecision, StoredQuery, Viewer

if TYPE_CHECKING:
    from bot.log.query_log import QueryLog

DATABASE_FILE: Final = "vram.sqlite3"
SPOOL_FILE: Final = "vram.spool"
BESIDE_DATABASE: Final = ("", "-wal", "-shm", "-journal")
BESIDE_SPOOL: Final = ("", ".replay", ".damaged", ".new", ".lock", ".replay.lock")
"""What SQLite and the spool call the files that they keep beside their own."""

_SQLITE_FILE: Final = re.compile(r"sqlite(?:\+\w+)?:///(?:file:)?([^?]+)", re.IGNORECASE)


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


def check_spool(settings: Settings) -> None:
    """A spool is emptied after it was read, so it must be a file of its own.

    Raises:
        SettingsError: it is the database, or a file that holds something else.
    """
    if settings.spool is None and settings.database_url is None:
        return
    spool = spool_path(settings)
    database = _SQLITE_FILE.match(database_url(settings))
    if database and _files(spool, BESIDE_SPOOL) & _files(Path(database[1]), BESIDE_DATABASE):
        raise SettingsError(
            "VRAM_SPOOL cannot be used: it is the file of the database, which it would destroy. "
            "Name a file of its own, or leave it unset."
        )
    if any(_holds_something_else(Path(f"{spool}{ending}")) for ending in ("", ".replay")):
        raise SettingsError(
            "VRAM_SPOOL cannot be used: the file holds something else than questions that wait. "
            "Name a file that does not exist yet, or leave it unset."
        )


def _files(path: Path, endings: tuple[str, ...]) -> frozenset[object]:
    """The file and those beside it, by name and, where they exist, by what they are on the disk."""
    paths = [Path(f"{path.expanduser().resolve()}{ending}") for ending in endings]
    return frozenset(paths) | {(file.stat().st_dev, file.stat().st_ino) for file in paths if file.exists()}


def _holds_something_else(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(1) not in {b"", b"{"}
    except OSError:
        return False


def data_folder() -> Path:
    import platformdirs  # noqa: PLC0415 - not before the card is shown

    return platformdirs.user_data_path("vram-bot", appauthor=False)
