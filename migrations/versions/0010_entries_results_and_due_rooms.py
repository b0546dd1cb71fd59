"""Kinds of record entries and who made them, results of games, and when something is due in a room.

Processes of the version before go on with this schema while they are replaced: they write none of the new columns.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

TIME = sa.Text().with_variant(postgresql.TIMESTAMP(timezone=True), "postgresql")


def upgrade() -> None:
    op.add_column("moves", sa.Column("kind", sa.Text(), nullable=False, server_default="move"))
    op.add_column("moves", sa.Column("made_by", sa.Text(), nullable=False, server_default="owner"))
    op.create_table(
        "results",
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("scores", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("room", name="pk_results"),
        sa.ForeignKeyConstraint(["room"], ["rooms.code"], name="fk_results_room"),
    )
    op.add_column("visits", sa.Column("due_at", TIME))
    op.create_index("ix_visits_due_at", "visits", ["due_at"])
    # a bot may be to act wherever one plays
    op.execute(
        "UPDATE visits SET due_at = at WHERE room IN (SELECT code FROM rooms WHERE status = 'playing')"
        " AND room IN (SELECT room FROM seats WHERE bot IS NOT NULL)"
    )
