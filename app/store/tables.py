"""The schema as it is now; `migrations/` says how it came about, and a test that both agree."""

from datetime import UTC, datetime
from typing import Any, cast

from sqlalchemy import (
    TIMESTAMP,
    Column,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.types import TypeEngine


def in_utc(moment: datetime) -> datetime:
    """The same moment in UTC; a moment without a zone is refused."""
    if moment.tzinfo is None:
        raise ValueError(f"the time {moment.isoformat()} has no time zone")
    return moment.astimezone(UTC)


def as_text(moment: datetime) -> str:
    """How SQLite keeps a time: of fixed width, so that texts sort as times do."""
    return in_utc(moment).isoformat(timespec="microseconds")


class UtcTime(TypeDecorator[datetime]):
    """An aware time: `timestamptz` on PostgreSQL, ISO text on SQLite."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        kept: TypeEngine[Any] = TIMESTAMP(timezone=True) if dialect.name == "postgresql" else Text()
        return dialect.type_descriptor(kept)

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        if value is None:
            return None
        return in_utc(value) if dialect.name == "postgresql" else as_text(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """A value that is no time is given as it is: `damage.sound` says whose it is."""
        if value is None:
            return None
        try:
            return in_utc(value if isinstance(value, datetime) else datetime.fromisoformat(value))
        except (TypeError, ValueError):
            return cast("datetime", value)


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

players = Table(
    "players",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("origin", Integer),
)
"""`origin` is a small number that many networks share, by which tables are listed fairly; it tells no address."""

boards = Table(
    "boards",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("text", Text, nullable=False),
)

rooms = Table(
    "rooms",
    metadata,
    Column("code", Text, primary_key=True),
    Column("status", Text, nullable=False),
    Column("host", Text, ForeignKey("players.id"), nullable=False, index=True),
    Column("board", Text, ForeignKey("boards.digest"), nullable=False),
    Column("board_id", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("server_seed", LargeBinary, nullable=False),
    Column("seed", LargeBinary),
    Column("rules_version", Integer, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("started_at", UtcTime),
    Column("ended_at", UtcTime),
    Column("next", Text, index=True),
    Column("asked", Text, nullable=False, server_default="[]"),
    Column("barred", Text, nullable=False, server_default="[]"),
    Column("derivation", Integer, nullable=False, server_default="1"),
    Index(None, "status", "ended_at"),
)
"""No move writes here but the last of a game, so the indexes cost moves nothing."""

seats = Table(
    "seats",
    metadata,
    Column("room", Text, ForeignKey("rooms.code"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player", Text, ForeignKey("players.id"), index=True),
    Column("name", Text, nullable=False),
    Column("bot", Text, key="driver"),
    Column("nonce", Text, nullable=False),
    Column("guardian", Text),
    sqlite_with_rowid=False,
)
"""`driver` is the level of the bot that decides for the seat. Its owner is the `player`, or that bot if there is none.
The stored column keeps its older name for processes of older versions, which are replaced one after the other.

A guest's `guardian` is a player of another seat of the same room, so it needs no foreign key of its own.
"""

moves = Table(
    "moves",
    metadata,
    Column("room", Text, ForeignKey("rooms.code"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, nullable=False),
    Column("action", Text, nullable=False),
    Column("action_id", Text, nullable=False),
    Column("at", UtcTime, nullable=False),
    Column("kind", Text, nullable=False, server_default="move"),
    Column("made_by", Text, nullable=False, server_default="owner"),
    UniqueConstraint("room", "seat", "action_id"),
)
"""The entries of a room's record; nearly all are moves. `action` is JSON, null where the entry is none."""

results = Table(
    "results",
    metadata,
    Column("room", Text, ForeignKey("rooms.code"), primary_key=True),
    Column("scores", Text, nullable=False),
)
"""How finished games ended, as JSON. A game that a command has ended gets its result a little later."""

said = Table(
    "said",
    metadata,
    Column("room", Text, ForeignKey("rooms.code"), primary_key=True),
    Column("talk", Text, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("player", Text, ForeignKey("players.id"), nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("message_id", Text, nullable=False),
    Column("phrase", Text),
    Column("text", Text),
    Column("at", UtcTime, nullable=False),
    UniqueConstraint("room", "player", "message_id"),
)

visits = Table(
    "visits",
    metadata,
    Column("room", Text, ForeignKey("rooms.code"), primary_key=True),
    Column("at", UtcTime, nullable=False, index=True),
    Column("waiting_at", UtcTime, index=True),
    Column("due_at", UtcTime, index=True),
)
"""Of unfinished rooms: when somebody last came, when the host last waited there for anybody to join, and when a process
is to load the room because something is due there. A process that has it in memory puts `due_at` off again and again.
"""

devices = Table(
    "devices",
    metadata,
    Column("id", Text, primary_key=True),
    Column("player", Text, ForeignKey("players.id"), nullable=False, index=True),
    Column("created_at", UtcTime, nullable=False),
    Column("used_at", UtcTime, nullable=False, index=True),
    Column("renewed_at", UtcTime),
    Column("browser", Text),
    Column("system", Text),
)
"""Where a player is signed in. `used_at` is exact to the hour; `renewed_at` is when its cookie was last set."""

tokens = Table(
    "tokens",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("device", Text, ForeignKey("devices.id"), nullable=False, index=True),
    Column("replaces", LargeBinary),
    Column("ends_at", UtcTime),
)
"""What a device proves itself by. One that `replaces` another was not used yet; once it is, the other `ends_at`."""

links = Table(
    "links",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("player", Text, ForeignKey("players.id"), nullable=False, index=True),
    Column("expires_at", UtcTime, nullable=False, index=True),
)
"""Secrets that give a player one more token, once."""

snapshots = Table(
    "snapshots",
    metadata,
    Column("room", Text, ForeignKey("rooms.code"), primary_key=True),
    Column("rules_version", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, nullable=False),
    Column("position", Text, nullable=False),
)

installation = Table(
    "installation",
    metadata,
    Column("id", Text, primary_key=True),
    Column("key", LargeBinary, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("counted_from", UtcTime, nullable=False),
)
"""One row: `id` names cookies, `key` makes tokens that follow others, days without use begin at `counted_from`."""
