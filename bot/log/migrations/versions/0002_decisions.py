"""Decisions: queries that somebody pinned with a note, with their history."""

import sqlalchemy as sa
from alembic import op

from bot.log.columns import PlainText, UtcTime

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "decisions",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("team", PlainText(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("scope", PlainText(), nullable=False),
        sa.Column("asked_at", UtcTime(), nullable=False),
        sa.Column("question_key", PlainText(), nullable=False),
        sa.Column("note", PlainText(), nullable=False),
        sa.Column("by", PlainText(), nullable=False),
        sa.Column("by_name", PlainText(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.Column("until", UtcTime()),
        sa.Column("until_by", PlainText()),
        sa.Column("superseded_by", sa.BigInteger()),
        sa.PrimaryKeyConstraint("id", name="pk_decisions"),
        sa.ForeignKeyConstraint(
            ["team", "number"],
            ["queries.team", "queries.number"],
            name="fk_decisions_team_number_queries",
            ondelete="CASCADE",
        ),
    )
    op.create_index("ix_decisions_team_number", "decisions", ["team", "number"])
    op.create_index(
        "uq_decisions_standing_question",
        "decisions",
        ["team", "scope", "question_key"],
        unique=True,
        sqlite_where=sa.text("until IS NULL"),
        postgresql_where=sa.text("until IS NULL"),
    )
    op.create_index(
        "uq_decisions_standing_newest",
        "decisions",
        ["team", "scope", "asked_at", "number"],
        unique=True,
        sqlite_where=sa.text("until IS NULL"),
        postgresql_where=sa.text("until IS NULL"),
    )


def downgrade() -> None:
    op.drop_table("decisions")
