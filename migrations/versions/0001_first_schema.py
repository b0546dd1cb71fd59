"""Players, boards, rooms, seats, moves."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

TIME = sa.Text().with_variant(postgresql.TIMESTAMP(timezone=True), "postgresql")


def upgrade() -> None:
    op.create_table(
        "players",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
        sa.UniqueConstraint("token_hash", name="uq_players_token_hash"),
    )
    op.create_table(
        "boards",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_boards"),
    )
    op.create_table(
        "rooms",
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("board", sa.Text(), nullable=False),
        sa.Column("board_id", sa.Text(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("server_seed", sa.LargeBinary(), nullable=False),
        sa.Column("seed", sa.LargeBinary()),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("snapshot", sa.LargeBinary()),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("started_at", TIME),
        sa.Column("ended_at", TIME),
        sa.PrimaryKeyConstraint("code", name="pk_rooms"),
        sa.ForeignKeyConstraint(["host"], ["players.id"], name="fk_rooms_host"),
        sa.ForeignKeyConstraint(["board"], ["boards.digest"], name="fk_rooms_board"),
    )
    op.create_table(
        "seats",
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player", sa.Text()),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("bot", sa.Text()),
        sa.Column("nonce", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("room", "seat", name="pk_seats"),
        sa.ForeignKeyConstraint(["room"], ["rooms.code"], name="fk_seats_room"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_seats_player"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_seats_player", "seats", ["player"])
    op.create_table(
        "moves",
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("action_id", sa.Text(), nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("room", "number", name="pk_moves"),
        sa.UniqueConstraint("room", "seat", "action_id", name="uq_moves_room_seat_action_id"),
        sa.ForeignKeyConstraint(["room"], ["rooms.code"], name="fk_moves_room"),
    )
