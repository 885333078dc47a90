"""Storing one question: its number in the team, the row and its words, exactly once.

The number comes from a counter row of the team, raised in the same transaction: two writers never get the same, and a
number is never given again after a row is deleted. The event key is unique: a second delivery finds the first row. On
PostgreSQL everything is one statement, so that the counter's lock lives for one round trip; SQLite has no writing
subqueries, but its statements do not travel.
"""

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import BindParameter, Select, Text, bindparam, func, select
from sqlalchemy.dialects import sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.log.columns import PlainText, plain
from bot.log.database import SQLITE, transaction
from bot.log.entry import NewQuery
from bot.log.prepared import Prepared, driver_of
from bot.log.rows import row_values
from bot.log.tables import queries, query_words, teams
from bot.log.words import row_words

GIVEN = tuple(column.name for column in queries.columns if column.name != "number")


async def store(connection: AsyncConnection, entry: NewQuery) -> int:
    """Stores one question, durably, and returns its number in the team."""
    if connection.dialect.name == SQLITE:
        async with transaction(connection):
            return await insert(connection, entry)
    return await insert(connection, entry)


async def store_all(connection: AsyncConnection, entries: Sequence[NewQuery]) -> list[int]:
    """Stores questions in their order, all or none of them, and returns their numbers: the disk is waited for once."""
    if len(entries) == 1:
        return [await store(connection, entries[0])]
    async with transaction(connection):
        return [await insert(connection, entry) for entry in entries]


async def insert(connection: AsyncConnection, entry: NewQuery) -> int:
    """The number of the question: a new one or, where its event key is known, the old one."""
    values = row_values(entry)
    words = row_words(plain(entry.text), entry.model, plain(entry.user_name))
    insert_new = _insert_sqlite if connection.dialect.name == SQLITE else _insert_postgres
    number = await insert_new(connection, values, words)
    if number is None:
        number = await connection.scalar(_number_of_key(), {"key": values["event_key"]})
    return int(number)


async def _insert_sqlite(connection: AsyncConnection, values: dict[str, Any], words: list[str]) -> int | None:
    driver = await driver_of(connection)
    for row in await _row_sqlite().run(driver, values):
        listed = values | {"number": row[0], "words": json.dumps(words)}
        await _counter_sqlite().run(driver, listed)
        await _words_sqlite().run(driver, listed)
        return int(row[0])
    return None


async def _insert_postgres(connection: AsyncConnection, values: dict[str, Any], words: list[str]) -> int | None:
    number: int | None = await connection.scalar(_all_postgres(), {**values, "words": words})
    return number


@cache
def _number_of_key() -> Select[Any]:
    return select(queries.c.number).where(queries.c.event_key == bindparam("key"))


@cache
def _row_sqlite() -> Prepared:
    last = select(teams.c.last_number).where(teams.c.team == _given("team")).scalar_subquery()
    row = {name: _given(name) for name in GIVEN} | {"number": func.coalesce(last, 0) + 1}
    new = sqlite.insert(queries).values(row).on_conflict_do_nothing(index_elements=["event_key"])
    return Prepared(new.returning(queries.c.number))


@cache
def _counter_sqlite() -> Prepared:
    first = sqlite.insert(teams).values(team=_given("team"), last_number=_given("number"))
    return Prepared(first.on_conflict_do_update(index_elements=["team"], set_={"last_number": _given("number")}))


@cache
def _words_sqlite() -> Prepared:
    each = func.json_each(bindparam("words", type_=Text)).table_valued("value")
    columns = [name for name in query_words.columns.keys() if name != "word"]  # noqa: SIM118 - not a mapping
    rows = select(*[_given(name) for name in columns], each.c.value)
    return Prepared(query_words.insert().from_select([*columns, "word"], rows))


@cache
def _all_postgres() -> Select[Any]:
    """Raises the counter, inserts the row unless its key is there, lists the words of a new row."""
    from sqlalchemy.dialects import postgresql  # noqa: PLC0415 - its drivers are slow to load, SQLite needs none

    first = postgresql.insert(teams).values(team=_given("team"), last_number=1)
    raised = {"last_number": teams.c.last_number + 1}
    counter = first.on_conflict_do_update(index_elements=["team"], set_=raised).returning(teams.c.last_number)
    numbered = counter.cte("numbered")
    row = select(numbered.c.last_number, *[_given(name) for name in GIVEN])
    inserted = postgresql.insert(queries).from_select(["number", *GIVEN], row)
    new = inserted.on_conflict_do_nothing(index_elements=["event_key"]).returning(queries.c.number).cte("new")
    columns = ["team", "scope", "asked_at"]
    each = func.unnest(bindparam("words", type_=postgresql.ARRAY(PlainText)))
    rows = select(new.c.number, *[_given(name) for name in columns], each)
    listed = query_words.insert().from_select(["number", *columns, "word"], rows).cte("listed")
    return select(new.c.number).add_cte(listed)


def _given(name: str) -> BindParameter[Any]:
    return bindparam(name, type_=queries.c[name].type)
