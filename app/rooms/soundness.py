"""Checks whether a room's row is valid, beyond what the store checks. A row that is not has been damaged."""

from app.rules.game import SEATS
from app.rules.shuffle import DERIVATION
from app.store import DamagedRowError, RoomRow

FLAGS = ("public", "spectators")
SEED_BYTES = 32


def need_sound(row: RoomRow) -> RoomRow:
    """Return the row if it is valid.

    Raises:
        DamagedRowError: it is not.
    """
    if trouble := find_trouble(row):
        raise DamagedRowError("room", row.code, trouble)
    return row


def find_trouble(row: RoomRow) -> str | None:
    """What is wrong with a row, naming the column; None if it is valid."""
    seats = row.options.get("seats")
    if seats not in SEATS or not all(isinstance(row.options.get(flag), bool) for flag in FLAGS):
        return "`options` lacks something"
    if row.derivation not in range(1, DERIVATION + 1):
        return "`derivation` is not known"
    if len(row.server_seed) != SEED_BYTES:
        return f"`server_seed` has not {SEED_BYTES} bytes"
    if [seat.seat for seat in row.seats] != list(range(len(row.seats))) or len(row.seats) not in SEATS:
        return "one of its `seats` is missing"
    return _trouble_of_lobby(row) if row.status == "lobby" else _trouble_of_game(row)


def _trouble_of_lobby(row: RoomRow) -> str | None:
    if row.seed is not None:
        return "it has not begun, and has a `seed`"
    return None if len(row.seats) == row.options["seats"] else "one of its `seats` is missing"


def _trouble_of_game(row: RoomRow) -> str | None:
    if row.seed is None or len(row.seed) != SEED_BYTES:
        return f"`seed` has not {SEED_BYTES} bytes"
    if row.started_at is None:
        return "`started_at` is missing"
    if row.status == "over" and row.ended_at is None:
        return "`ended_at` is missing"
    if any(seat.is_free for seat in row.seats):
        return "nobody sits on one of its `seats`"
    return None
