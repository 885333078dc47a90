"""Finding the places of a page: which rows, newest first, without reading the rows themselves.

One index range is read a scope that the reader may see (all of the team, this channel, themselves), newest first and no
further than the page is long; the ranges are then merged. So page 10,000 costs what page 1 does, and the private rows
of others cost nothing. The range comes from the index of the rarest thing that is asked for; each of its rows is then
looked up for the rest, in subqueries that no planner turns around: without fresh statistics PostgreSQL would rather
join everything first. What stays slow is two common things that never meet ("llama" and "qwen" in one question): the
shorter list is walked to its end.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    FromClause,
    ScalarSelect,
    Select,
    and_,
    func,
    literal,
    select,
    true,
    tuple_,
    union_all,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.log.entry import Filters, Viewer
from bot.log.tables import decisions, measured_runs, queries, query_words
from bot.log.wall import visible_scopes, wall
from bot.log.words import asker_word, searched

Place = tuple[datetime, int]
INDEXED: Final = ("model", "gpu", "user")
FILTERED: Final = (*INDEXED, "verdict", "workload", "kind")

COUNTED: Final = 8000
"""How many rows of an index are counted to see which is the rarest; more of them are all "many". Measured on a million
rows (PostgreSQL 15, four terms of which the rarest has 5,000): 345 ms with 2,000, 36 ms with 8,000."""


@dataclass(frozen=True)
class Term:
    """One thing asked for that has an index: a condition on a table with team, scope, asked_at and number."""

    table: FromClause
    condition: Callable[[FromClause], ColumnElement[bool]]

    def holds_at(self, index: FromClause) -> ColumnElement[bool]:
        """That it holds for the row at a place of another index too."""
        here = self.table.alias()
        same = [here.c[name] == index.c[name] for name in ("team", "scope", "asked_at", "number")]
        found = select(literal(1)).where(*same, self.condition(here))
        return found.correlate(index).scalar_subquery().is_not(None)


NO_TERM: Final = Term(queries, lambda _: true())


async def find_places(
    connection: AsyncConnection,
    viewer: Viewer,
    filters: Filters,
    place: Place | None,
    limit: int,
    *,
    newer: bool = False,
) -> list[Place]:
    """At most `limit` places after `place`, newest first; with `newer` those before it, the nearest first."""
    terms = list(_terms(filters))
    rarest = await _rarest(connection, viewer, filters, terms)
    rest = [term.holds_at(rarest.table) for term in terms if term is not rarest and term.table is not queries]
    found = [_range(viewer, scope, filters, rarest, rest) for scope in visible_scopes(viewer)]
    parts = [_nearest(part, rarest.table, place, limit, newer=newer) for part in found]
    merged = union_all(*[select(part.subquery()) for part in parts]).subquery("merged")
    nearest = select(merged).order_by(*_order(merged, newer=newer)).limit(limit)
    return [(row.asked_at, row.number) for row in await connection.execute(nearest)]


def visible_rows(viewer: Viewer, filters: Filters) -> Select[Any]:
    """The numbers of all rows that the viewer may see and the filters let through, in no order."""
    terms = [term.holds_at(queries) for term in _terms(filters) if term.table is not queries]
    conditions = [*_columns(filters), *_times(queries, filters), *_absent(queries, filters)]
    return select(queries.c.number).where(wall(viewer), *terms, *conditions)


def _terms(filters: Filters) -> Iterator[Term]:
    words = {word for text in filters.words for word in searched(text)}
    if filters.user_name is not None:
        words.add(asker_word(filters.user_name))
    for word in sorted(words):
        yield Term(query_words, partial(_is, "word", word))
    for name in INDEXED:
        if (value := getattr(filters, name)) is not None:
            yield Term(queries, partial(_is, name, value))
    for table, wanted in ((decisions, filters.decided), (measured_runs, filters.measured)):
        if wanted:
            yield Term(table, _standing)


async def _rarest(connection: AsyncConnection, viewer: Viewer, filters: Filters, terms: list[Term]) -> Term:
    """The term with the fewest rows: counting is cheap, since it stops early."""
    if len(terms) < 2:
        return terms[0] if terms else NO_TERM
    counts = [_count(viewer, filters, term) for term in terms]
    counted = (await connection.execute(select(*counts))).one()
    return min(zip(counted, range(len(terms)), terms, strict=True))[2]


def _count(viewer: Viewer, filters: Filters, term: Term) -> ScalarSelect[int]:
    table = term.table.alias()
    within = [table.c.team == viewer.team, table.c.scope.in_(visible_scopes(viewer))]
    some = select(literal(1)).where(*within, term.condition(table), *_times(table, filters)).limit(COUNTED).subquery()
    return select(func.count()).select_from(some).scalar_subquery()


def _range(
    viewer: Viewer, scope: str, filters: Filters, term: Term, rest: Sequence[ColumnElement[bool]]
) -> Select[Any]:
    """The places of the rows of one scope that the term's index lists and the rest lets through."""
    index = term.table
    found = select(index.c.asked_at, index.c.number).where(index.c.team == viewer.team, index.c.scope == scope)
    found = found.where(term.condition(index), *_times(index, filters), *_absent(index, filters), *rest)
    columns = _columns(filters)
    if index is queries:
        return found.where(wall(viewer), *columns)
    if not columns:
        return found  # the scope is the wall; the rows are read through it once more
    same_row = and_(queries.c.team == index.c.team, queries.c.number == index.c.number)
    row = select(literal(1)).where(same_row, wall(viewer), *columns)
    return found.where(row.correlate(index).scalar_subquery().is_not(None))


def _nearest(found: Select[Any], index: FromClause, place: Place | None, limit: int, *, newer: bool) -> Select[Any]:
    if place is not None:
        here = tuple_(index.c.asked_at, index.c.number)
        found = found.where(here > place if newer else here < place)
    return found.order_by(*_order(index, newer=newer)).limit(limit)


def _order(index: FromClause, *, newer: bool) -> tuple[ColumnElement[Any], ...]:
    columns = (index.c.asked_at, index.c.number)
    return tuple(column.asc() if newer else column.desc() for column in columns)


def _absent(index: FromClause, filters: Filters) -> list[ColumnElement[bool]]:
    unwanted = ((decisions, filters.decided), (measured_runs, filters.measured))
    return [~Term(table, _standing).holds_at(index) for table, wanted in unwanted if wanted is False]


def _columns(filters: Filters) -> list[ColumnElement[bool]]:
    """Compared as expressions, so that no planner takes another index than that of the rarest term."""
    wanted = {name: getattr(filters, name) for name in FILTERED}
    return [queries.c[name] + "" == value for name, value in wanted.items() if value is not None]


def _times(index: FromClause, filters: Filters) -> list[ColumnElement[bool]]:
    since = [] if filters.since is None else [index.c.asked_at >= filters.since]
    until = [] if filters.until is None else [index.c.asked_at < filters.until]
    return since + until


def _is(name: str, value: str, table: FromClause) -> ColumnElement[bool]:
    return table.c[name] == value


def _standing(table: FromClause) -> ColumnElement[bool]:
    return table.c.until.is_(None)
