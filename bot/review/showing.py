"""`show N`: one query as it was answered, with its arithmetic, its history and what a run really took."""

from collections.abc import Iterator

from bot.arithmetic_card import arithmetic_card
from bot.cards import DecisionLine, Place, ShownCard
from bot.commands import Called
from bot.listings import stored_outcome
from bot.log.entry import PastDecision, StoredQuery, Viewer
from bot.outcomes import actions_of, outcome_card
from bot.refusals import shown
from bot.reply import Reply, Request
from bot.review.errors_of_runs import measured_lines
from bot.review.links import with_query_link
from bot.review.viewers import viewer_of
from bot.tools import Tools
from engine.answer import Answer
from engine.errors import NoSuchQuery, UnknownWord

PRIVATE = {"private-channel": "private channel", "direct": "direct message", "asker": "private question"}


async def show(tools: Tools, call: Called, request: Request) -> Reply:
    """The query of a number."""
    if call.words or call.number is None:
        raise UnknownWord(call.words, allowed="the number alone, as in show 17")
    return await shown_query(tools, viewer_of(tools, request), call.number)


async def shown_query(tools: Tools, viewer: Viewer, number: int | str) -> Reply:
    """One query again, from what is stored; `number` is its number in the team or its public id."""
    row = await tools.log.show(viewer, number)
    if row is None:
        raise NoSuchQuery(f"#{number}" if isinstance(number, int) else "")
    outcome = stored_outcome(row)
    card = shown_card(row, await tools.log.history(viewer, row.public_id))
    parts = tools.renderer.parts(card) | tools.renderer.parts(outcome_card(outcome))
    if isinstance(outcome, Answer):
        parts |= tools.renderer.parts(arithmetic_card(outcome))
    reply = Reply("done", "asker", parts, actions_of(outcome, row.public_id, shared=False), outcome=outcome)
    return with_query_link(tools.links, reply, viewer, row)


def shown_card(row: StoredQuery, history: tuple[PastDecision, ...]) -> ShownCard:
    """Who asked, where, when, with what; what was decided and measured since."""
    return ShownCard(
        number=f"#{row.number}",
        asked_at=row.asked_at,
        user=row.user_name,
        where=Place(row.platform, row.channel or "", PRIVATE.get(row.visibility, "")),
        text=shown(row.text),
        made_with=f"{row.catalog_name} {row.catalog[:8]}, engine {row.engine_version}",
        decisions=tuple(_decisions(history, row.number)),
        measured=measured_lines(row),
    )


def _decisions(history: tuple[PastDecision, ...], number: int) -> Iterator[DecisionLine]:
    for past in history:
        yield DecisionLine(past.by_name, past.at, shown(past.note, 500), _end(past, number))


def _end(past: PastDecision, number: int) -> str:
    if past.until is None:
        return ""
    if past.superseded_by is None:
        return "unpinned"
    return "pinned again" if past.superseded_by == number else f"superseded by #{past.superseded_by}"
