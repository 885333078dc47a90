"""The bot's own page in a chat: the latest decisions, and how to ask."""

from typing import Final

from bot.cards import FailedCard
from bot.help_card import help_card
from bot.listings import decided_card
from bot.log.entry import Filters, LogAway, Viewer
from bot.ports import Log
from bot.rendering import Renderer
from bot.reply import Action, Reply

MOST_DECISIONS: Final = 5


async def home(log: Log, renderer: Renderer, viewer: Viewer) -> Reply:
    """The page of one person."""
    shows: tuple[Action, ...] = ()
    try:
        page = await log.page(viewer, Filters(decided=True), None, MOST_DECISIONS)
    except LogAway as away:
        decisions = renderer.parts(FailedCard(f"The log cannot be read: {away.reason}"))
    else:
        decisions = renderer.parts(decided_card(page))
        shows = tuple(Action("show", f"Show #{row.number}", row.public_id, part="rows") for row in page.rows)
    asking = {f"help-{name}": text for name, text in renderer.parts(help_card("chat")).items()}
    return Reply("list", "asker", decisions | asking, shows)
