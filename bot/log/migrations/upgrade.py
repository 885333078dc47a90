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
    command.upgrade(config_for(connection), revision)


def downgrade(connection: Connection, revision: str) -> None:
    command.downgrade(config_for(connection), revision)
