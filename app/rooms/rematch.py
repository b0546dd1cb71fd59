"""The game after the game: one more room at the same board, with the same options and bots, for those who played."""

from dataclasses import replace

from app.rules import Seat
from app.store import PlayerRow, RoomRow, SeatRow

from .errors import Code, RefusedError
from .lobby import free, guests_of, is_free, join, seat_guest, seat_of, taken_seat


def need_end(row: RoomRow, player: str) -> None:
    """Refuse whoever did not play, and everybody before the end."""
    taken_seat(row, player)
    if row.status != "over":
        raise RefusedError(Code.NOT_STARTED, "The next game comes after the end of this one.", reason="rematch_early")


def seats_again(row: RoomRow, player: PlayerRow) -> tuple[SeatRow, ...]:
    """The seats of the next game: the player's, their guests' and the bots' as they were, all others free.

    No nonce is taken over: all are given once the server has committed itself to its part of the new seed.
    """
    mine = taken_seat(row, player.id)
    come_along = [seat for seat in row.seats if seat.bot is not None] + guests_of(row, player.id)
    taken = {seat.seat: replace(seat, nonce="") for seat in come_along}
    taken[mine] = SeatRow(mine, player.id, player.name, None, "")
    return tuple(taken.get(number) or free(number) for number in range(row.options["seats"]))


def sit_again(row: RoomRow, player: PlayerRow, before: RoomRow) -> RoomRow:
    """Give a player and their guests the seats they had before, or others while there are free ones."""
    if seat_of(row, player.id) is not None:
        return row
    row = join(row, player, "", taken_seat(before, player.id))
    for seat in guests_of(before, player.id):
        if seat.player is not None and any(is_free(each) for each in row.seats):
            row = seat_guest(row, player.id, PlayerRow(seat.player, seat.name), Seat(seat.seat))
    return row
