"""Small stand-ins for our own Protocols; they remember what they got."""

from dataclasses import asdict
from datetime import UTC, datetime

from bot.log.entry import Filters, LogAway, NewQuery, NotLogged, Page, PastDecision, StoredQuery, Viewer


class FixedClock:
    """Stands at one moment; each look at the seconds is 2 ms later than the one before."""

    def __init__(self, moment: datetime = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)) -> None:
        self._moment = moment
        self._seconds = 0.0

    def now(self) -> datetime:
        return self._moment

    def seconds(self) -> float:
        self._seconds += 0.002
        return self._seconds


class CountedIds:
    def __init__(self) -> None:
        self._made = 0

    def new(self) -> str:
        self._made += 1
        return f"id{self._made:08d}"


class MemoryLog:
    """Keeps rows in a list. `away` is the reason why it can neither store nor read, where it cannot."""

    def __init__(self, away: str = "") -> None:
        self.away = away
        self.rows: list[StoredQuery] = []
        self.viewers: list[Viewer] = []
        self.filters: list[Filters] = []
        self.runs: dict[tuple[str, str], list[tuple[float, float]]] = {}

    async def team_runs(self, team: str, engine: str) -> list[tuple[float, float]]:
        self._reading(Viewer(team=team, user=""))
        return self.runs.get((team, engine), [])

    async def append(self, entry: NewQuery) -> int:
        if self.away:
            raise NotLogged(self.away)
        for row in self.rows:
            if row.event_key == entry.event_key:
                return row.number
        self.rows.append(StoredQuery(**asdict(entry), number=len(self.rows) + 1))
        return len(self.rows)

    async def page(self, viewer: Viewer, filters: Filters, after: str | None, limit: int) -> Page:
        self._reading(viewer)
        self.filters.append(filters)
        newest = [row for row in reversed(self.rows) if after is None or row.number < int(after)]
        shown = tuple(newest[:limit])
        return Page(shown, str(shown[-1].number) if len(newest) > limit else None)

    async def show(self, viewer: Viewer, number: int | str) -> StoredQuery | None:
        self._reading(viewer)
        return next((row for row in self.rows if number in {row.number, row.public_id}), None)

    async def history(self, viewer: Viewer, number: int | str) -> tuple[PastDecision, ...]:
        self._reading(viewer)
        return ()

    def _reading(self, viewer: Viewer) -> None:
        if self.away:
            raise LogAway(self.away)
        self.viewers.append(viewer)
