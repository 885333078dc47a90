"""`log [filters]`: a page of the log, newest first; `log stale` and `log measured` are lists of their own.

Decision: a button carries the filters of its page, so that it works after a restart (bot/tokens.py). Where they are too
long for that, the list says what to type for the older ones. Keeping them in the database instead would make everybody
who reads a list write to it, and leave filters behind that somebody has to prune.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from bot.commands import Called
from bot.listings import decided_card, log_card, page_actions
from bot.log.entry import Page, Viewer, row_json
from bot.reply import Action, Reply, Request
from bot.review.filters import wanted
from bot.review.links import with_link
from bot.review.measured_list import measured_list
from bot.review.stale import stale
from bot.review.viewers import viewer_of
from bot.tokens import Tokens, TokenTooLong
from bot.tools import Tools
from engine.errors import ImpossibleValue

STALE: Final = "stale"
MEASURED: Final = "measured"

LONGEST_SHOWN: Final = 40
"""Of the filters in a title; they would be cut in the middle of one."""

_SIZES: Final = Tokens("any secret")
"""How long a token is does not depend on the secret."""


async def log(tools: Tools, call: Called, request: Request) -> Reply:
    """The rows that the words behind `log` ask for."""
    viewer = viewer_of(tools, request)
    first, _, rest = call.words.partition(" ")
    if first.lower() == STALE:
        return await stale(tools, viewer, rest)
    if first.lower() == MEASURED:
        return await measured_list(tools, viewer, rest)
    return await listed(tools, viewer, call.words)


async def listed(tools: Tools, viewer: Viewer, words: str, after: str | None = None) -> Reply:
    """A page; `after` is the place that the page before ends with."""
    asked = wanted(words, user=viewer.user, now=tools.clock.now())
    try:
        page = await tools.log.page(viewer, asked.filters, after or asked.after, tools.page_rows)
    except ValueError as error:
        raise ImpossibleValue(f"after:{after or asked.after}", reason=str(error)) from None
    words = without_place(words)
    titled = words if len(words) <= LONGEST_SHOWN else "these filters"
    card = decided_card(page, titled) if asked.filters.decided else log_card(page, titled)
    if tools.surface == "terminal" and page.next:
        card = replace(card, more=f"Older ones: vram {' '.join(filter(None, ('log', words, f'after:{page.next}')))}")
    elif page.next and not _fit_a_button(page.next, words):
        where = "in place of the one before" if asked.after else "behind them"
        why = "There are older ones, and these filters are too long for a button"
        card = replace(card, more=f"{why}: ask the same with after:{page.next} {where}.")
    reply = Reply("list", "asker", tools.renderer.parts(card), page_actions(page, words), rows=rows_of(page))
    return with_link(tools, reply, viewer, words)


def _fit_a_button(cursor: str, words: str) -> bool:
    try:
        _SIZES.sign(Action("next", "", argument=f"{cursor} {words}"), "")
    except TokenTooLong:
        return False
    return True


def rows_of(page: Page) -> tuple[Mapping[str, object], ...]:
    return tuple(row_json(row) for row in page.rows)


def without_place(words: str) -> str:
    """The words without the place that they went on from."""
    return " ".join(word for word in words.split() if not word.lower().startswith(("after:", "after=")))
