"""The wall: who may see which row.

Every row carries a scope, made once when it is stored: all of the team, one private channel, or one person. A reader
may see the scopes of `visible_scopes` in their own team and nothing else; `wall` is the one place that makes this a
condition, and every read goes through it. Rows outside read exactly like rows that do not exist.
"""

from sqlalchemy import ColumnElement, and_

from bot.log.entry import NewQuery, Viewer
from bot.log.tables import queries

PUBLIC = "public"


def scope_of(entry: NewQuery) -> str:
    """Who may see the row. A private channel without a name is nobody's but the asker's."""
    if entry.visibility == "public":
        return PUBLIC
    if entry.visibility == "private-channel" and entry.channel:
        return f"channel:{entry.channel}"
    return f"user:{entry.user}"


def visible_scopes(viewer: Viewer) -> tuple[str, ...]:
    """The scopes that the reader may see where they are now."""
    here = (f"channel:{viewer.channel}",) if viewer.channel else ()
    own = () if viewer.shown_to_channel else (f"user:{viewer.user}",)
    return (PUBLIC, *here, *own)


def wall(viewer: Viewer) -> ColumnElement[bool]:
    """The condition on `queries` that every read carries.

    The scope is compared as an expression, not as a bare column: the wall checks rows and never leads to them. SQLite
    would otherwise rather walk through all rows of the visible scopes than look up the twenty numbers of a page.
    """
    return and_(queries.c.team == viewer.team, (queries.c.scope + "").in_(visible_scopes(viewer)))
