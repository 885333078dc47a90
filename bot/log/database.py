"""The engine: one of two databases behind one way of speaking to it.

Every connection commits each statement by itself; what belongs together stands in `transaction`. So a read never holds
a lock between statements, and PostgreSQL, where a question is one statement, is asked once a question.

SQLite runs in WAL mode, where readers and the one writer do not wait for each other, with `synchronous=FULL`: each
commit is on the disk before "Logged #17" is said (NORMAL would lose the last commits in a power cut). The price is
one fsync a question, far above the 800 questions a second that are asked for. Check: docs/benchmarks.md.
"""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.log.entry import WrongDatabase
from bot.log.prepared import driver_of

SQLITE = "sqlite"
POSTGRES = "postgresql"
DRIVERS = {SQLITE: "sqlite+aiosqlite", POSTGRES: "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
MEANT = "sqlite:///file or postgresql://user@host/database is meant"
NO_FILE = "it names no file, and a database in memory would forget every question"
NO_FOLDER = "it names a folder, and a file is meant"
LARGEST_PORT = 65535

SQLITE_OPTIONS = frozenset({"uri", "mode", "cache", "immutable", "nolock", "vfs"})
"""What may stand behind the name of a file that is written as a URI. Source: sqlite.org, uri.html."""

POSTGRES_OPTIONS = frozenset({"ssl", "host", "port", "passfile", "target_session_attrs"})
"""Of the words of libpq those that asyncpg takes as text."""

SSL_MODES = frozenset({"disable", "allow", "prefer", "require", "verify-ca", "verify-full"})
OWNER_ONLY = 0o600


def driver_url(address: str) -> URL:
    """The address with the driver that we use; WrongDatabase where it is no address of a database we know."""
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        raise WrongDatabase(f"it cannot be read; {MEANT}") from None
    kind = url.drivername.partition("+")[0]
    driver = DRIVERS.get(kind)
    if driver is None:
        raise WrongDatabase(f"it begins with {kind}://; {MEANT}")
    url = url.set(drivername=driver)
    _check_place(url)
    if "sslmode" in url.query:  # libpq's word, as hosting services hand it out
        url = url.difference_update_query(["sslmode"]).update_query_dict({"ssl": url.query["sslmode"]})
    _check_options(url)
    return url


def _check_place(url: URL) -> None:
    """Raises WrongDatabase where there can be no database, whatever happens there later."""
    if url.get_backend_name() == SQLITE:
        if url.database in {None, "", ":memory:"}:
            raise WrongDatabase(NO_FILE)
        if Path(str(url.database)).is_dir():
            raise WrongDatabase(NO_FOLDER)
    elif url.port is not None and not 0 < url.port <= LARGEST_PORT:
        raise WrongDatabase(f"it names port {url.port}; a port is a number from 1 to {LARGEST_PORT}")


def _check_options(url: URL) -> None:
    """Raises WrongDatabase where something behind the `?` would be ignored, or would fail with each question."""
    if url.get_backend_name() == POSTGRES:
        known = POSTGRES_OPTIONS
    else:
        known = SQLITE_OPTIONS if url.query.get("uri") == "true" else frozenset()
    for name, value in url.query.items():
        if name not in known or (name == "ssl" and value not in SSL_MODES):
            raise WrongDatabase(f"{name}= stands behind its ?, and is not understood there; leave that out")


def make_engine(address: str, patience_seconds: float) -> AsyncEngine:
    """An engine that has not connected yet. It waits at most `patience_seconds` for a connection or SQLite's lock.

    Raises:
        WrongDatabase: the address can never be used.
    """
    url = driver_url(address)
    shared: dict[str, Any] = {
        "isolation_level": "AUTOCOMMIT",
        "skip_autocommit_rollback": True,
        "pool_timeout": patience_seconds,
        "hide_parameters": True,  # what people ask stands in no error message
    }
    if url.get_backend_name() == SQLITE:
        engine = create_async_engine(url, connect_args={"timeout": patience_seconds}, **shared)
        event.listen(engine.sync_engine, "connect", _set_up_sqlite)
        return engine
    try:
        return create_async_engine(url, connect_args={"timeout": patience_seconds}, **shared)
    except ImportError as missing:
        raise WrongDatabase(f"{missing.name}, which speaks with that server, is not installed") from None


def make_file(url: URL) -> None:
    """A SQLite file and its folder, for their owner alone; SQLite makes the files beside it with the same rights."""
    if url.get_backend_name() == SQLITE and url.database and not url.database.startswith((":", "file:")):
        path = Path(url.database)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(OSError):  # SQLite says better what is wrong with it
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, OWNER_ONLY))


@asynccontextmanager
async def transaction(connection: AsyncConnection) -> AsyncIterator[None]:
    """All or nothing. SQLite takes its one write lock at once, so that no reader's lock has to be raised half way."""
    try:
        await _say(connection, "BEGIN IMMEDIATE" if connection.dialect.name == SQLITE else "BEGIN")
        yield
        await _say(connection, "COMMIT")
    except BaseException:
        await connection.invalidate()  # closing rolls back, also where the connection hangs
        raise


async def _say(connection: AsyncConnection, statement: str) -> None:
    if connection.dialect.name == SQLITE:
        await (await driver_of(connection)).execute_fetchall(statement)
    else:
        await connection.exec_driver_sql(statement)


def _set_up_sqlite(connection: DBAPIConnection, _record: object) -> None:
    cursor = connection.cursor()
    try:
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute("PRAGMA foreign_keys=ON")
    finally:
        cursor.close()
