"""What a reader with a genuine link sees: the log's web pages, each read through the wall."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Final, Protocol

from bot.answer_card import answer_card
from bot.arithmetic_card import arithmetic_card
from bot.cards import Bar, WebPage
from bot.charts import Chart, bar_chart
from bot.choices import choice_card
from bot.listings import decided_card, log_row, stored_outcome
from bot.log.entry import Filters, StoredQuery, Viewer
from bot.ports import Clock, Log
from bot.refusals import problem, refusal_card
from bot.review.filters import wanted
from bot.review.showing import shown_card
from bot.review.web_links import ROOT, Pass
from bot.review.web_pages import (
    ChartsPage,
    DecisionsPage,
    Form,
    Frame,
    LinkedDecision,
    LinkedRow,
    ListPage,
    NoticePage,
    QueryPage,
    Segment,
)
from bot.wording import gpu_name, gpus, model_name, moment, usd
from engine.answer import Choice, Refusal
from engine.errors import EngineError

PAGE_ROWS: Final = 50
WEEKS: Final = 12
MOST_MODELS: Final = 10
MOST_SPENT: Final = 15
CELL: Final = 10
NO_SUCH: Final = "This link opens nothing, or not any more. Ask the bot for a new one: log."


class Figures(Log, Protocol):
    """What the pages need of `bot.log`."""

    async def asked_between(self, viewer: Viewer, edges: Sequence[datetime]) -> tuple[int, ...]: ...

    async def most_asked_models(self, viewer: Viewer, since: datetime, limit: int) -> tuple[tuple[str, int], ...]: ...


class Reading:
    """The pages that one link opens."""

    def __init__(self, log: Figures, clock: Clock, token: str, opened: Pass) -> None:
        self._log = log
        self._clock = clock
        self._reader = opened.reader
        self._only = opened.only
        self._path = f"{ROOT}/{token}"
        self._until = f"{moment(opened.until)} UTC"

    async def list(self, given: Mapping[str, str]) -> WebPage | None:
        """The list, narrowed by the form; None where the link opens one query alone."""
        if self._only:
            return None
        form = Form.of(given)
        try:
            asked = wanted(form.words(), user=self._reader.user, now=self._clock.now())
            page = await self._log.page(self._reader, asked.filters, given.get("after") or asked.after, PAGE_ROWS)
        except EngineError as error:
            return ListPage(self._frame("Questions", "list"), form, problem(error).text, (), "", "")
        except ValueError as error:
            return ListPage(self._frame("Questions", "list"), form, str(error).capitalize() + ".", (), "", "")
        rows = tuple(LinkedRow(self._query_path(row), log_row(row)) for row in page.rows)
        newer, older = (f"{self._path}?{form.query(after=to)}" if to else "" for to in (page.previous, page.next))
        return ListPage(self._frame("Questions", "list"), form, "", rows, newer, older)

    async def decisions(self, given: Mapping[str, str]) -> WebPage | None:
        if self._only:
            return None
        try:
            page = await self._log.page(self._reader, Filters(decided=True), given.get("after") or None, PAGE_ROWS)
        except ValueError:
            return None
        rows = zip(page.rows, decided_card(page).rows, strict=True)
        linked = tuple(LinkedDecision(self._query_path(row), line) for row, line in rows)
        newer, older = (f"{self._path}/decisions?after={to}" if to else "" for to in (page.previous, page.next))
        return DecisionsPage(self._frame("Decisions", "decisions"), linked, newer, older)

    async def query(self, public_id: str) -> WebPage | None:
        """One query; None where there is none for this reader."""
        if self._only and self._only != public_id:
            return None
        row = await self._log.show(self._reader, public_id)
        if row is None:
            return None
        outcome = stored_outcome(row)
        shown = shown_card(row, await self._log.history(self._reader, public_id))
        page = QueryPage(self._frame(f"#{row.number} {shown.text}", ""), shown, None, (), None, None, None)
        if isinstance(outcome, Choice):
            return replace(page, choice=choice_card(outcome))
        if isinstance(outcome, Refusal):
            return replace(page, refusal=refusal_card(outcome))
        card = answer_card(outcome)
        return replace(page, answer=card, segments=segments(card.bar), arithmetic=arithmetic_card(outcome))

    async def charts(self) -> WebPage | None:
        if self._only:
            return None
        edges = weeks(self._clock.now())
        asked = await self._log.asked_between(self._reader, edges)
        models = await self._log.most_asked_models(self._reader, edges[0], MOST_MODELS)
        charts = (
            bar_chart(
                "weeks",
                "Questions a week",
                "week from",
                [(f"{week:%Y-%m-%d}", count, str(count)) for week, count in zip(edges, asked, strict=False)],
            ),
            bar_chart(
                "models",
                f"Most asked models of {WEEKS} weeks",
                "model",
                [(model_name(model), count, str(count)) for model, count in models],
            ),
            await self._spend(),
        )
        return ChartsPage(self._frame("Charts", "charts"), charts)

    async def _spend(self) -> Chart:
        """What the decided offers cost a month, by set."""
        spent: dict[str, Decimal] = {}
        async for row in self._log.export(self._reader, Filters(decided=True)):
            if row.gpu is not None and row.usd_month is not None:
                name = gpus(gpu_name(row.gpu), row.count or 1)
                spent[name] = spent.get(name, Decimal(0)) + row.usd_month
        most = sorted(spent.items(), key=lambda one: (-one[1], one[0]))[:MOST_SPENT]
        total = usd(sum(spent.values(), Decimal(0)))
        figures = [(name, float(amount), usd(amount)) for name, amount in most]
        return bar_chart("spend", f"Decided offers: {total} a month", "set", figures)

    def _query_path(self, row: StoredQuery) -> str:
        return f"{self._path}/q/{row.public_id}"

    def _frame(self, title: str, here: str) -> Frame:
        return Frame(title, "" if self._only else self._path, here, self._until)


def notice(text: str) -> WebPage:
    """A page that says why there is nothing to see."""
    return NoticePage(Frame("Query log", "", "", ""), text)


def weeks(now: datetime) -> tuple[datetime, ...]:
    """The Mondays, 00:00 UTC, of the last weeks and the one to come."""
    midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    monday = midnight - timedelta(days=midnight.weekday())
    return tuple(monday + timedelta(weeks=week) for week in range(1 - WEEKS, 2))


def segments(bar: Bar | None) -> tuple[Segment, ...]:
    """The terms of a bar as boxes, a cell ten units wide."""
    if bar is None:
        return ()
    made: list[Segment] = []
    x = 0
    for place, cells in enumerate(bar.cells):
        made.append(Segment(x, CELL * cells, place % 6))
        x += CELL * cells
    return tuple(made)
