"""The game after the game: one more room at the same board, with the same options and bots, for those who played."""

from dataclasses import replace

from app.rules import Seat
from app.store import PlayerRow, RoomRow, SeatRow

from .errors import Code, RefusedError
from .lobby import free, taken_seat


def need_end(row: RoomRow, player: str) -> Seat:
    """The seat of one who played, after the end."""
    seat = taken_seat(row, player)
    if row.status != "over":
        raise RefusedError(Code.NOT_STARTED, "The next game comes after the end of this one.", reason="rematch_early")
    return seat


def seats_again(row: RoomRow, player: PlayerRow) -> tuple[SeatRow, ...]:
    """The seats of the next game: the player's and the bots' as they were, all others free, for whoever comes.

    No nonce is taken over: all are given once the server has committed itself to its part of the new seed.
    """
    mine = taken_seat(row, player.id)
    taken = {seat.seat: replace(seat, nonce="") for seat in row.seats if seat.bot is not None}
    taken[mine] = SeatRow(mine, player.id, player.name, None, "")
    return tuple(taken.get(number) or free(number) for number in range(row.options["seats"]))
