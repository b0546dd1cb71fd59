"""Queries for players, and the removal of those whom nothing needs any more."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select

from .rows import PlayerRow
from .tables import metadata, players

NEEDS = [key.parent for table in metadata.tables.values() for key in table.foreign_keys if key.column is players.c.id]
"""Every column that names a player."""


def add_guest(connection: Connection, player: PlayerRow, now: datetime, origin: int | None) -> None:
    """A new player without a device; `origin` groups players by the network they came from."""
    connection.execute(insert(players).values(id=player.id, name=player.name, created_at=now, origin=origin))


def remove_unneeded(connection: Connection, named: Collection[str]) -> None:
    """Remove those of these players who have no device any more and are named by no room, seat or message."""
    needless = [~select(column).where(column == players.c.id).correlate(players).exists() for column in NEEDS]
    connection.execute(delete(players).where(players.c.id.in_(named), *needless))
