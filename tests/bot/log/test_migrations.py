"""Migrations on both databases: each revision up, down, up; the tables of the code equal the head."""

import asyncio
import subprocess
import sys

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text

from bot.log.database import make_engine, transaction
from bot.log.migrations.upgrade import config_for, downgrade, upgrade
from bot.log.query_log import QueryLog
from bot.log.revision import HEAD, bring_to_head, current_revision
from bot.log.standing import metadata
from tests.bot.log.making import SARA, a_query

REVISIONS = [script.revision for script in ScriptDirectory.from_config(config_for(None)).walk_revisions()][::-1]


@pytest.fixture
async def engine(empty_address, tmp_path):
    (tmp_path / "data").mkdir()
    engine = make_engine(empty_address, 5.0)
    yield engine
    await engine.dispose()


async def migrate(engine, step, revision):
    async with engine.connect() as connection, transaction(connection):
        await connection.run_sync(step, revision)


async def tables(engine):
    async with engine.connect() as connection:
        found = await connection.run_sync(
            lambda sync: {t: schema_of(inspect(sync), t) for t in inspect(sync).get_table_names()}
        )
    found.pop("alembic_version")
    return found


def schema_of(inspector, table):
    columns = [(column["name"], str(column["type"]), column["nullable"]) for column in inspector.get_columns(table)]
    return columns, sorted(index["name"] for index in inspector.get_indexes(table))


async def test_each_revision_goes_up_down_and_up_again(engine):
    before = {}
    for number, revision in enumerate(REVISIONS):
        await migrate(engine, upgrade, revision)
        after = await tables(engine)
        assert after != before
        await migrate(engine, downgrade, REVISIONS[number - 1] if number else "base")
        assert await tables(engine) == before
        await migrate(engine, upgrade, revision)
        assert await tables(engine) == after
        before = after


async def test_the_tables_of_the_code_equal_the_head(engine):
    await bring_to_head(engine)

    def differences(sync):
        return compare_metadata(MigrationContext.configure(sync, opts={"compare_type": True}), metadata)

    async with engine.connect() as connection:
        assert await connection.run_sync(differences) == []
        assert await current_revision(connection) == HEAD


def test_the_head_in_the_code_is_the_last_revision():
    assert sorted(REVISIONS) == REVISIONS
    assert REVISIONS[-1] == HEAD


async def test_a_database_of_an_older_release_is_migrated_with_its_rows(engine, empty_address, spool_path):
    await migrate(engine, upgrade, "0001")
    async with await QueryLog.open(empty_address, spool_path) as log:
        assert await log.append(a_query()) == 1
        assert (await log.show(SARA, 1)).decision is None


async def test_a_database_of_a_newer_release_is_left_alone(engine, empty_address, spool_path):
    await bring_to_head(engine)
    async with engine.connect() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    async with await QueryLog.open(empty_address, spool_path) as log:
        assert await log.append(a_query()) == 1
    async with engine.connect() as connection:
        assert await current_revision(connection) == "9999"


async def test_many_come_first_at_once(empty_address, spool_path):
    logs = [await QueryLog.open(empty_address, spool_path) for _ in range(5)]
    numbers = await asyncio.gather(*[log.append(a_query()) for log in logs])
    for log in logs:
        await log.close()
    assert sorted(numbers) == [1, 2, 3, 4, 5]


LOADED = """
import asyncio, sys
from pathlib import Path
import bot.log
assert "sqlalchemy" not in sys.modules
from bot.log.query_log import QueryLog
from tests.bot.log.making import a_query

async def main():
    async with await QueryLog.open(sys.argv[1], Path(sys.argv[2])) as log:
        await log.append(a_query())

asyncio.run(main())
print("alembic" in sys.modules)
"""


def test_alembic_is_loaded_only_for_a_database_that_is_not_at_the_head(empty_address, spool_path):
    def loads_alembic():
        command = [sys.executable, "-W", "error", "-c", LOADED, empty_address, str(spool_path)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    assert (loads_alembic(), loads_alembic()) == ("True", "False")
