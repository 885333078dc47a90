"""The tables of the log.

`queries` has a column for everything that people filter by. The words of a query are listed apart (words.py), newest
first. `scope` says who may see a row (wall.py); it leads every index after the team, so that the wall is part of each
index range and never a filter over other people's rows. The partial indexes are in standing.py.
"""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    UniqueConstraint,
)

from bot.log.columns import Cents, PlainText, UtcTime

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

NEWEST_FIRST: Final = ("asked_at", "number")

teams = Table(
    "teams",
    metadata,
    Column("team", PlainText, nullable=False),
    Column("last_number", BigInteger, nullable=False),
    PrimaryKeyConstraint("team"),
)

queries = Table(
    "queries",
    metadata,
    Column("team", PlainText, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("public_id", PlainText, nullable=False),
    Column("event_key", PlainText, nullable=False),
    Column("asked_at", UtcTime, nullable=False),
    Column("platform", PlainText, nullable=False),
    Column("channel", PlainText),
    Column("user", PlainText, nullable=False),
    Column("user_name", PlainText, nullable=False),
    Column("visibility", PlainText, nullable=False),
    Column("scope", PlainText, nullable=False),
    Column("text", PlainText, nullable=False),
    Column("kind", PlainText, nullable=False),
    Column("question_json", PlainText),
    Column("outcome_json", PlainText, nullable=False),
    Column("model", PlainText),
    Column("workload", PlainText),
    Column("need_gb", Float(53)),
    Column("gpu", PlainText),
    Column("count", Integer),
    Column("usd_month", Cents),
    Column("verdict", PlainText),
    Column("catalog", PlainText, nullable=False),
    Column("catalog_name", PlainText, nullable=False),
    Column("engine_version", PlainText, nullable=False),
    Column("milliseconds", Float(53), nullable=False),
    PrimaryKeyConstraint("team", "number"),
    UniqueConstraint("event_key"),
    UniqueConstraint("public_id"),
    Index(None, "team", "scope", *NEWEST_FIRST),
    Index(None, "team", "scope", "model", *NEWEST_FIRST),
    Index(None, "team", "scope", "gpu", *NEWEST_FIRST),
    Index(None, "team", "scope", "user", *NEWEST_FIRST),
)

query_words = Table(
    "query_words",
    metadata,
    Column("team", PlainText, nullable=False),
    Column("scope", PlainText, nullable=False),
    Column("word", PlainText, nullable=False),
    Column("asked_at", UtcTime, nullable=False),
    Column("number", BigInteger, nullable=False),
    PrimaryKeyConstraint("team", "scope", "word", *NEWEST_FIRST),
    sqlite_with_rowid=False,
)

decisions = Table(
    "decisions",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), nullable=False),
    Column("team", PlainText, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("scope", PlainText, nullable=False),
    Column("asked_at", UtcTime, nullable=False),
    Column("question_key", PlainText, nullable=False),
    Column("note", PlainText, nullable=False),
    Column("by", PlainText, nullable=False),
    Column("by_name", PlainText, nullable=False),
    Column("at", UtcTime, nullable=False),
    Column("until", UtcTime),
    Column("until_by", PlainText),
    Column("superseded_by", BigInteger),
    PrimaryKeyConstraint("id"),
    ForeignKeyConstraint(["team", "number"], ["queries.team", "queries.number"], ondelete="CASCADE"),
    Index("ix_decisions_team_number", "team", "number"),
)
"""Who pinned what, with which note. One standing decision a query and a question; `until` ends it, it stays as history.

`question_key` is the same for the same question (decide.py). `scope` and `asked_at` are the query's.
"""

measured_runs = Table(
    "measured_runs",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), nullable=False),
    Column("team", PlainText, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("scope", PlainText, nullable=False),
    Column("asked_at", UtcTime, nullable=False),
    Column("gb", Float(53), nullable=False),
    Column("tokens_per_second", Float(53)),
    Column("note", PlainText, nullable=False),
    Column("by", PlainText, nullable=False),
    Column("by_name", PlainText, nullable=False),
    Column("at", UtcTime, nullable=False),
    Column("until", UtcTime),
    PrimaryKeyConstraint("id"),
    ForeignKeyConstraint(["team", "number"], ["queries.team", "queries.number"], ondelete="CASCADE"),
    Index("ix_measured_runs_team_number", "team", "number"),
)
"""What runs really took. The latest of a query has no `until`; earlier ones are kept."""

acts = Table(
    "acts",
    metadata,
    Column("team", PlainText, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("action", PlainText, nullable=False),
    Column("user", PlainText, nullable=False),
    Column("at", UtcTime, nullable=False),
    PrimaryKeyConstraint("team", "number", "action", "user"),
    ForeignKeyConstraint(["team", "number"], ["queries.team", "queries.number"], ondelete="CASCADE"),
)
"""Buttons that were pressed: each action once a query and person."""
