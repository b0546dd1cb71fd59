"""Visits of rooms, further tokens of a player, and the one-time links by which one gets them."""

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

TIME = sa.Text().with_variant(postgresql.TIMESTAMP(timezone=True), "postgresql")


def upgrade() -> None:
    visits = op.create_table(
        "visits",
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.Column("waiting_at", TIME),
        sa.PrimaryKeyConstraint("room", name="pk_visits"),
        sa.ForeignKeyConstraint(["room"], ["rooms.code"], name="fk_visits_room"),
    )
    op.create_index("ix_visits_at", "visits", ["at"])
    op.create_index("ix_visits_waiting_at", "visits", ["waiting_at"])
    op.create_table(
        "tokens",
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_tokens"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_tokens_player"),
    )
    op.create_table(
        "links",
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("expires_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_links"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_links_player"),
    )
    op.create_index("ix_links_player", "links", ["player"])
    op.create_index("ix_links_expires_at", "links", ["expires_at"])
    visit_all(visits, datetime.now(UTC))


def visit_all(visits: sa.Table, now: datetime) -> None:
    """Nobody wrote down when rooms were visited: for all of them the time begins now."""
    on_sqlite = op.get_context().dialect.name == "sqlite"
    at = sa.literal(now.isoformat(timespec="microseconds") if on_sqlite else now, TIME)
    rooms = sa.table("rooms", sa.column("code"), sa.column("status"))
    unfinished = sa.select(rooms.c.code, at).where(rooms.c.status != "over")
    op.execute(sa.insert(visits).from_select(["room", "at"], unfinished))
