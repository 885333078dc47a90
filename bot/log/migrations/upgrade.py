"""Runs alembic over a connection that is already open: the URL comes from the caller, never from a file."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection


def config_for(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def upgrade(connection: Connection, revision: str = "head") -> None:
    _leave_commit_to_caller(connection)
    command.upgrade(config_for(connection), revision)


def downgrade(connection: Connection, revision: str) -> None:
    _leave_commit_to_caller(connection)
    command.downgrade(config_for(connection), revision)


def _leave_commit_to_caller(connection: Connection) -> None:
    """Alembic commits by itself unless SQLAlchemy says that a transaction was begun before it came."""
    if not connection.in_transaction():
        connection.begin()
