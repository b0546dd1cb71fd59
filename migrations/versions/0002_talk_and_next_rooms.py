"""What is said in rooms; the room that follows a finished one; the spectators who are asked to sit down."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

TIME = sa.Text().with_variant(postgresql.TIMESTAMP(timezone=True), "postgresql")


def upgrade() -> None:
    op.add_column("rooms", sa.Column("next", sa.Text()))
    op.add_column("rooms", sa.Column("asked", sa.Text(), nullable=False, server_default="[]"))
    op.create_table(
        "said",
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("talk", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("phrase", sa.Text()),
        sa.Column("text", sa.Text()),
        sa.Column("at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("room", "talk", "number", name="pk_said"),
        sa.UniqueConstraint("room", "player", "message_id", name="uq_said_room_player_message_id"),
        sa.ForeignKeyConstraint(["room"], ["rooms.code"], name="fk_said_room"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_said_player"),
    )
