"""Rooms are found by their status and end, and by the room that follows them, without a look at all of them."""

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_rooms_status_ended_at", "rooms", ["status", "ended_at"])
    op.create_index("ix_rooms_next", "rooms", ["next"])
