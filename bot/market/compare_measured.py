"""`compare measured=17,12`: sets by the runs that were measured on them, taken from the log.

A run belongs to the set that its question names, or to its pick. What is named beside it says the sets instead.
"""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from bot.commands import Called
from bot.log.entry import StoredQuery
from bot.market.asked import asked
from bot.market.compare import Job, compare_sets, job_hours
from bot.market.words import HOURS, MEASURED, take
from bot.reply import Reply, Request
from bot.review.viewers import viewer_of
from bot.tools import Tools
from engine.economics import exact
from engine.errors import ImpossibleValue, NoSuchQuery, UnknownWord
from engine.question import GpuSet, Question

EXAMPLE: Final = "numbers of queries with a measured speed, one a set, as in compare measured=17,12"


async def compare_measured(tools: Tools, call: Called, request: Request) -> Reply:
    """The sets of measured runs side by side, by finished job.

    Raises:
        EngineError: a number without a measured speed, or other sets than numbers.
    """
    taken = take(call.words, (MEASURED, HOURS))
    numbers: tuple[int, ...] = taken.values.get("measured", ())
    found = asked(taken.rest, tools.catalog, mention=request.mention)
    if found.reading is not None or found.loose:
        raise UnknownWord(found.loose or taken.rest, allowed=EXAMPLE, reason="the runs have questions of their own")
    rows = [await _row(tools, request, number) for number in numbers]
    sets = found.sets or tuple(_set_of(row) for row in rows)
    if len(sets) != len(rows) or len(set(sets)) < 2:
        given = f"measured={','.join(map(str, numbers))}"
        raise ImpossibleValue(given, reason=f"{len(rows)} runs on {len(set(sets))} sets", allowed=EXAMPLE)
    hours, is_assumed = job_hours(taken.values.get("hours"))
    return compare_sets(tools, sets, job=Job(_speeds(rows), hours, is_assumed, numbers))


async def _row(tools: Tools, request: Request, number: int) -> StoredQuery:
    row = await tools.log.show(viewer_of(tools, request), number)
    if row is None:
        raise NoSuchQuery(f"#{number}")
    if row.measured is None or not row.measured.tokens_per_second:
        raise ImpossibleValue(
            f"#{number}", reason="no speed was measured", allowed=f"measured {number} 31.2GB 42tok/s, to add it"
        )
    return row


def _set_of(row: StoredQuery) -> GpuSet:
    sets = Question.model_validate_json(row.question_json).sets if row.question_json else ()
    if sets:
        return sets[0]
    if row.gpu is None:
        raise ImpossibleValue(f"#{row.number}", reason="it has no GPU that it could have run on", allowed=EXAMPLE)
    return GpuSet(gpu=row.gpu, count=row.count or 1)


def _speeds(rows: Sequence[StoredQuery]) -> tuple[Decimal, ...]:
    """How many times as fast each run was as the first."""
    each = [exact(row.measured.tokens_per_second) for row in rows if row.measured and row.measured.tokens_per_second]
    return tuple(speed / each[0] for speed in each)
