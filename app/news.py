"""The messages between processes on the bus. They are parsed strictly, since a stranger may publish there too."""

import re
from collections.abc import Callable
from enum import StrEnum
from typing import Any

import orjson

MOST_BYTES = 32 * 1024
"""Maximum bytes of a message; the longest, with 50 spectators' names, takes a quarter of that."""

MOST_FOLLOWERS = 10_000
"""Maximum followers of a room at one process: no process has more sockets."""

MOST_NAMED = 50
"""Maximum spectators of one process that are listed by name."""

MOST_SEATED = 16
LONGEST_NAME = 200

Named = tuple[str, str]
"""A player's id and name."""

Followers = tuple[tuple[str, ...], int, tuple[Named, ...]]
"""The players with a seat who follow, by id; the number of the others; those of them who have a name."""


class News(StrEnum):
    """The kinds of messages."""

    MOVED = "moved"
    """The room is at the entry whose number is the text."""

    CHANGED = "changed"
    """The room's row has changed; the text names the process that changed it."""

    SAID = "said"
    """There are new chat messages; the text names the process that stored them."""

    HERE = "here"
    """Who follows the room at a process."""

    WHO = "who"
    """A request to each process to tell who follows the room there."""

    ALIVE = "alive"
    """A process is alive. Sent to all processes and for no room, like GONE and PLAYER, and WHO to one process."""

    GONE = "gone"
    """A process is stopping."""

    PLAYER = "player"
    """A player's name, tokens or devices have changed; the text is the player's id."""

    MISSED = "missed"
    """Made by the bus itself, never sent: messages up to now may have been lost."""


def parse_news(message: bytes, *, of_room: bool) -> tuple[News, str] | None:
    """The kind and text of a message on a room's channel, or on that of all processes; None for one of no known form.

    Of a text that is given `int` or `parse_followers` can read what they are for.
    """
    if len(message) > MOST_BYTES:
        return None
    try:
        kind, _, text = message.decode().partition(" ")
    except UnicodeDecodeError:
        return None
    is_right = (OF_ROOMS if of_room else OF_PROCESSES).get(kind)
    return (News(kind), text) if is_right is not None and is_right(text) else None


def parse_followers(text: str) -> tuple[str, Followers] | None:
    """A process, and who follows a room there."""
    process, _, told = text.partition(" ")
    try:
        found = orjson.loads(told)
    except orjson.JSONDecodeError:
        return None
    if not is_process(process) or not isinstance(found, list) or len(found) not in (2, 3):
        return None
    players, others, *rest = found
    named = rest[0] if rest else []  # processes of before did not tell it
    if not (is_list_of(is_player, players, MOST_SEATED) and is_list_of(is_named, named, MOST_NAMED)):
        return None
    if type(others) is not int or not 0 <= others <= MOST_FOLLOWERS:
        return None
    return process, (tuple(players), others, tuple((player, name) for player, name in named))


def is_list_of(is_right: Callable[[Any], bool], found: Any, most: int) -> bool:
    return isinstance(found, list) and len(found) <= most and all(map(is_right, found))


def is_named(found: Any) -> bool:
    match found:
        case [player, str(name)]:
            return is_player(player) and len(name) <= LONGEST_NAME
    return False


def is_player(found: Any) -> bool:
    return isinstance(found, str) and re.fullmatch("[A-Za-z0-9_-]{1,64}", found) is not None


def is_process(text: str) -> bool:
    return re.fullmatch("[0-9a-f]{16}", text) is not None


def is_number(text: str) -> bool:
    return re.fullmatch("[0-9]{1,10}", text) is not None


def is_here(text: str) -> bool:
    return parse_followers(text) is not None


def is_empty(text: str) -> bool:
    return not text


OF_ROOMS: dict[str, Callable[[str], bool]] = {
    News.MOVED: is_number,
    News.CHANGED: is_process,
    News.SAID: is_process,
    News.HERE: is_here,
    News.WHO: is_empty,
}

OF_PROCESSES: dict[str, Callable[[str], bool]] = {
    News.ALIVE: is_process,
    News.GONE: is_process,
    News.WHO: is_process,
    News.PLAYER: is_player,
}
