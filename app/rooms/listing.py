"""Lists of rooms: a player's own, and those that take anybody."""

from dataclasses import dataclass
from datetime import timedelta

from app.rules import Game, Score, score
from app.store import RoomRow, Status, visits
from app.wire import OpenTable

from . import lobby
from .context import Context
from .errors import RefusedError
from .lobby import names_of, own_seats, seat_of
from .room import Room
from .rooms import Rooms
from .soundness import find_trouble

WAITING_LASTS = timedelta(seconds=75)
"""After so long without a sign of its host a table is no longer offered."""

MOST_OFFERED = 30
"""Tables that are offered at a time."""


@dataclass(frozen=True, slots=True)
class Glance:
    """`waits_for` are the names of those to act, and `mine` is whether the player, or a guest, is one of them."""

    code: str
    status: Status
    names: tuple[str, ...]
    free: int
    mine: bool = False
    waits_for: tuple[str, ...] = ()
    result: Score | None = None


async def glance(rooms: Rooms, row: RoomRow, player: str) -> Glance:
    """A table of a player. A game that can't be loaded now is shown without what only the game tells."""
    names = tuple(filter(None, names_of(row)))
    free = len(row.seats) - len(names)
    if row.status == "lobby":
        return Glance(row.code, row.status, names, free)
    try:
        room = await rooms.find(row.code)
    except RefusedError:
        return Glance(row.code, row.status, names, free)
    if room.game is None:
        return Glance(row.code, row.status, names, free)
    return _of_game(room.row, room.game, player, names)


def _of_game(row: RoomRow, game: Game, player: str, names: tuple[str, ...]) -> Glance:
    seat = seat_of(row, player)
    if row.status == "over":
        result = None if seat is None else score(game)[seat]
        return Glance(row.code, row.status, names, 0, result=result)
    shown = names_of(row)
    waits_for = tuple(shown[each] for each in game.to_act)
    mine = any(each in game.to_act for each in own_seats(row, player))
    return Glance(row.code, row.status, names, 0, mine=mine, waits_for=waits_for)


async def open_tables(context: Context) -> list[OpenTable]:
    """The tables that take anybody, a few of each host: in their lobby, with a free seat, the host at hand."""
    now = context.now()
    rows = await context.store.read_list(visits.waiting_rooms, now - WAITING_LASTS, now + WAITING_LASTS, MOST_OFFERED)
    return [_offered(row) for row in rows if find_trouble(row) is None and row.options["public"]]


async def set_public(context: Context, room: Room, player: str, *, public: bool) -> None:
    """Host: offer the table to everybody from now on, or no longer."""
    await room.change(lambda row: lobby.set_public(row, player, public=public))
    await context.store.write(visits.note_waiting, [room.code], context.now() if public else None)


def _offered(row: RoomRow) -> OpenTable:
    """What is told of a table to those who look for one."""
    names = tuple(filter(None, names_of(row)))
    return OpenTable(row.code, row.board_id, len(row.seats), len(row.seats) - len(names), names, row.created_at)
