"""Reading: pages newest first, and one row. Every statement carries the wall.

A page is made of one index range a scope the reader may see (all of the team, this channel, themselves), each read
newest first and no further than the page is long; the ranges are then merged. So page 10,000 costs what page 1 does,
and a thousand private rows of others cost nothing. The order is the time of asking, then the number.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, FromClause, Select, and_, exists, select, tuple_, union_all
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.log.entry import Filters, Page, StoredQuery, Viewer
from bot.log.rows import stored
from bot.log.tables import queries, query_words
from bot.log.wall import visible_scopes, wall
from bot.log.words import asker_word, searched

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LARGEST_NUMBER = 2**63 - 1
Place = tuple[datetime, int]


async def read_page(
    connection: AsyncConnection, viewer: Viewer, filters: Filters, place: Place | None, limit: int
) -> Page:
    """At most `limit` rows after the place."""
    ranges = [_range(viewer, scope, filters, place, limit + 1) for scope in visible_scopes(viewer)]
    found = union_all(*[select(part.subquery()) for part in ranges]).subquery("found")
    first = select(found).order_by(found.c.asked_at.desc(), found.c.number.desc()).limit(limit + 1).subquery("first")
    here = and_(queries.c.team == viewer.team, queries.c.number == first.c.number)
    rows = _rows().select_from(first).join(queries, here).where(wall(viewer))
    result = await connection.execute(rows.order_by(queries.c.asked_at.desc(), queries.c.number.desc()))
    whole = tuple(stored(row) for row in result.mappings())
    shown = whole[:limit]
    return Page(shown, cursor_of(shown[-1]) if len(whole) > limit else None)


async def read_one(connection: AsyncConnection, viewer: Viewer, number: int | str) -> StoredQuery | None:
    """The row by its number or public id; None where there is none for this reader."""
    if isinstance(number, int):
        if not 0 < number <= LARGEST_NUMBER:
            return None
        which = queries.c.number == number
    else:
        which = queries.c.public_id == number
    row = (await connection.execute(_rows().where(wall(viewer), which))).mappings().first()
    return None if row is None else stored(row)


def cursor_of(row: StoredQuery) -> str:
    """The place of a row in the order, as a short word: microseconds since 1970 and the number."""
    return f"{(row.asked_at - EPOCH) // timedelta(microseconds=1)}-{row.number}"


def place_of(cursor: str) -> Place:
    """Raises: ValueError where the cursor is none of ours."""
    moment, _, number = cursor.rpartition("-")
    try:
        place = EPOCH + timedelta(microseconds=int(moment)), int(number)
    except (ValueError, OverflowError):
        raise ValueError("this is no place in the list; start again from its beginning") from None
    if not 0 < place[1] <= LARGEST_NUMBER:
        raise ValueError("this is no place in the list; start again from its beginning")
    return place


def _rows() -> Select[Any]:
    return select(queries)


def _range(viewer: Viewer, scope: str, filters: Filters, place: Place | None, limit: int) -> Select[Any]:
    """The places of the rows of one scope, from the index that lists the rarest of what is asked for."""
    words = _all_words(filters)
    index: FromClause = query_words if words else queries
    found = select(index.c.asked_at, index.c.number).where(index.c.team == viewer.team, index.c.scope == scope)
    if words:
        found = found.where(index.c.word == words[0]).join(queries, _same_row(queries, index))
        found = found.where(*[_has_word(index, scope, word, viewer.team) for word in words[1:]])
    found = found.where(wall(viewer), *_conditions(filters), *_times(index, filters))
    if place is not None:
        found = found.where(tuple_(index.c.asked_at, index.c.number) < place)
    return found.order_by(index.c.asked_at.desc(), index.c.number.desc()).limit(limit)


def _all_words(filters: Filters) -> Sequence[str]:
    """Longest first, since it is likely the rarest."""
    words = {word for text in filters.words for word in searched(text)}
    if filters.user_name is not None:
        words.add(asker_word(filters.user_name))
    return sorted(words, key=lambda word: (-len(word), word))


def _same_row(one: FromClause, other: FromClause) -> ColumnElement[bool]:
    return and_(one.c.team == other.c.team, one.c.number == other.c.number)


def _has_word(index: FromClause, scope: str, word: str, team: str) -> ColumnElement[bool]:
    more = query_words.alias()
    return exists().where(
        more.c.team == team,
        more.c.scope == scope,
        more.c.word == word,
        more.c.asked_at == index.c.asked_at,
        more.c.number == index.c.number,
    )


def _conditions(filters: Filters) -> list[ColumnElement[bool]]:
    wanted = {name: getattr(filters, name) for name in ("model", "gpu", "user", "verdict", "workload", "kind")}
    return [queries.c[name] == value for name, value in wanted.items() if value is not None]


def _times(index: FromClause, filters: Filters) -> list[ColumnElement[bool]]:
    since = [] if filters.since is None else [index.c.asked_at >= filters.since]
    until = [] if filters.until is None else [index.c.asked_at < filters.until]
    return since + until
