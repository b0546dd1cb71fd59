"""Lists of rooms: a player's own, and the open tables."""

from dataclasses import dataclass
from datetime import timedelta

from app.rules import Game, Score
from app.store import RoomRow, Status, queries, results, visits
from app.wire import OpenTable, WireError, parse_end

from . import lobby
from .context import Context
from .errors import RefusedError
from .lobby import names_of, own_seats, seat_of
from .room import Room
from .rooms import Rooms
from .soundness import find_trouble

MOST_UNFINISHED, MOST_FINISHED = 20, 5
"""Maximum tables of a player that are listed."""

UNFINISHED: tuple[Status, ...] = ("lobby", "playing")

WAITING_LASTS = timedelta(seconds=75)
"""How long after its host was last seen a table stays in the list."""

MOST_OFFERED = 30
"""Maximum open tables in the list."""


@dataclass(frozen=True, slots=True)
class Glance:
    """A table as one of its players sees it in a list.

    `waits_for` are the names of those who must act; `mine` is whether the player or a guest of theirs is among them.
    """

    code: str
    status: Status
    names: tuple[str, ...]
    free: int
    mine: bool = False
    waits_for: tuple[str, ...] = ()
    result: Score | None = None


async def tables_of(context: Context, rooms: Rooms, player: str) -> list[Glance]:
    """A player's tables: first where it is their turn, then other games, lobbies, and the latest finished games."""
    unfinished = await context.store.read_list(queries.rooms_of, player, UNFINISHED, MOST_UNFINISHED)
    finished = await context.store.read_list(queries.rooms_of, player, ("over",), MOST_FINISHED)
    stored = await context.store.read(results.results_of, [row.code for row in finished])
    shown = [await _unfinished(rooms, row, player) for row in unfinished]
    shown += [_finished(row, player, stored.get(row.code)) for row in finished]
    return sorted(shown, key=lambda each: (each.status == "over", not each.mine, each.status == "lobby"))


async def _unfinished(rooms: Rooms, row: RoomRow, player: str) -> Glance:
    """List a table. If its game can't be loaded now, leave out what only the game tells."""
    names = _names(row)
    if row.status == "lobby":
        return Glance(row.code, row.status, names, len(row.seats) - len(names))
    try:
        room = await rooms.find(row.code)
    except RefusedError:
        return Glance(row.code, row.status, names, 0)
    return Glance(row.code, row.status, names, 0) if room.game is None else _playing(room.row, room.game, player)


def _playing(row: RoomRow, game: Game, player: str) -> Glance:
    shown = names_of(row)
    waits_for = tuple(shown[each] for each in game.to_act)
    mine = any(each in game.to_act for each in own_seats(row, player))
    return Glance(row.code, row.status, _names(row), 0, mine=mine, waits_for=waits_for)


def _finished(row: RoomRow, player: str, stored: str | None) -> Glance:
    """List a finished game, without its result if that is not stored yet or can't be parsed."""
    seat, result = seat_of(row, player), None
    if stored is not None and seat is not None:
        try:
            result = parse_end(stored).scores[seat]
        except (WireError, IndexError):
            result = None
    return Glance(row.code, row.status, _names(row), 0, result=result)


def _names(row: RoomRow) -> tuple[str, ...]:
    return tuple(filter(None, names_of(row)))


async def open_tables(context: Context) -> list[OpenTable]:
    """The open tables, a few of each host: public lobbies with a free seat whose host is there."""
    now = context.now()
    rows = await context.store.read_list(visits.waiting_rooms, now - WAITING_LASTS, now + WAITING_LASTS, MOST_OFFERED)
    return [_offered(row) for row in rows if find_trouble(row) is None and row.options["public"]]


async def set_public(context: Context, room: Room, player: str, *, public: bool) -> None:
    """Let the host list the table among the open ones, or stop that."""
    await room.change(lambda row: lobby.set_public(row, player, public=public))
    await context.store.write(visits.note_waiting, [room.code], context.now() if public else None)


def _offered(row: RoomRow) -> OpenTable:
    names = _names(row)
    return OpenTable(row.code, row.board_id, len(row.seats), len(row.seats) - len(names), names, row.created_at)
