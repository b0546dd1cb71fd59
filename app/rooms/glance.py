"""A table at a glance, as one of its players sees it in a list."""

from dataclasses import dataclass

from app.rules import Game, Score, score
from app.store import RoomRow, Status

from .errors import RefusedError
from .lobby import names_of, own_seats, seat_of
from .rooms import Rooms


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
