"""Positions of games by the rules that led to them. A column that was meant for them, and never filled, goes."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "snapshots",
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("rules_version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("position", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("room", "rules_version", name="pk_snapshots"),
        sa.ForeignKeyConstraint(["room"], ["rooms.code"], name="fk_snapshots_room"),
    )
    op.drop_column("rooms", "snapshot")
