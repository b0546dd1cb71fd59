"""Whom a host has barred from a room; and the group of networks where a player was made, for a fair list of tables."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("rooms", sa.Column("barred", sa.Text(), nullable=False, server_default="[]"))
    op.add_column("players", sa.Column("origin", sa.Integer()))
