"""Which rooms are visited, which wait for anybody to join, and which nobody has returned to."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, delete, func, select, update

from .queries import MOST_NAMED, ROOM_COLUMNS, delete_rooms, room_row, seats_of
from .rows import RoomRow
from .tables import rooms, seats, visits

A_FREE_SEAT = (
    select(seats).where(seats.c.room == rooms.c.code, seats.c.player.is_(None), seats.c.bot.is_(None)).exists()
)


def note_visits(connection: Connection, codes: Sequence[str], now: datetime, before: datetime) -> None:
    """These rooms are visited now. Where that was last written down after `before`, it need not be again."""
    for start in range(0, len(codes), MOST_NAMED):
        named = visits.c.room.in_(codes[start : start + MOST_NAMED])
        # whoever has locked one writes the same down
        stale = select(visits.c.room).where(named, visits.c.at < before).with_for_update(skip_locked=True)
        connection.execute(update(visits).where(visits.c.room.in_(stale)).values(at=now))


def last_visit(connection: Connection) -> datetime | None:
    """When anybody last came to a room that is not finished."""
    last: datetime | None = connection.scalar(select(func.max(visits.c.at)))
    return last


def renew_visits(connection: Connection, now: datetime) -> None:
    """All rooms are as if visited now: while they lay in a backup, or the site was down, nobody could come."""
    connection.execute(update(visits).values(at=now))


def note_waiting(connection: Connection, codes: Sequence[str], now: datetime | None) -> None:
    """The hosts of these rooms are there and wait for anybody to join; with None they wait no more."""
    for start in range(0, len(codes), MOST_NAMED):
        named = visits.c.room.in_(codes[start : start + MOST_NAMED])
        free = select(visits.c.room).where(named).with_for_update(skip_locked=True)
        connection.execute(update(visits).where(visits.c.room.in_(free)).values(waiting_at=now))


def waiting_rooms(connection: Connection, since: datetime, until: datetime, most: int) -> list[RoomRow]:
    """Lobbies with a free seat whose host has waited for anybody between these; the newest first.

    What a clock that was ahead has written down lies after them.
    """
    query = (
        select(*ROOM_COLUMNS)
        .join(visits, visits.c.room == rooms.c.code)
        .where(visits.c.waiting_at.between(since, until), rooms.c.status == "lobby", A_FREE_SEAT)
        .order_by(rooms.c.created_at.desc(), rooms.c.code)
        .limit(most)
    )
    found = connection.execute(query).mappings().all()
    seated = seats_of(connection, [room["code"] for room in found])
    return [room_row(room, seated[room["code"]]) for room in found]


def remove_abandoned(connection: Connection, before: datetime, most: int) -> list[str]:
    """Remove some of the unfinished rooms that nobody has come to since then; their codes.

    Several processes may do so at once: what one has taken, the others pass over.
    """
    forget_finished(connection, before, most)
    query = (
        select(rooms.c.code)
        .join(visits, visits.c.room == rooms.c.code)
        .where(visits.c.at < before, rooms.c.status != "over")
        .order_by(visits.c.at)
        .limit(most)
        .with_for_update(skip_locked=True)
    )
    codes = list(connection.scalars(query))
    delete_rooms(connection, codes)
    return codes


def forget_finished(connection: Connection, before: datetime, most: int) -> None:
    """Finished games stay for good, so that nobody need know any longer when they were visited."""
    query = (
        select(visits.c.room)
        .join(rooms, visits.c.room == rooms.c.code)
        .where(visits.c.at < before, rooms.c.status == "over")
        .limit(most)
        .with_for_update(skip_locked=True, of=visits)
    )
    connection.execute(delete(visits).where(visits.c.room.in_(list(connection.scalars(query)))))
