"""Is the database as this program needs it? One SELECT; alembic is imported only when it is not.

Revisions are numbered 0001, 0002, …: a database of a newer release is left alone, since each revision keeps the release
before it working. Several processes may come first at once: the first takes the database's own lock, the others wait
for it and then find the work done.
"""

import re
from typing import Final

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.log.database import SQLITE, make_file, transaction
from bot.log.entry import LogAway
from bot.log.faults import ANOTHERS

HEAD: Final = "0004"
_OURS: Final = re.compile(r"\d{4}")

SQLITE_FILE_SETTINGS: Final = ("PRAGMA auto_vacuum=INCREMENTAL", "PRAGMA journal_mode=WAL")
"""They stay with the file; the first counts only before it has tables, and lets it shrink after `prune`."""

LOCK_KEY: Final = 0x7672616D  # "vram"; any number of our own


async def bring_to_head(engine: AsyncEngine) -> None:
    """Creates or migrates the tables where needed."""
    make_file(engine.url)
    async with engine.connect() as connection:
        revision = await current_revision(connection)
        if revision and not _OURS.fullmatch(revision):
            raise LogAway(ANOTHERS)
        if revision >= HEAD:
            return
    from bot.log.migrations.upgrade import upgrade  # noqa: PLC0415 - a quarter of a second, seldom needed

    async with engine.connect() as connection:
        if connection.dialect.name == SQLITE:
            for setting in SQLITE_FILE_SETTINGS:
                await connection.exec_driver_sql(setting)
        async with transaction(connection):
            if connection.dialect.name != SQLITE:
                await connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK_KEY})")
            if await _revision_in_transaction(connection) < HEAD:  # nobody did it while we waited
                await connection.run_sync(upgrade)


async def current_revision(connection: AsyncConnection) -> str:
    """The revision of the database; empty where it has no tables of ours."""
    try:
        return await connection.scalar(text("SELECT version_num FROM alembic_version")) or ""
    except DBAPIError as error:
        if _says_no_table(error):
            return ""
        raise


async def _revision_in_transaction(connection: AsyncConnection) -> str:
    """The same where a failed SELECT would end the transaction, as it does on PostgreSQL."""
    if connection.dialect.name != SQLITE:
        table = await connection.scalar(text("SELECT to_regclass('alembic_version')::text"))
        if table is None:
            return ""
    return await current_revision(connection)


def _says_no_table(error: DBAPIError) -> bool:
    return getattr(error.orig, "sqlstate", None) == "42P01" or "no such table" in str(error.orig)
