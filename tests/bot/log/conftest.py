"""Real databases: for each test a SQLite file in its folder or a fresh database on a real PostgreSQL server.

The server is that of VRAM_TEST_POSTGRES_URL. Without one the tests are skipped with a reason; with CI set they fail.
"""

import asyncio
import os
import secrets
from contextlib import suppress
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import pytest

from bot.log.database import make_engine
from bot.log.query_log import QueryLog
from bot.log.revision import bring_to_head

SERVER = os.environ.get("VRAM_TEST_POSTGRES_URL", "postgresql://root@127.0.0.1:5432/test")


async def _on_server(statement):
    connection = await asyncpg.connect(SERVER, timeout=5)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


async def _migrate(address):
    engine = make_engine(address, 5.0)
    try:
        await bring_to_head(engine)
    finally:
        await engine.dispose()


def address_of(database):
    return urlunsplit(urlsplit(SERVER)._replace(path=f"/{database}"))


class Databases:
    """Databases on the server; each is gone at the end of its test."""

    def __init__(self):
        self._made = []

    def make(self, template="template0"):
        name = f"vram_test_{os.getpid()}_{secrets.token_hex(4)}"
        asyncio.run(_on_server(f'CREATE DATABASE "{name}" TEMPLATE "{template}"'))
        self._made.append(name)
        return name

    def drop_all(self):
        for name in self._made:
            with suppress(asyncpg.PostgresError, OSError):
                asyncio.run(_on_server(f'DROP DATABASE "{name}" WITH (FORCE)'))


@pytest.fixture(scope="session")
def server():
    try:
        asyncio.run(_on_server("SELECT 1"))
    except (OSError, TimeoutError, asyncpg.PostgresError) as error:
        reason = f"no PostgreSQL server answers at VRAM_TEST_POSTGRES_URL ({type(error).__name__})"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)


@pytest.fixture(scope="session")
def migrated_database(server):
    databases = Databases()
    name = databases.make()
    asyncio.run(_migrate(address_of(name)))
    yield name
    databases.drop_all()


@pytest.fixture
def postgres(server, migrated_database):
    """Address of a fresh database with all tables."""
    databases = Databases()
    yield address_of(databases.make(migrated_database))
    databases.drop_all()


@pytest.fixture
def empty_postgres(server):
    databases = Databases()
    yield address_of(databases.make())
    databases.drop_all()


@pytest.fixture
def sqlite(tmp_path):
    return f"sqlite:///{tmp_path / 'data' / 'log.db'}"


@pytest.fixture(params=["sqlite", "postgres"])
def address(request):
    """Address of a fresh database of either kind."""
    return request.getfixturevalue(request.param)


@pytest.fixture(params=["sqlite", "empty_postgres"])
def empty_address(request):
    """Address of a database without tables, of either kind."""
    return request.getfixturevalue(request.param)


@pytest.fixture
def spool_path(tmp_path):
    return tmp_path / "spool.jsonl"


@pytest.fixture
async def log(address, spool_path):
    async with await QueryLog.open(address, spool_path) as opened:
        yield opened
