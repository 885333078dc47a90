"""`log measured`: the runs that people measured, with the mean error of the predictions."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Final

from bot.listings import log_row
from bot.log.entry import Filters, StoredQuery, Viewer, row_json
from bot.reply import Action, Reply
from bot.review.cards import MeasuredCard
from bot.review.errors_of_runs import MeanError, error_words, mean_error, percent
from bot.review.filters import wanted
from bot.tools import Tools
from bot.wording import counted, gb, rate

MOST_RUNS: Final = 1000
"""Of which the mean is taken, the newest ones. Our choice: older runs are of older engines."""


async def measured_list(tools: Tools, viewer: Viewer, words: str) -> Reply:
    """The runs, newest question first, narrowed by filters."""
    asked = wanted(words, user=viewer.user, now=tools.clock.now())
    runs = [row async for row in _runs(tools, viewer, replace(asked.filters, measured=True))]
    shown = runs[: tools.page_rows]
    card = MeasuredCard(
        title=f"{counted(len(runs), 'measured run')}" if runs else "No measured runs yet",
        mean=_mean(mean_error([(row.need_gb, row.measured.gb) for row in runs if row.need_gb and row.measured])),
        rows=tuple(replace(log_row(row), result=_result(row)) for row in shown),
        more=f"{len(runs) - len(shown)} more." if len(runs) > len(shown) else "",
    )
    actions = tuple(Action("show", f"Show #{row.number}", row.public_id, part="rows") for row in shown)
    return Reply("list", "asker", tools.renderer.parts(card), actions, rows=tuple(map(row_json, runs)))


async def _runs(tools: Tools, viewer: Viewer, filters: Filters) -> AsyncIterator[StoredQuery]:
    left = MOST_RUNS
    async for row in tools.log.export(viewer, filters):
        yield row
        left -= 1
        if not left:
            return


def _mean(error: MeanError | None) -> str:
    if error is None:
        return ""
    size = percent(error.size).removeprefix("+")
    return f"Mean error of the prediction {percent(error.signed)}, {size} without signs"


def _result(row: StoredQuery) -> str:
    run = row.measured
    if run is None:
        return ""
    took = gb(run.gb, 1) if run.tokens_per_second is None else f"{gb(run.gb, 1)}, {rate(run.tokens_per_second)}"
    return (
        took if row.need_gb is None else f"{took}; predicted {gb(row.need_gb, 1)}, {error_words(row.need_gb, run.gb)}"
    )
