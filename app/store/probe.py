"""Reads facts about a database without changing it, for `fogline check` and `fogline rooms`."""

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, func, select, text

from .address import is_sqlite, parse_address, sqlite_file
from .engine import make_engine
from .migrate import encoding_trouble, find_revision, newest_revision
from .queries import FoundRoom, newest_rooms
from .store import transact, unavailable
from .tables import rooms

MOST_ROOMS = 1000
"""The newest rooms that are checked one by one."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Facts about a database.

    `schema` is None without tables of Fogline, `now` is None where the database has no clock, `trouble` says why it
    can't be used, and `newest` has the newest rooms if the schema is this Fogline's.
    """

    kind: str
    schema: str | None
    newest_schema: str
    rooms: int
    now: datetime | None
    damage: str | None
    trouble: str | None
    newest: list[FoundRoom]


async def probe(address: str) -> Finding | None:
    """The facts, or None when there is no file yet.

    Raises:
        StoreSetupError: the address is wrong.
        StoreUnavailableError: the database does not answer.
    """
    url = parse_address(address)
    if is_sqlite(url) and not sqlite_file(url).exists():
        return None
    engine = make_engine(url)
    try:
        with unavailable():
            return await transact(engine, look)
    finally:
        await engine.dispose()


def look(connection: Connection) -> Finding:
    schema, newest_schema = find_revision(connection), newest_revision()
    on_sqlite = connection.dialect.name == "sqlite"
    return Finding(
        kind=f"{'SQLite' if on_sqlite else 'PostgreSQL'} {version(connection)}",
        schema=schema,
        newest_schema=newest_schema,
        rooms=connection.scalar(select(func.count()).select_from(rooms)) or 0 if schema else 0,
        now=None if on_sqlite else connection.scalar(text("SELECT clock_timestamp()")).astimezone(UTC),
        damage=damage(connection) if on_sqlite else None,
        trouble=encoding_trouble(connection),
        newest=[row for row, _ in newest_rooms(connection, None, MOST_ROOMS)] if schema == newest_schema else [],
    )


def version(connection: Connection) -> str:
    return ".".join(map(str, connection.dialect.server_version_info or ()))


def damage(connection: Connection) -> str | None:
    found = connection.scalar(text("PRAGMA quick_check(1)"))
    return None if found == "ok" else str(found)
