"""Queries for visits: when rooms were visited, which lobbies wait, what is due, and which rooms are abandoned."""

from collections.abc import Collection
from datetime import UTC, datetime

from sqlalchemy import Connection, delete, func, or_, select, update

from .queries import ROOM_COLUMNS, FoundRoom, delete_rooms, found_rooms, portions
from .tables import players, rooms, seats, visits

MOST_OF_A_HOST = 2
"""Tables of one host that are offered at a time."""

MOST_OF_AN_ORIGIN = 6
"""Tables that are offered at a time by hosts who were made at one network; the oldest stay."""

newest_first = rooms.c.created_at.desc(), rooms.c.code
turn_of_host = func.row_number().over(partition_by=rooms.c.host, order_by=newest_first).label("turn")

BEGINNING, END = datetime(2000, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)
"""A visit is between these; a time that is not was damaged, and removes no room."""

A_FREE_SEAT = (
    select(seats).where(seats.c.room == rooms.c.code, seats.c.player.is_(None), seats.c.driver.is_(None)).exists()
)


def note_visits(connection: Connection, codes: Collection[str], now: datetime, before: datetime) -> None:
    """Note that these rooms are visited now, unless their last noted visit is later than `before`."""
    for named in portions(codes):
        # skip locked rows: whoever holds the lock is writing the same
        stale = (
            select(visits.c.room)
            .where(visits.c.room.in_(named), visits.c.at < before)
            .with_for_update(skip_locked=True)
        )
        connection.execute(update(visits).where(visits.c.room.in_(stale)).values(at=now))


def last_visit(connection: Connection) -> datetime | None:
    """When anybody last visited an unfinished room; None when there is none.

    A value that can't be read counts as long ago, so that no room is removed.
    """
    readable = visits.c.at.between(BEGINNING, END)
    last: object = connection.scalar(select(func.max(visits.c.at)).where(readable))
    return last if last is None or isinstance(last, datetime) else BEGINNING


def renew_visits(connection: Connection, now: datetime) -> None:
    """Count all rooms as visited now, since nobody could come while the site was down or they lay in a backup."""
    connection.execute(update(visits).values(at=now))


def note_waiting(connection: Connection, codes: Collection[str], now: datetime | None) -> None:
    """Note that the hosts of these rooms wait for others to join; with None, that they no longer do."""
    for named in portions(codes):
        free = select(visits.c.room).where(visits.c.room.in_(named)).with_for_update(skip_locked=True)
        connection.execute(update(visits).where(visits.c.room.in_(free)).values(waiting_at=now))


def waiting_rooms(connection: Connection, since: datetime, until: datetime, most: int) -> list[FoundRoom]:
    """Public lobbies with a free seat whose host was last seen waiting between `since` and `until`.

    The newest lobby of each host comes first, then the second ones, so that nobody fills the list with many lobbies or
    many players. `until` leaves out times written by a clock that ran ahead.
    """
    waiting = (
        select(rooms.c.code, rooms.c.created_at, players.c.origin, turn_of_host)
        .join(visits, visits.c.room == rooms.c.code)
        .join(players, players.c.id == rooms.c.host)
        .where(visits.c.waiting_at.between(since, until), rooms.c.status == "lobby", A_FREE_SEAT)
        .subquery()
    )
    oldest_first = waiting.c.turn, waiting.c.created_at, waiting.c.code
    by_origin = func.row_number().over(partition_by=waiting.c.origin, order_by=oldest_first)
    few = select(waiting, by_origin.label("turn_of_origin")).where(waiting.c.turn <= MOST_OF_A_HOST).subquery()
    query = (
        select(*ROOM_COLUMNS)
        .join(few, few.c.code == rooms.c.code)
        .where(or_(few.c.origin.is_(None), few.c.turn_of_origin <= MOST_OF_AN_ORIGIN))
        .order_by(few.c.turn, rooms.c.created_at.desc(), rooms.c.code)
        .limit(most)
    )
    return found_rooms(connection, query)


def put_off(connection: Connection, codes: Collection[str], until: datetime | None) -> None:
    """Note when something is due in these rooms; with None, nothing is due any more."""
    for named in portions(codes):
        free = select(visits.c.room).where(visits.c.room.in_(named)).with_for_update(skip_locked=True)
        connection.execute(update(visits).where(visits.c.room.in_(free)).values(due_at=until))


def take_due(connection: Connection, before: datetime, until: datetime, most: int) -> list[str]:
    """Take some of the games where something is due before then: postpone them `until`, and return their codes.

    Several processes may call this at once: each skips the games that another has taken.
    """
    query = (
        select(visits.c.room, rooms.c.status)
        .join(rooms, rooms.c.code == visits.c.room)
        .where(visits.c.due_at < before)
        .order_by(visits.c.due_at)
        .limit(most)
        .with_for_update(skip_locked=True, of=visits)
    )
    found = [(code, status) for code, status in connection.execute(query) if isinstance(code, str)]
    due = [code for code, status in found if status == "playing"]
    put_off(connection, due, until)
    put_off(connection, [code for code, status in found if status != "playing"], None)
    return due


def remove_abandoned(connection: Connection, before: datetime, most: int) -> list[str]:
    """Remove at most `most` unfinished rooms that nobody has visited since `before`; returns their codes.

    Several processes may call this at once: each skips the rows that another has locked.
    """
    forget_finished(connection, before, most)
    query = (
        select(rooms.c.code)
        .join(visits, visits.c.room == rooms.c.code)
        .where(visits.c.at >= BEGINNING, visits.c.at < before, rooms.c.status != "over")
        .order_by(visits.c.at)
        .limit(most)
        .with_for_update(skip_locked=True)
    )
    codes = list(connection.scalars(query))
    delete_rooms(connection, codes)
    return codes


def forget_finished(connection: Connection, before: datetime, most: int) -> None:
    """Delete the visits of finished rooms, which are kept for good and need none."""
    query = (
        select(visits.c.room)
        .join(rooms, visits.c.room == rooms.c.code)
        .where(visits.c.at < before, rooms.c.status == "over")
        .limit(most)
        .with_for_update(skip_locked=True, of=visits)
    )
    connection.execute(delete(visits).where(visits.c.room.in_(list(connection.scalars(query)))))
