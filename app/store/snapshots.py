"""The positions of games, kept for the day on which the rules change."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, func, or_, select

from .damage import sound
from .queries import insert_into, last_moved
from .rows import SnapshotRow
from .tables import moves, rooms, snapshots


def keep_snapshots(connection: Connection, taken: Sequence[SnapshotRow]) -> None:
    """Store positions, each in place of an older one by the same rules. Removed rooms are left out."""
    there = select(rooms.c.code).where(rooms.c.code.in_([each.room for each in taken])).with_for_update(key_share=True)
    codes = set(connection.scalars(there))
    values = [
        {"room": each.room, "rules_version": each.rules_version, "number": each.number, "position": each.position}
        for each in taken
        if each.room in codes
    ]
    if not values:
        return
    statement = insert_into(connection, snapshots)
    new = {"number": statement.excluded.number, "position": statement.excluded.position}
    key = list(snapshots.primary_key.columns)
    older = snapshots.c.number < statement.excluded.number
    connection.execute(statement.on_conflict_do_update(index_elements=key, set_=new, where=older), values)


def find_snapshot(connection: Connection, code: str, before: int) -> SnapshotRow | None:
    """The position by the newest rules before `before`."""
    query = select(snapshots).where(snapshots.c.room == code, snapshots.c.rules_version < before)
    found = connection.execute(query.order_by(snapshots.c.rules_version.desc()).limit(1)).one_or_none()
    return None if found is None else sound(SnapshotRow(*found), "room", f"{code}, its position")


def rooms_to_keep(
    connection: Connection, rules_version: int, quiet_since: datetime, ended_since: datetime, most: int
) -> list[str]:
    """The codes of games that need a snapshot by these rules: they have none, or only an older position.

    Only games whose last move is before `quiet_since`, and that go on or ended after `ended_since`.
    """
    last = select(func.max(moves.c.number)).where(moves.c.room == rooms.c.code).scalar_subquery()
    behind = or_(snapshots.c.room.is_(None), snapshots.c.number < last)
    lately = or_(rooms.c.status == "playing", and_(rooms.c.status == "over", rooms.c.ended_at >= ended_since))
    query = select(rooms.c.code).outerjoin(snapshots, kept_by(rules_version)).where(lately, behind)
    return readable(connection.scalars(query.where(last_moved < quiet_since).order_by(rooms.c.code).limit(most)))


def rooms_never_kept(connection: Connection, rules_version: int, quiet_since: datetime, most: int) -> list[str]:
    """The codes of games without any snapshot by these rules, however long ago they ended. Scans all rooms."""
    begun = rooms.c.seed.is_not(None)
    query = select(rooms.c.code).outerjoin(snapshots, kept_by(rules_version)).where(begun, snapshots.c.room.is_(None))
    return readable(connection.scalars(query.where(last_moved < quiet_since).order_by(rooms.c.code).limit(most)))


def readable(codes: Iterable[Any]) -> list[str]:
    """SQLite keeps bytes where a code belongs, too: no room is found by them."""
    return [code for code in codes if isinstance(code, str)]


def kept_by(rules_version: int) -> ColumnElement[bool]:
    """Which snapshot of a room is meant."""
    return and_(snapshots.c.room == rooms.c.code, snapshots.c.rules_version == rules_version)
