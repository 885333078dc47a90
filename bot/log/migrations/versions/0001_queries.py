"""The questions, their numbers in the team, and the words they are found by."""

import sqlalchemy as sa
from alembic import op

from bot.log.columns import Cents, PlainText, UtcTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "teams",
        sa.Column("team", PlainText(), nullable=False),
        sa.Column("last_number", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("team", name="pk_teams"),
    )
    op.create_table(
        "queries",
        sa.Column("team", PlainText(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("public_id", PlainText(), nullable=False),
        sa.Column("event_key", PlainText(), nullable=False),
        sa.Column("asked_at", UtcTime(), nullable=False),
        sa.Column("platform", PlainText(), nullable=False),
        sa.Column("channel", PlainText()),
        sa.Column("user", PlainText(), nullable=False),
        sa.Column("user_name", PlainText(), nullable=False),
        sa.Column("visibility", PlainText(), nullable=False),
        sa.Column("scope", PlainText(), nullable=False),
        sa.Column("text", PlainText(), nullable=False),
        sa.Column("kind", PlainText(), nullable=False),
        sa.Column("question_json", PlainText()),
        sa.Column("outcome_json", PlainText(), nullable=False),
        sa.Column("model", PlainText()),
        sa.Column("workload", PlainText()),
        sa.Column("need_gb", sa.Float(53)),
        sa.Column("gpu", PlainText()),
        sa.Column("count", sa.Integer()),
        sa.Column("usd_month", Cents()),
        sa.Column("verdict", PlainText()),
        sa.Column("catalog", PlainText(), nullable=False),
        sa.Column("catalog_name", PlainText(), nullable=False),
        sa.Column("engine_version", PlainText(), nullable=False),
        sa.Column("milliseconds", sa.Float(53), nullable=False),
        sa.PrimaryKeyConstraint("team", "number", name="pk_queries"),
        sa.UniqueConstraint("event_key", name="uq_queries_event_key"),
        sa.UniqueConstraint("public_id", name="uq_queries_public_id"),
    )
    newest_first = ["asked_at", "number"]
    for filtered in ([], ["model"], ["gpu"], ["user"]):
        columns = ["team", "scope", *filtered, *newest_first]
        op.create_index("ix_queries_" + "_".join(columns), "queries", columns)
    op.create_table(
        "query_words",
        sa.Column("team", PlainText(), nullable=False),
        sa.Column("scope", PlainText(), nullable=False),
        sa.Column("word", PlainText(), nullable=False),
        sa.Column("asked_at", UtcTime(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("team", "scope", "word", *newest_first, name="pk_query_words"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("query_words")
    op.drop_table("queries")
    op.drop_table("teams")
