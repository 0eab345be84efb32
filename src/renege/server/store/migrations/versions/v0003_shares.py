"""Whose share a table or a pasted record counts for, and when a record was last looked at."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("tables", sa.Column("asker", sa.Text))
    op.add_column("records", sa.Column("asker", sa.Text))
    op.add_column("records", sa.Column("used", sa.Double))
    op.create_index("tables_by_asker", "tables", ["asker"])
    op.create_index("records_by_asker", "records", ["asker"])


def downgrade() -> None:
    op.drop_index("records_by_asker", "records")
    op.drop_index("tables_by_asker", "tables")
    op.drop_column("records", "used")
    op.drop_column("records", "asker")
    op.drop_column("tables", "asker")
