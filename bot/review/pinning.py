"""`pin N note…` and `unpin N`: a query becomes the team's decision on its question, or is one no longer."""

from typing import Final

from bot.cards import PinnedCard
from bot.commands import Called
from bot.log.entry import StoredQuery, Viewer
from bot.reply import Reply, Request
from bot.review.cards import SaidCard
from bot.review.viewers import viewer_of
from bot.tools import Tools
from engine.errors import ImpossibleValue, NoSuchQuery, UnknownWord

MOST_NOTE_CHARACTERS: Final = 500
"""Of a decision's note. Our choice: as long as a question."""


async def pin(tools: Tools, call: Called, request: Request) -> Reply:
    """A decision, with its note; an older one on the same question becomes history."""
    viewer = viewer_of(tools, request)
    row = await asked_for(tools, viewer, call)
    if row.kind != "answer":
        raise ImpossibleValue(f"pin {row.number}", reason="it has no answer that could be decided on")
    if len(call.words) > MOST_NOTE_CHARACTERS:
        raise ImpossibleValue("note", reason="the note is too long", allowed=f"{MOST_NOTE_CHARACTERS} characters")
    pinned = await tools.log.pin(viewer, row.number, call.words, by_name=request.user_name, at=tools.clock.now())
    if pinned is None or pinned.decision is None:
        raise NoSuchQuery(f"#{row.number}")
    older = await tools.log.superseded(viewer, row.number)
    return Reply("done", "asker", tools.renderer.parts(pinned_card(pinned, older)))


def pinned_card(row: StoredQuery, older: tuple[int, ...] = ()) -> PinnedCard:
    """That a query is a decision now; `older` are the numbers of those that it stands in place of."""
    decision = row.decision
    if decision is None:
        raise ValueError(f"#{row.number} is no decision")
    return PinnedCard(
        number=f"#{row.number}",
        by=decision.by_name,
        at=decision.at,
        note=decision.note,
        supersedes=", ".join(f"#{number}" for number in older),
    )


async def unpin(tools: Tools, call: Called, request: Request) -> Reply:
    """A query that is no decision any more; that it was one stays in its history."""
    if call.words:
        raise UnknownWord(call.words, allowed="the number alone, as in unpin 17")
    viewer = viewer_of(tools, request)
    row = await asked_for(tools, viewer, call)
    if row.decision is None:
        return said(tools, "Not pinned", f"#{row.number} is no decision")
    await tools.log.unpin(viewer, row.number, at=tools.clock.now())
    return said(tools, "Unpinned", f"#{row.number} is no decision any more; show {row.number} keeps its history")


async def asked_for(tools: Tools, viewer: Viewer, call: Called) -> StoredQuery:
    """The query that a command names. Raises NoSuchQuery where there is none for this reader."""
    row = None if call.number is None else await tools.log.show(viewer, call.number)
    if row is None:
        raise NoSuchQuery(f"#{call.number}")
    return row


def said(tools: Tools, label: str, text: str) -> Reply:
    """One line about what was done."""
    return Reply("done", "asker", tools.renderer.parts(SaidCard(label, text)))
