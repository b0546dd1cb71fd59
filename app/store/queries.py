"""Queries for boards, rooms and moves. New moves go through the journal.

Every function gets a connection inside a transaction and leaves commit and rollback to its caller.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, RowMapping, Select, Table, delete, func, insert, select, text, update
from sqlalchemy.dialects import sqlite

from .damage import sound
from .errors import CodeTakenError, DamagedRowError, StoreUnavailableError
from .players import remove_unneeded
from .rows import MoveRow, RoomChange, RoomRow, SeatRow, Status
from .tables import boards, moves, results, rooms, said, seats, snapshots, visits

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql

MOST_NAMED = 1000  # rooms in one question

Values = Sequence[Any]
"""The values of a row, in the order of its columns."""

FoundRoom = RoomRow | DamagedRowError
"""A room in a list, or the damage that makes it unreadable."""

ROOM_FIELDS = tuple(field.name for field in fields(RoomRow) if field.name != "seats")
ROOM_COLUMNS = tuple(rooms.c[name] for name in ROOM_FIELDS)
SEAT_COLUMNS = tuple(seats.c[field.name] for field in fields(SeatRow))
EVERY_SEAT = select(seats.c.room, *SEAT_COLUMNS).order_by(seats.c.room, seats.c.seat)
MOVE_COLUMNS = tuple(moves.c[field.name] for field in fields(MoveRow))
LATEST_FIRST = select(moves.c.at).where(moves.c.room == rooms.c.code).order_by(moves.c.number.desc())
last_moved = func.coalesce(LATEST_FIRST.limit(1).scalar_subquery(), rooms.c.started_at)
"""When a room's game last moved, or else began."""

MOVES_OF_ALL = text("""
    SELECT place, number, seat, action, action_id, at, kind, made_by
    FROM unnest(CAST(:rooms AS text[]), CAST(:afters AS int[])) WITH ORDINALITY AS wanted (code, after, place)
    JOIN moves ON room = code AND number > after
    ORDER BY place, number
""").columns(at=moves.c.at.type)


def add_board(connection: Connection, digest: str, text: str) -> None:
    """Store a board's text under its digest, once."""
    insert_new(connection, boards, {"digest": digest, "text": text})


def find_board(connection: Connection, digest: str) -> str | None:
    return connection.scalar(select(boards.c.text).where(boards.c.digest == digest))


def create_room(connection: Connection, room: RoomRow) -> None:
    """Raises CodeTakenError."""
    if not insert_new(connection, rooms, room_values(room)):
        raise CodeTakenError(room.code)
    insert_seats(connection, room.code, room.seats)
    waiting_at = room.created_at if room.options.get("public") else None
    connection.execute(insert(visits).values(room=room.code, at=room.created_at, waiting_at=waiting_at))


def create_next(connection: Connection, code: str, room: RoomRow) -> str | None:
    """Create `room` as the one that follows room `code`, unless it has a successor; returns the successor's code.

    None without a room `code`. Simultaneous callers wait for each other and get the same one. Raises CodeTakenError.
    """
    locked = select(rooms.c.code).where(rooms.c.code == code).with_for_update(key_share=True)
    if connection.scalar(locked) is None:
        return None
    known = connection.scalar(select(rooms.c.next).where(rooms.c.code == code))
    if known is not None:
        return str(known)
    create_room(connection, room)
    connection.execute(update(rooms).where(rooms.c.code == code).values(next=room.code))
    return room.code


def find_room(connection: Connection, code: str) -> RoomRow | None:
    found = connection.execute(select(*ROOM_COLUMNS).where(rooms.c.code == code)).mappings().one_or_none()
    return None if found is None else room_row(found, seats_of(connection, [code]).get(code, []))


def change_room(connection: Connection, code: str, change: RoomChange) -> RoomRow | None:
    """Read the room, apply the pure function `change`, and write the differences; None without such a room.

    What `change` raises goes through, and nothing is written.
    """
    # the lock makes an ending wait for moves that are being stored; moves that come later find the room over
    locked = select(rooms.c.code).where(rooms.c.code == code).with_for_update()
    if connection.scalar(locked) is None:
        return None
    before = find_room(connection, code)
    assert before is not None
    after = change(before)
    write_room(connection, before, after)
    write_seats(connection, code, before.seats, after.seats)
    present = {seat.player for seat in after.seats}
    guests = [seat.player for seat in before.seats if seat.player and seat.guardian]
    remove_unneeded(connection, [guest for guest in guests if guest not in present])
    return after


def codes_of(connection: Connection, player: str) -> set[str]:
    """The codes of all rooms in which the player has a seat."""
    return set(connection.scalars(select(seats.c.room).where(seats.c.player == player)))


def rooms_of(connection: Connection, player: str, among: Sequence[Status], most: int) -> list[FoundRoom]:
    """The newest rooms of these statuses in which the player has a seat."""
    mine = select(seats.c.room).where(seats.c.player == player)
    newest_first = rooms.c.created_at.desc(), rooms.c.code
    query = select(*ROOM_COLUMNS).where(rooms.c.code.in_(mine), rooms.c.status.in_(among))
    return found_rooms(connection, query.order_by(*newest_first).limit(most))


def newest_rooms(connection: Connection, status: Status | None = None, most: int = 1000) -> list[tuple[FoundRoom, int]]:
    """The newest rooms, of one status or all, each with its number of moves."""
    wanted = [] if status is None else [rooms.c.status == status]
    newest_first = rooms.c.created_at.desc(), rooms.c.code
    newest = select(rooms.c.code).where(*wanted).order_by(*newest_first).limit(most)
    counted = select(moves.c.room, func.count()).where(moves.c.room.in_(newest)).group_by(moves.c.room)
    counts: dict[str, int] = {each[0]: each[1] for each in connection.execute(counted)}
    seated = gathered(connection, EVERY_SEAT.where(seats.c.room.in_(newest)))
    query = select(*ROOM_COLUMNS).where(rooms.c.code.in_(newest)).order_by(*newest_first)
    found = connection.execute(query).mappings().all()
    return [(found_room(room, seated.get(room["code"], [])), counts.get(room["code"], 0)) for room in found]


def statuses(connection: Connection, codes: Collection[str]) -> dict[str, Status]:
    """The status of each of these rooms that exists."""
    found: dict[str, Status] = {}
    for named in portions(codes):
        some = rooms.c.code.in_(named)
        found |= {each[0]: each[1] for each in connection.execute(select(rooms.c.code, rooms.c.status).where(some))}
    return found


def delete_room(connection: Connection, code: str) -> bool:
    """Remove a room and everything that belongs to it; False without such a room."""
    locked = select(rooms.c.code).where(rooms.c.code == code).with_for_update()
    if connection.scalar(locked) is None:
        return False
    delete_rooms(connection, [code])
    return True


def delete_rooms(connection: Connection, codes: Sequence[str]) -> None:
    """Remove locked rooms with everything that belongs to them, and players who are needed nowhere else."""
    people = people_of(connection, codes)
    connection.execute(update(rooms).where(rooms.c.next.in_(codes)).values(next=None))
    for key in (moves.c.room, results.c.room, said.c.room, seats.c.room, visits.c.room, snapshots.c.room, rooms.c.code):
        connection.execute(delete(key.table).where(key.in_(codes)))
    remove_unneeded(connection, people)


def people_of(connection: Connection, codes: Sequence[str]) -> list[str]:
    """The players whom these rooms name."""
    hosts = select(rooms.c.host).where(rooms.c.code.in_(codes))
    sitting = select(seats.c.player).where(seats.c.room.in_(codes), seats.c.player.is_not(None))
    talking = select(said.c.player).where(said.c.room.in_(codes))
    return list(connection.scalars(hosts.union(sitting, talking)))


def load_moves(connection: Connection, wanted: Sequence[tuple[str, int]]) -> list[list[MoveRow] | DamagedRowError]:
    """For each room the moves above a number, in order, or the damage in one of them."""
    if connection.dialect.name != "postgresql":
        return [move_rows(code, moves_of(connection, code, after)) for code, after in wanted]
    found: list[list[Sequence[Any]]] = [[] for _ in wanted]
    values = {"rooms": [code for code, _ in wanted], "afters": [after for _, after in wanted]}
    for place, *move in connection.execute(MOVES_OF_ALL, values):
        found[place - 1].append(move)
    return [move_rows(code, some) for (code, _), some in zip(wanted, found, strict=True)]


def moves_of(connection: Connection, code: str, after: int) -> Iterable[Sequence[Any]]:
    query = select(*MOVE_COLUMNS).where(moves.c.room == code, moves.c.number > after)
    return connection.execute(query.order_by(moves.c.number)).all()


def move_rows(code: str, found: Iterable[Sequence[Any]]) -> list[MoveRow] | DamagedRowError:
    try:
        return [sound(MoveRow(*move), "room", f"{code}, move {move[0]}") for move in found]
    except DamagedRowError as error:
        return error


def ping(connection: Connection) -> None:
    """Write without a change. On PostgreSQL it is enough to ask whether the database is read-only."""
    if connection.dialect.name != "postgresql":
        connection.exec_driver_sql("PRAGMA user_version=0")
    elif connection.scalar(text("SHOW transaction_read_only")) == "on":
        raise StoreUnavailableError("it can only be read")


def portions(names: Collection[str]) -> Iterable[Sequence[str]]:
    """In portions that one statement can name, sorted, so that all processes lock rows in the same order."""
    ordered = sorted(names)
    return (ordered[start : start + MOST_NAMED] for start in range(0, len(ordered), MOST_NAMED))


def insert_new(connection: Connection, table: Table, values: Mapping[str, Any]) -> bool:
    """Insert unless the primary key exists; returns whether it was inserted."""
    key = list(table.primary_key.columns)
    statement = insert_into(connection, table).values(values).on_conflict_do_nothing(index_elements=key)
    return connection.execute(statement.returning(*key)).first() is not None


def insert_into(connection: Connection, table: Table) -> "postgresql.Insert | sqlite.Insert":
    """An INSERT of the dialect, since each has its own way to handle conflicts."""
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql  # noqa: PLC0415 - SQLite does without it

    return postgresql.insert(table)


def room_values(room: RoomRow) -> dict[str, Any]:
    values = {name: getattr(room, name) for name in ROOM_FIELDS}
    lists = {"asked": json.dumps(room.asked), "barred": json.dumps(room.barred)}
    return values | {"options": json.dumps(room.options, sort_keys=True), **lists}


def found_rooms(connection: Connection, query: Select[Any]) -> list[FoundRoom]:
    """The rooms that a query for `ROOM_COLUMNS` finds, with their seats."""
    found = connection.execute(query).mappings().all()
    seated = seats_of(connection, [room["code"] for room in found])
    return [found_room(room, seated.get(room["code"], [])) for room in found]


def found_room(found: RowMapping, seated: Sequence[Values]) -> FoundRoom:
    """The room or its damage, so that a damaged room does not hide the others."""
    try:
        return room_row(found, seated)
    except DamagedRowError as error:
        return error


def room_row(found: RowMapping, seated: Sequence[Values]) -> RoomRow:
    code = found["code"]
    read = {
        "options": parsed(found["options"], code, "options"),
        "asked": parsed_list(found["asked"], code, "asked", str),
        "barred": tuple(map(tuple, parsed_list(found["barred"], code, "barred", list))),
    }
    taken = tuple(sound(SeatRow(*seat), "room", f"{code}, seat {seat[0]}") for seat in seated)
    return sound(RoomRow(**{**found, **read, "seats": taken}), "room", code)


def parsed_list(text: str, code: str, name: str, kind: type[Any]) -> tuple[Any, ...]:
    """A list of texts, or of pairs of texts."""
    found = parsed(text, code, name)
    if not isinstance(found, list) or not all(isinstance(each, kind) and is_plain(each) for each in found):
        raise DamagedRowError("room", code, f"`{name}` can't be read")
    return tuple(found)


def is_plain(value: Any) -> bool:
    return isinstance(value, str) or (len(value) == 2 and all(isinstance(part, str) for part in value))


def parsed(text: str, code: str, name: str) -> Any:
    try:
        return json.loads(text)
    except (TypeError, ValueError, RecursionError):
        raise DamagedRowError("room", code, f"`{name}` is no JSON") from None


def seats_of(connection: Connection, codes: Sequence[str]) -> dict[str, list[Values]]:
    return gathered(connection, EVERY_SEAT.where(seats.c.room.in_(codes)))


def gathered(connection: Connection, query: Select[Any]) -> dict[str, list[Values]]:
    """The seats of each room, unchecked."""
    seated: dict[str, list[Values]] = {}
    for room, *seat in connection.execute(query):
        seated.setdefault(room, []).append(seat)
    return seated


def write_room(connection: Connection, before: RoomRow, after: RoomRow) -> None:
    old, new = room_values(before), room_values(after)
    changed = {name: value for name, value in new.items() if value != old[name]}
    if changed:
        connection.execute(update(rooms).where(rooms.c.code == before.code).values(changed))


def write_seats(connection: Connection, code: str, before: Iterable[SeatRow], after: Iterable[SeatRow]) -> None:
    gone = [seat.seat for seat in set(before) - set(after)]
    if gone:
        connection.execute(delete(seats).where(seats.c.room == code, seats.c.seat.in_(gone)))
    insert_seats(connection, code, set(after) - set(before))


def insert_seats(connection: Connection, code: str, added: Iterable[SeatRow]) -> None:
    values = [seat_values(code, seat) for seat in added]
    if values:
        connection.execute(insert(seats).values(values))


def seat_values(code: str, seat: SeatRow) -> dict[str, Any]:
    return {"room": code} | {field.name: getattr(seat, field.name) for field in fields(SeatRow)}
