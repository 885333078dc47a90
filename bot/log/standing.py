"""The partial indexes of the log: one standing decision a question, one latest measured run a query.

Apart from the tables, for migrations only: naming an option of PostgreSQL makes SQLAlchemy load that dialect with its
drivers, which no question on SQLite needs.
"""

from sqlalchemy import Index, Table, text

from bot.log.tables import decisions, measured_runs, metadata

__all__ = ["metadata"]


def _one_without_end(name: str, table: Table, *columns: str) -> None:
    standing = text("until IS NULL")
    Index(name, *[table.c[column] for column in columns], unique=True, sqlite_where=standing, postgresql_where=standing)


_one_without_end("uq_decisions_standing_question", decisions, "team", "scope", "question_key")
_one_without_end("uq_decisions_standing_newest", decisions, "team", "scope", "asked_at", "number")
_one_without_end("uq_measured_runs_latest_newest", measured_runs, "team", "scope", "asked_at", "number")
