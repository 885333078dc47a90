"""`forget N`: deletes one's own query, with its decisions and measured runs, in the spool too."""

from bot.commands import Called
from bot.reply import Reply, Request
from bot.review.pinning import asked_for, said
from bot.review.viewers import viewer_of
from bot.tools import Tools
from engine.errors import UnknownWord


async def forget(tools: Tools, call: Called, request: Request) -> Reply:
    """A query that is gone. Somebody else's only an administrator deletes."""
    if call.words:
        raise UnknownWord(call.words, allowed="the number alone, as in forget 17")
    viewer = viewer_of(tools, request)
    row = await asked_for(tools, viewer, call)
    await tools.log.forget(viewer, row.number)
    return said(tools, "Forgotten", f"#{row.number} is deleted, with its decisions and measured runs")
