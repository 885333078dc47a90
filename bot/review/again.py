"""`again N`: a stored question with today's engine and catalog, and what has changed since.

The new answer is a query of its own, so that it can be pinned in place of the old one. It is never seen by more people
than the query that it repeats.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from bot.cards import LoggedCard
from bot.commands import Called
from bot.entries import new_query
from bot.listings import stored_outcome
from bot.log.entry import NewQuery, NotLogged, StoredQuery
from bot.outcomes import actions_of, outcome_card
from bot.refusals import shown
from bot.reply import Reply, Request
from bot.review.cards import AgainCard, ChangeLine
from bot.review.changes import Changes
from bot.review.links import with_query_link
from bot.review.pinning import asked_for
from bot.review.resizing import OwnRuns, sized_again
from bot.review.viewers import viewer_of
from bot.tools import Tools
from engine.answer import Answer, Choice, Refusal
from engine.errors import UnknownWord

ONE_PERSONS: Final = frozenset({"direct", "asker"})
KINDS: Final = {"answer": "an answer", "choice": "a question back", "refusal": "a refusal"}


async def again(tools: Tools, call: Called, request: Request) -> Reply:
    """What a question comes to today, beside what it came to then."""
    if call.words:
        raise UnknownWord(call.words, allowed="the number alone, as in again 17")
    began = tools.clock.seconds()
    viewer = viewer_of(tools, request)
    row = await asked_for(tools, viewer, call)
    now, question = await sized_again(tools, row, OwnRuns(tools, row.team))
    card = again_card(row, stored_outcome(row), now)
    entry = new_query(
        replace(request, text=row.text),
        now,
        question,
        public_id=tools.new_id.new(),
        asked_at=tools.clock.now(),
        catalog=tools.catalog.mark,
        milliseconds=1000 * (tools.clock.seconds() - began),
    )
    entry = _no_wider(entry, row)
    parts = tools.renderer.parts(card)
    if not isinstance(now, Answer):
        parts |= tools.renderer.parts(outcome_card(now))
    parts |= tools.renderer.parts(await _logged(tools, entry))
    actions = actions_of(now, entry.public_id, shared=False)
    rows = tuple(_json(line) for line in card.changes)
    return with_query_link(tools.links, Reply("list", "asker", parts, actions, rows=rows), viewer, entry)


def again_card(row: StoredQuery, then: Answer | Choice | Refusal, now: Answer | Choice | Refusal) -> AgainCard:
    text = shown(row.text, 50)
    if isinstance(then, Answer) and isinstance(now, Answer):
        changes = Changes(then, now)
        same = not (changes.need or changes.decision or changes.usd_month)
        title = f"{text}: the same today" if same else f"{text}: not the same today"
        lines = (*changes.lines(), _made_with("catalog", _catalog(then), _catalog(now)))
    else:
        lines = (ChangeLine("outcome", KINDS[then.kind], KINDS[now.kind], "" if then.kind == now.kind else "another"),)
        title = f"{text}: {KINDS[now.kind]} today"
    return AgainCard(title=title, number=f"#{row.number}", asked_at=row.asked_at, changes=lines)


def _catalog(answer: Answer) -> str:
    return f"{answer.catalog.name} {answer.catalog.date} {answer.catalog.fingerprint[:8]}"


def _made_with(what: str, then: str, now: str) -> ChangeLine:
    return ChangeLine(what, then, now, "" if then == now else "another")


def _no_wider(entry: NewQuery, row: StoredQuery) -> NewQuery:
    """What one person alone may read stays theirs, wherever it is asked again."""
    return replace(entry, visibility="asker") if row.visibility in ONE_PERSONS else entry


async def _logged(tools: Tools, entry: NewQuery) -> LoggedCard:
    try:
        return LoggedCard(number=f"#{await tools.log.append(entry)}", reason="", lost=False)
    except NotLogged as away:
        return LoggedCard(number="", reason=away.reason, lost=away.lost)


def _json(line: ChangeLine) -> Mapping[str, object]:
    return {"what": line.what, "then": line.then, "now": line.now, "difference": line.difference or None}
