"""Queries for what people say to each other in rooms."""

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from sqlalchemy import Connection, delete, func, select

from .damage import sound
from .errors import DamagedRowError, UnknownRoomError
from .queries import insert_into
from .rows import Circle, LineRow
from .tables import rooms, said

KEPT = 500
"""Maximum number of lines of each talk; the oldest are deleted."""

LINE_COLUMNS = tuple(said.c[field.name] for field in fields(LineRow))


def say(connection: Connection, code: str, line: LineRow) -> LineRow:
    """Store a line with the next number of its talk. A message that was stored before returns the line it made.

    Raises:
        UnknownRoomError: the room was removed.
    """
    there = select(rooms.c.code).where(rooms.c.code == code).with_for_update(read=True, key_share=True)
    if connection.scalar(there) is None:
        raise UnknownRoomError(code)
    while (known := find_line(connection, code, line)) is None:
        numbered = replace(line, number=last_number(connection, code, line.talk) + 1)
        if insert_line(connection, code, numbered):
            forget_old(connection, code, numbered)
            return numbered
    return known


def load_lines(
    connection: Connection, code: str, talk: Circle, after: int, most: int
) -> list[LineRow | DamagedRowError]:
    """The newest lines of a talk with a number above `after`, in order."""
    newest = select(*LINE_COLUMNS).where(*of_talk(code, talk), said.c.number > after)
    found = connection.execute(newest.order_by(said.c.number.desc()).limit(most)).all()
    return [found_line(code, line) for line in reversed(found)]


def found_line(code: str, found: Sequence[Any]) -> LineRow | DamagedRowError:
    """The line or its damage."""
    try:
        return sound(LineRow(*found), "room", f"{code}, line {found[1]} of the {found[0]}")
    except DamagedRowError as error:
        return error


def find_line(connection: Connection, code: str, line: LineRow) -> LineRow | None:
    message = said.c.room == code, said.c.player == line.player, said.c.message_id == line.message_id
    found = connection.execute(select(*LINE_COLUMNS).where(*message)).one_or_none()
    return None if found is None else LineRow(*found)


def last_number(connection: Connection, code: str, talk: Circle) -> int:
    return connection.scalar(select(func.max(said.c.number)).where(*of_talk(code, talk))) or 0


def insert_line(connection: Connection, code: str, line: LineRow) -> bool:
    """Insert unless the number or the message id exists; returns whether it was inserted."""
    values = {"room": code} | {field.name: getattr(line, field.name) for field in fields(LineRow)}
    statement = insert_into(connection, said).values(values).on_conflict_do_nothing()
    return connection.execute(statement.returning(said.c.number)).first() is not None


def forget_old(connection: Connection, code: str, newest: LineRow) -> None:
    connection.execute(delete(said).where(*of_talk(code, newest.talk), said.c.number <= newest.number - KEPT))


def of_talk(code: str, talk: Circle) -> tuple[Any, ...]:
    return said.c.room == code, said.c.talk == talk
