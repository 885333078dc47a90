"""Acts: a button works once a query, action and person."""

import sqlalchemy as sa
from alembic import op

from bot.log.columns import PlainText, UtcTime

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "acts",
        sa.Column("team", PlainText(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("action", PlainText(), nullable=False),
        sa.Column("user", PlainText(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("team", "number", "action", "user", name="pk_acts"),
        sa.ForeignKeyConstraint(
            ["team", "number"],
            ["queries.team", "queries.number"],
            name="fk_acts_team_number_queries",
            ondelete="CASCADE",
        ),
    )


def downgrade() -> None:
    op.drop_table("acts")
