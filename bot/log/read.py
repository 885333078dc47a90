"""Reading: a page newest first, one row, how many. Every statement carries the wall.

A page is read in two steps, its places (places.py) and then its rows by number: so no planner can choose to build the
rows of the whole log first.
"""

from datetime import UTC, datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.log.entry import Filters, Page, StoredQuery, Viewer
from bot.log.places import Place, find_places, visible_rows
from bot.log.rows import stored, whole_rows
from bot.log.tables import queries
from bot.log.wall import wall

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
LARGEST_NUMBER = 2**63 - 1
NEWER = "<"
"""Begins the cursor of a page before."""


async def read_page(
    connection: AsyncConnection,
    viewer: Viewer,
    filters: Filters,
    place: Place | None,
    limit: int,
    *,
    newer: bool = False,
) -> Page:
    """At most `limit` rows after the place, newest first; with `newer` the nearest ones before it."""
    places = await find_places(connection, viewer, filters, place, limit + 1, newer=newer)
    shown = places[:limit]
    if newer:
        shown.reverse()
    numbers = [number for _, number in shown]
    found = await connection.execute(whole_rows().where(wall(viewer), queries.c.number.in_(numbers)))
    rows = {row["number"]: stored(row) for row in found.mappings()}
    ordered = tuple(rows[number] for number in numbers if number in rows)  # a row may have been deleted in between
    more = len(places) > limit
    older = shown and (more or newer)
    before = shown and (more if newer else place is not None)
    return Page(ordered, cursor_of(shown[-1]) if older else None, NEWER + cursor_of(shown[0]) if before else None)


async def read_one(connection: AsyncConnection, viewer: Viewer, number: int | str) -> StoredQuery | None:
    """The row by its number or public id; None where there is none for this reader."""
    if isinstance(number, int):
        if not 0 < number <= LARGEST_NUMBER:
            return None
        which = queries.c.number == number
    else:
        which = queries.c.public_id == number
    row = (await connection.execute(whole_rows().where(wall(viewer), which))).mappings().first()
    return None if row is None else stored(row)


async def count_rows(connection: AsyncConnection, viewer: Viewer, filters: Filters) -> int:
    """How many rows a list would hold; for the progress of an export."""
    rows = visible_rows(viewer, filters).subquery()
    return (await connection.execute(select(func.count()).select_from(rows))).scalar_one()


def cursor_of(place: Place) -> str:
    """A place in the list as a short word: microseconds since 1970 and the number."""
    moment, number = place
    return f"{(moment - EPOCH) // MICROSECOND}-{number}"


def place_of(cursor: str) -> Place:
    """The place of a word of `cursor_of`. Raises ValueError where it is none."""
    moment, _, number = cursor.rpartition("-")
    try:
        place = EPOCH + int(moment) * MICROSECOND, int(number)
    except (ValueError, OverflowError):
        raise ValueError("this is no place in the list; start again from its beginning") from None
    if not 0 < place[1] <= LARGEST_NUMBER:
        raise ValueError("this is no place in the list; start again from its beginning")
    return place
