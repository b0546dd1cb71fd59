"""Queries for the chat messages of rooms."""

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from sqlalchemy import Connection, delete, func, select

from .damage import sound
from .errors import DamagedRowError, UnknownRoomError
from .queries import insert_into
from .rows import Circle, MessageRow
from .tables import rooms, said

KEPT = 500
"""Maximum messages kept of each chat; the oldest are deleted."""

MESSAGE_COLUMNS = tuple(said.c[field.name] for field in fields(MessageRow))


def say(connection: Connection, code: str, message: MessageRow) -> MessageRow:
    """Store a message with the next number of its chat. If its id was stored before, return that message.

    Raises:
        UnknownRoomError: the room was removed.
    """
    there = select(rooms.c.code).where(rooms.c.code == code).with_for_update(read=True, key_share=True)
    if connection.scalar(there) is None:
        raise UnknownRoomError(code)
    while (known := find_message(connection, code, message)) is None:
        numbered = replace(message, number=last_number(connection, code, message.talk) + 1)
        if insert_message(connection, code, numbered):
            forget_old(connection, code, numbered)
            return numbered
    return known


def load_messages(
    connection: Connection, code: str, talk: Circle, after: int, most: int
) -> list[MessageRow | DamagedRowError]:
    """The newest messages of a chat with a number above `after`, in order."""
    newest = select(*MESSAGE_COLUMNS).where(*of_talk(code, talk), said.c.number > after)
    found = connection.execute(newest.order_by(said.c.number.desc()).limit(most)).all()
    return [found_message(code, message) for message in reversed(found)]


def found_message(code: str, found: Sequence[Any]) -> MessageRow | DamagedRowError:
    """The message or its damage."""
    try:
        return sound(MessageRow(*found), "room", f"{code}, message {found[1]} of the {found[0]}")
    except DamagedRowError as error:
        return error


def find_message(connection: Connection, code: str, message: MessageRow) -> MessageRow | None:
    same = said.c.room == code, said.c.player == message.player, said.c.message_id == message.message_id
    found = connection.execute(select(*MESSAGE_COLUMNS).where(*same)).one_or_none()
    return None if found is None else MessageRow(*found)


def last_number(connection: Connection, code: str, talk: Circle) -> int:
    return connection.scalar(select(func.max(said.c.number)).where(*of_talk(code, talk))) or 0


def insert_message(connection: Connection, code: str, message: MessageRow) -> bool:
    """Insert unless the number or the message id exists; returns whether it was inserted."""
    values = {"room": code} | {field.name: getattr(message, field.name) for field in fields(MessageRow)}
    statement = insert_into(connection, said).values(values).on_conflict_do_nothing()
    return connection.execute(statement.returning(said.c.number)).first() is not None


def forget_old(connection: Connection, code: str, newest: MessageRow) -> None:
    connection.execute(delete(said).where(*of_talk(code, newest.talk), said.c.number <= newest.number - KEPT))


def of_talk(code: str, talk: Circle) -> tuple[Any, ...]:
    return said.c.room == code, said.c.talk == talk
