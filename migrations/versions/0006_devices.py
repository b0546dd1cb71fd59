"""Devices with their tokens, in place of tokens alone; what an installation is known by; indexes that find players."""

import secrets
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0006"
down_revision = "0007"
branch_labels = None
depends_on = None

TIME = sa.Text().with_variant(postgresql.TIMESTAMP(timezone=True), "postgresql")


def upgrade() -> None:
    now = datetime.now(UTC)
    op.create_index("ix_rooms_host", "rooms", ["host"])
    op.create_index("ix_said_player", "said", ["player"])
    op.execute(
        "CREATE TEMPORARY TABLE old_tokens AS SELECT token_hash AS hash, id AS player, created_at FROM players "
        "UNION ALL SELECT hash, player, created_at FROM tokens"
    )
    op.drop_table("tokens")
    create_devices()
    move_tokens(now)
    op.execute("DROP TABLE old_tokens")
    drop_token_hash()
    create_installation(now)


def create_devices() -> None:
    op.create_table(
        "devices",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("used_at", TIME, nullable=False),
        sa.Column("renewed_at", TIME),
        sa.Column("browser", sa.Text()),
        sa.Column("system", sa.Text()),
        sa.PrimaryKeyConstraint("id", name="pk_devices"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_devices_player"),
    )
    op.create_index("ix_devices_player", "devices", ["player"])
    op.create_index("ix_devices_used_at", "devices", ["used_at"])
    op.create_table(
        "tokens",
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("device", sa.Text(), nullable=False),
        sa.Column("replaces", sa.LargeBinary()),
        sa.Column("ends_at", TIME),
        sa.PrimaryKeyConstraint("hash", name="pk_tokens"),
        sa.ForeignKeyConstraint(["device"], ["devices.id"], name="fk_tokens_device"),
    )
    op.create_index("ix_tokens_device", "tokens", ["device"])


def move_tokens(now: datetime) -> None:
    """Each token was a device's. Nobody wrote down when they were used: the time begins now. Cookies are set anew."""
    token: sa.ColumnClause[bytes] = sa.column("hash")
    tail = (
        sa.func.hex(sa.func.substr(token, -8)) if is_sqlite() else sa.func.encode(sa.func.substring(token, 25), "hex")
    )
    device = sa.func.lower(tail)
    old = sa.table("old_tokens", sa.column("player"), sa.column("created_at"))
    begun = sa.literal(as_kept(now), TIME)
    fill("devices", {"id": device, "player": old.c.player, "created_at": old.c.created_at, "used_at": begun}, old)
    fill("tokens", {"hash": token, "device": device}, old)


def fill(table: str, values: dict[str, sa.ColumnElement[Any]], old: sa.TableClause) -> None:
    """Insert a row for each old one."""
    columns: list[sa.ColumnClause[Any]] = [sa.column(name) for name in values]
    found = sa.select(*values.values()).select_from(old)
    op.execute(sa.insert(sa.table(table, *columns)).from_select(columns, found))


def drop_token_hash() -> None:
    """SQLite can't drop a unique column: the table is made anew, while what refers to it waits until the end."""
    if not is_sqlite():
        op.drop_column("players", "token_hash")
        return
    op.execute("PRAGMA defer_foreign_keys=ON")
    op.execute("CREATE TEMPORARY TABLE old_players AS SELECT id, name, created_at, origin FROM players")
    op.drop_table("players")
    op.create_table(
        "players",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("origin", sa.Integer()),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
    )
    op.execute(
        "INSERT INTO players (id, name, created_at, origin) SELECT id, name, created_at, origin FROM old_players"
    )
    op.execute("DROP TABLE old_players")


def create_installation(now: datetime) -> None:
    installation = op.create_table(
        "installation",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("counted_from", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_installation"),
    )
    row = {"id": secrets.token_hex(4), "key": secrets.token_bytes(32)}
    op.execute(sa.insert(installation).values(**row, created_at=as_kept(now), counted_from=as_kept(now)))


def is_sqlite() -> bool:
    return op.get_context().dialect.name == "sqlite"


def as_kept(moment: datetime) -> str | datetime:
    return moment.isoformat(timespec="microseconds") if is_sqlite() else moment
