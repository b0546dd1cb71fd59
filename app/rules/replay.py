"""Playing a record again."""

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from .actions import Action, IllegalActionError, Seat
from .events import Event
from .game import Game
from .play import play_on
from .table import Table


class EntryKind(StrEnum):
    """What an entry of a record is: a move, the taking back of the last move, or a pause."""

    MOVE = "move"
    TAKE_BACK = "take_back"
    PAUSE = "pause"


class Entry(NamedTuple):
    """An entry of a record, by the seat that made it. A move has an action, and nothing else has."""

    seat: Seat
    action: Action | None
    kind: EntryKind = EntryKind.MOVE


class ReplayError(Exception):
    """An entry can't have been made."""


def replay(start: Game, entries: Iterable[Entry], tell: Callable[[Event], None] | None = None) -> Iterator[Table]:
    """The table after each entry, whose position is `frozen()`; the next entry may change it in place.

    Raises:
        ReplayError: the rules refuse a move, or a seat takes back what is not the last move, or not its own.
    """
    table, moves = Table(start, tell), list[Entry]()
    for entry in entries:
        if (entry.kind is EntryKind.MOVE) != (entry.action is not None):
            raise ReplayError("a move has an action, and nothing else has")
        if entry.action is not None:
            _play(table, entry.seat, entry.action)
            moves.append(entry)
        elif entry.kind is EntryKind.TAKE_BACK:
            if not moves or moves.pop().seat != entry.seat:
                raise ReplayError("this seat has no move to take back")
            table = _again(start, moves, tell)
        yield table


def _play(table: Table, seat: Seat, action: Action) -> None:
    try:
        play_on(table, seat, action)
    except IllegalActionError as error:
        raise ReplayError(str(error)) from error


def _again(start: Game, moves: Iterable[Entry], tell: Callable[[Event], None] | None) -> Table:
    """The table after these moves, which were told already. Positions are not kept for the rare case of a take-back."""
    table = Table(start)
    for move in moves:
        if move.action is not None:
            play_on(table, move.seat, move.action)
    table.tell = tell
    return table
