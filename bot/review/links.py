"""Links to web pages in chat replies: "Open in browser"."""

from dataclasses import replace
from typing import Final

from bot.log.entry import NewQuery, Viewer
from bot.ports import Links
from bot.reply import Action, Reply
from bot.tools import Tools

LABEL: Final = "Open in browser"


def with_link(tools: Tools, reply: Reply, viewer: Viewer, words: str = "") -> Reply:
    """A list with a link to the same list as a page, where there are pages."""
    if tools.links is None:
        return reply
    return _linked(reply, tools.links.to_list(_reader(viewer), words))


def with_query_link(links: Links | None, reply: Reply, viewer: Viewer, row: NewQuery) -> Reply:
    """A query's reply with a link to its page.

    Where a whole channel reads the reply, the link opens this query alone. Rows of a private channel are seen in the
    channel and nowhere else: they have no page.
    """
    if links is None or row.visibility == "private-channel":
        return reply
    if reply.audience == "channel":
        return _linked(
            reply, links.to_query_alone(replace(_reader(viewer), user="", shown_to_channel=True), row.public_id)
        )
    return _linked(reply, links.to_query(_reader(viewer), row.public_id))


def _reader(viewer: Viewer) -> Viewer:
    """Who reads in a browser: in no channel, and with nobody's rights but their own."""
    return Viewer(team=viewer.team, user=viewer.user)


def _linked(reply: Reply, address: str) -> Reply:
    return replace(reply, actions=(*reply.actions, Action("open", LABEL, argument=address)))
