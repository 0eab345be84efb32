"""Tables, their events, and pasted records."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "tables",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
    )
    op.create_table(
        "events",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("guest", sa.Text),
    )
    named = sa.text("guest IS NOT NULL")
    op.create_index("events_by_guest", "events", ["guest"], sqlite_where=named, postgresql_where=named)
    op.create_index("events_by_time", "events", ["at"])
    op.create_table(
        "records",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
    )


def downgrade() -> None:
    for table in ("records", "events", "tables"):
        op.drop_table(table)
