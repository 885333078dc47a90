"""Measured runs: what a query really took, beside what was predicted."""

import sqlalchemy as sa
from alembic import op

from bot.log.columns import PlainText, UtcTime

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "measured_runs",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("team", PlainText(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("scope", PlainText(), nullable=False),
        sa.Column("asked_at", UtcTime(), nullable=False),
        sa.Column("gb", sa.Float(53), nullable=False),
        sa.Column("tokens_per_second", sa.Float(53)),
        sa.Column("note", PlainText(), nullable=False),
        sa.Column("by", PlainText(), nullable=False),
        sa.Column("by_name", PlainText(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.Column("until", UtcTime()),
        sa.PrimaryKeyConstraint("id", name="pk_measured_runs"),
        sa.ForeignKeyConstraint(
            ["team", "number"],
            ["queries.team", "queries.number"],
            name="fk_measured_runs_team_number_queries",
            ondelete="CASCADE",
        ),
    )
    op.create_index("ix_measured_runs_team_number", "measured_runs", ["team", "number"])
    op.create_index(
        "uq_measured_runs_latest_newest",
        "measured_runs",
        ["team", "scope", "asked_at", "number"],
        unique=True,
        sqlite_where=sa.text("until IS NULL"),
        postgresql_where=sa.text("until IS NULL"),
    )


def downgrade() -> None:
    op.drop_table("measured_runs")
