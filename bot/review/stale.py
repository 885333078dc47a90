"""`log stale`: decisions that would be others today, by pick, price (by more than 5 %) or verdict."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Final

from bot.log.entry import StoredQuery, Viewer, row_json
from bot.refusals import shown
from bot.reply import Action, Reply
from bot.review.cards import ChangeLine, StaleCard, StaleRow
from bot.review.changes import Changes
from bot.review.filters import wanted
from bot.review.resizing import OwnRuns, changes_of
from bot.tools import Tools
from bot.wording import counted

NOT_ANSWERED: Final = ChangeLine("answer", "an answer", "none", "cannot be answered any more")


@dataclass(frozen=True, slots=True)
class Stale:
    """A decision, and what would be different."""

    row: StoredQuery
    changes: tuple[ChangeLine, ...]


async def stale(tools: Tools, viewer: Viewer, words: str) -> Reply:
    """The decisions that do not hold any more, narrowed by filters."""
    found = [one async for one in stale_decisions(tools, viewer, words)]
    shown_rows = found[: tools.page_rows]
    card = StaleCard(
        title=f"{counted(len(found), 'decision')} would be another one today"
        if found
        else "Every decision still holds",
        rows=tuple(_row(one) for one in shown_rows),
        more=f"{len(found) - len(shown_rows)} more." if len(found) > len(shown_rows) else "",
    )
    rows = tuple(row_json(one.row) | {"changes": [_json(line) for line in one.changes]} for one in found)
    actions = tuple(Action("show", f"Show #{one.row.number}", one.row.public_id, part="rows") for one in shown_rows)
    return Reply("list", "asker", tools.renderer.parts(card), actions, rows=rows)


async def stale_decisions(tools: Tools, viewer: Viewer, words: str) -> AsyncIterator[Stale]:
    """Every one of them, newest first. Others get their turn in between: sizing takes a millisecond each."""
    asked = wanted(words, user=viewer.user, now=tools.clock.now())
    runs = OwnRuns(tools, viewer.team)
    async for row in tools.log.export(viewer, replace(asked.filters, decided=True)):
        differing = await _differing(tools, row, runs)
        if differing:
            yield Stale(row, differing)
        await asyncio.sleep(0)


async def _differing(tools: Tools, row: StoredQuery, runs: OwnRuns) -> tuple[ChangeLine, ...]:
    changes = await changes_of(tools, row, runs)
    if changes is None:
        return ()
    return changes.differing() if isinstance(changes, Changes) else (NOT_ANSWERED,)


def _row(one: Stale) -> StaleRow:
    decision = one.row.decision
    return StaleRow(
        number=f"#{one.row.number}",
        at=decision.at if decision else one.row.asked_at,
        by=decision.by_name if decision else "",
        text=shown(one.row.text, 40),
        why="; ".join(f"{line.what} {line.then} → {line.now}" for line in one.changes),
    )


def _json(line: ChangeLine) -> dict[str, object]:
    return {"what": line.what, "then": line.then, "now": line.now}
