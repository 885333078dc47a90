"""Statements compiled once for SQLite and run by its driver directly.

Decision: through SQLAlchemy's connection each statement on aiosqlite takes three to four hops to the driver's thread
(cursor, execute, fetch, close), which holds the log to about 300 questions a second; the driver's own call takes one.
The statements stay SQLAlchemy's, with its column types. Only the writing of questions goes this way.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

import aiosqlite
from sqlalchemy.dialects import sqlite
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.expression import ClauseElement

DIALECT = sqlite.dialect(paramstyle="named")


class Prepared:
    """One statement with named values."""

    def __init__(self, statement: ClauseElement) -> None:
        compiled = cast("SQLCompiler", statement.compile(dialect=DIALECT))
        self._sql = compiled.string
        self._fixed = {name: bind.value for name, bind in compiled.binds.items() if not bind.required}
        self._converted: dict[str, Callable[[Any], Any] | None] = {
            name: bind.type.dialect_impl(DIALECT).bind_processor(DIALECT) for name, bind in compiled.binds.items()
        }

    async def run(self, driver: aiosqlite.Connection, values: Mapping[str, Any]) -> Iterable[Any]:
        """The rows that the statement returns."""
        given = {
            name: convert(value) if convert else value
            for name, convert in self._converted.items()
            for value in (values[name] if name in values else self._fixed[name],)
        }
        return await driver.execute_fetchall(self._sql, given)


async def driver_of(connection: AsyncConnection) -> aiosqlite.Connection:
    return cast("aiosqlite.Connection", (await connection.get_raw_connection()).driver_connection)
