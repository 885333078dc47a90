"""The database in every kind of trouble: the question is kept, the reason is plain, and no secret stands in it."""

import asyncio
import contextlib
import sqlite3
import sys
import time
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import pytest

from bot.log import LogAway, NotLogged, WrongDatabase
from bot.log.database import driver_url
from bot.log.query_log import QueryLog
from tests.bot.log.conftest import SERVER
from tests.bot.log.making import SARA, a_query


async def refused(address, spool_path, patience_seconds=0.5):
    async with await QueryLog.open(address, spool_path, patience_seconds=patience_seconds) as log:
        with pytest.raises(NotLogged) as caught:
            await log.append(a_query())
        assert not caught.value.lost
        assert log.waiting() == 1
        assert "hunter2" not in caught.value.reason
        assert "127.0.0.1" not in caught.value.reason
        return caught.value.reason


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("postgresql://vram:hunter2@127.0.0.1:1/log", "the database cannot be reached"),
        ("postgresql://vram:hunter2@no-such-host.invalid/log", "the database cannot be reached"),
    ],
)
async def test_no_database(address, reason, spool_path):
    assert (await refused(address, spool_path)).startswith(reason)


MEANT = "sqlite:///file or postgresql://user@host/database is meant"


async def never(address, spool_path):
    """Why a setting can never work: what is asked under it is not kept, so that no other database gets it later."""
    async with await QueryLog.open(address, spool_path, patience_seconds=0.5) as log:
        for _ in range(2):  # the second one does not ask again
            with pytest.raises(NotLogged) as caught:
                await log.append(a_query())
            assert caught.value.lost
        assert log.waiting() == 0
        with pytest.raises(WrongDatabase) as read:
            await log.page(SARA)
        assert caught.value.reason == f"{read.value.reason}; this question is not kept"
        assert "hunter2" not in caught.value.reason
        assert "127.0.0.1" not in caught.value.reason
        return read.value.reason.removeprefix("VRAM_DATABASE_URL cannot be used: ")


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("postgresql://vram:hunter2@127.0.0.1:port/log", f"it cannot be read; {MEANT}"),
        ("hunter2", f"it cannot be read; {MEANT}"),
        ("", f"it cannot be read; {MEANT}"),
        ("mysql://vram:hunter2@127.0.0.1/log", f"it begins with mysql://; {MEANT}"),
        ("postgresql://vram:hunter2@127.0.0.1:99999/log", "it names port 99999; a port is a number from 1 to 65535"),
        ("sqlite://", "it names no file, and a database in memory would forget every question"),
        ("sqlite:///:memory:", "it names no file, and a database in memory would forget every question"),
        ("sqlite:////tmp", "it names a folder, and a file is meant"),
        ("sqlite:////tmp/log.db?timeout=hunter2", "timeout= stands behind its ?, and is not understood there"),
        ("sqlite:////tmp/log.db?mode=ro", "mode= stands behind its ?, and is not understood there"),
        ("sqlite:///file:/tmp/log.db?uri=true&foo=1", "foo= stands behind its ?, and is not understood there"),
        ("postgresql://u:hunter2@127.0.0.1/log?foo=1", "foo= stands behind its ?, and is not understood there"),
        ("postgresql://u:hunter2@127.0.0.1/log?sslmode=on", "ssl= stands behind its ?, and is not understood there"),
    ],
)
async def test_a_setting_that_can_never_work(address, why, spool_path):
    assert (await never(address, spool_path)).startswith(why)


async def test_a_driver_that_is_not_installed(monkeypatch, spool_path):
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    why = await never("postgresql://vram:hunter2@127.0.0.1/log", spool_path)
    assert why == "asyncpg, which speaks with that server, is not installed"


async def test_reading_says_so_too(spool_path):
    async with await QueryLog.open("postgresql://vram:hunter2@127.0.0.1:1/log", spool_path) as log:
        with pytest.raises(LogAway, match=r"^the database cannot be reached$"):
            await log.page(SARA)
        with pytest.raises(LogAway):
            await log.show(SARA, 1)


async def test_an_unknown_database_on_a_server(server, spool_path):
    address = urlunsplit(urlsplit(SERVER)._replace(path="/no_such_database"))
    assert await never(address, spool_path) == "there is no database of that name on the server"


async def test_an_unknown_user_on_a_server(server, spool_path):
    parts = urlsplit(SERVER)
    address = urlunsplit(parts._replace(netloc=f"no_such_user:hunter2@{parts.hostname}:{parts.port or 5432}"))
    assert await never(address, spool_path) == "the database refused the user or the password"


async def test_a_refusal_after_the_server_once_let_us_in_will_pass(postgres, spool_path):
    """The setting was right, so the questions wait: here the database is renamed, and has its name back later."""
    name = urlsplit(postgres).path[1:]
    async with await QueryLog.open(postgres, spool_path, patience_seconds=1.0) as log:
        assert await log.append(a_query()) == 1
        await renamed(name, f"{name}_away")
        with pytest.raises(NotLogged) as caught:
            await log.append(a_query())
        assert (caught.value.reason, caught.value.lost) == ("there is no database of that name on the server", False)
        await renamed(f"{name}_away", name)
        await asyncio.sleep(1.1)
        assert await log.replay() == 1
        assert await log.count(SARA) == 2


async def renamed(old, new):
    connection = await asyncpg.connect(SERVER)
    await connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", old)
    await connection.execute(f'ALTER DATABASE "{old}" RENAME TO "{new}"')
    await connection.close()


async def test_a_read_only_sqlite_file(sqlite, spool_path):
    path = sqlite.removeprefix("sqlite:///")
    async with await QueryLog.open(sqlite, spool_path) as log:
        await log.append(a_query())
    read_only = f"sqlite:///file:{path}?mode=ro&uri=true"
    assert await refused(read_only, spool_path) == "the database is read-only"
    async with await QueryLog.open(read_only, spool_path) as log:
        assert [row.number for row in (await log.page(SARA)).rows] == [1]
    async with await QueryLog.open(sqlite, spool_path) as log:
        assert await log.append(a_query()) == 3


async def test_a_read_only_postgres_database(postgres, spool_path):
    connection = await asyncpg.connect(postgres)
    name = urlsplit(postgres).path[1:]
    await connection.execute(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
    await connection.close()
    assert await refused(postgres, spool_path) == "the database is read-only"


async def test_a_file_that_is_no_database(tmp_path, spool_path):
    (tmp_path / "log.db").write_bytes(b"no database at all, but a text of some length" * 100)
    assert await refused(f"sqlite:///{tmp_path / 'log.db'}", spool_path) == "the database file is damaged"


FOREIGN = "the tables of the database are not ours: it is another program's, or of a newer release"


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE queries (id INTEGER)",
        "CREATE TABLE alembic_version (version_num TEXT); INSERT INTO alembic_version VALUES ('8f3a11c0d2e4')",
        "CREATE TABLE alembic_version (version_num TEXT); INSERT INTO alembic_version VALUES ('9999')",
        "CREATE TABLE alembic_version (other TEXT)",
    ],
)
async def test_a_database_with_the_tables_of_another_program(tmp_path, spool_path, statement):
    with contextlib.closing(sqlite3.connect(tmp_path / "log.db")) as other:
        other.executescript(statement)
    assert await refused(f"sqlite:///{tmp_path / 'log.db'}", spool_path) == FOREIGN


async def test_a_server_with_the_tables_of_another_program(empty_postgres, spool_path):
    connection = await asyncpg.connect(empty_postgres)
    await connection.execute("CREATE TABLE queries (id int)")
    await connection.close()
    assert await refused(empty_postgres, spool_path) == FOREIGN


async def test_a_sqlite_file_is_its_owners_alone(tmp_path, spool_path):
    async with await QueryLog.open(f"sqlite:///{tmp_path / 'data' / 'log.db'}", spool_path) as log:
        await log.append(a_query())
        files = list((tmp_path / "data").iterdir())
        assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
        assert {file.name for file in files} == {"log.db", "log.db-wal", "log.db-shm"}


async def test_a_file_where_the_folder_should_be(tmp_path, spool_path):
    (tmp_path / "data").write_text("")
    assert (
        await refused(f"sqlite:///{tmp_path / 'data' / 'log.db'}", spool_path)
        == "the folder of the log cannot be written"
    )


async def test_a_sqlite_file_that_another_program_holds(sqlite, spool_path):
    async with await QueryLog.open(sqlite, spool_path) as log:
        await log.append(a_query())
    with contextlib.closing(sqlite3.connect(sqlite.removeprefix("sqlite:///"), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert await refused(sqlite, spool_path, 0.2) == "the database is held by another program"


class Line:
    """A TCP line to the database that the test cuts, mends and freezes."""

    def __init__(self, host, port):
        self._target = (host, port)
        self._writers = set()
        self._flowing = asyncio.Event()
        self.port = 0
        self._server = None

    async def mend(self):
        self.thaw()
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    def freeze(self):
        self._flowing.clear()

    def thaw(self):
        self._flowing.set()

    async def cut(self):
        self._server.close()
        for writer in tuple(self._writers):
            writer.transport.abort()
        await self._server.wait_closed()

    async def _carry(self, reader, writer):
        far_reader, far_writer = await asyncio.open_connection(*self._target)
        self._writers |= {writer, far_writer}
        await asyncio.gather(self._pump(reader, far_writer), self._pump(far_reader, writer))
        self._writers -= {writer, far_writer}

    async def _pump(self, reader, writer):
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                await self._flowing.wait()
                writer.write(data)
                await writer.drain()
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


@pytest.fixture
async def line(postgres):
    parts = urlsplit(postgres)
    line = Line(parts.hostname, parts.port or 5432)
    await line.mend()
    user = f"{parts.username}@" if parts.username else ""
    line.address = urlunsplit(parts._replace(netloc=f"{user}127.0.0.1:{line.port}"))
    yield line
    await line.cut()


async def test_a_line_cut_and_mended_under_load_loses_and_doubles_nothing(line, postgres, spool_path):
    """200 questions a second, the line twice cut for a while: then each question once, in order in its channel."""
    channels = ("c1", "c2", "c3")
    entries = [a_query(text=f"{turn}b", channel=channels[turn % 3]) for turn in range(600)]
    async with await QueryLog.open(line.address, spool_path, patience_seconds=1.0) as log:
        asked = []
        for turn, entry in enumerate(entries):
            asked.append(asyncio.create_task(log.append(entry)))
            await asyncio.sleep(0.005)
            if turn in (100, 350):
                await line.cut()
            if turn in (150, 400):
                await line.mend()
        results = await asyncio.gather(*asked, return_exceptions=True)
        assert {type(result) for result in results} == {int, NotLogged}
        await asyncio.sleep(1.0)
        await log.replay()
        rows = [row async for row in log.export(SARA)]
    assert sorted(row.text for row in rows) == sorted(entry.text for entry in entries)
    for channel in channels:
        in_order = sorted((row for row in rows if row.channel == channel), key=lambda row: row.number)
        assert [row.text for row in in_order] == [entry.text for entry in entries if entry.channel == channel]


async def test_a_connection_that_went_stale_costs_nothing(line, spool_path):
    async with await QueryLog.open(line.address, spool_path) as log:
        assert await log.append(a_query()) == 1
        await line.cut()
        await line.mend()
        assert await log.append(a_query()) == 2


async def test_a_frozen_server_holds_nobody_up_for_long(line, spool_path):
    async with await QueryLog.open(line.address, spool_path, patience_seconds=0.3) as log:
        await log.append(a_query())
        line.freeze()
        began = time.monotonic()
        results = await asyncio.gather(*[log.append(a_query()) for _ in range(50)], return_exceptions=True)
        waited_seconds = time.monotonic() - began
        assert [type(result) for result in results] == [NotLogged] * 50
        assert {result.reason for result in results} <= {
            "the database did not answer in time",
            "the database cannot be reached",
        }
        assert waited_seconds < 6
        line.thaw()
        await asyncio.sleep(1.1)
        assert await log.replay() == 50
        assert await log.count(SARA) == 51


def test_sslmode_of_hosting_services_is_understood():
    url = driver_url("postgres://u:p@h/db?sslmode=require")
    assert (url.drivername, dict(url.query)) == ("postgresql+asyncpg", {"ssl": "require"})
