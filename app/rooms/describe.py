"""The public part of a room, and the record of a finished game."""

from collections.abc import Collection, Iterable, Sequence
from typing import Literal

from app.rules import Viewer, score
from app.rules.shuffle import commitment
from app.store import DamagedRowError, MoveRow, RoomRow, SeatRow
from app.wire import Move, Record, Resumed, RoomView, SeatView, Seed, WatcherView, WireError

from .confusables import tell_apart
from .lobby import host_seat, names_of, seat_of
from .replica import Replica, entry_of

COLORS = ("red", "teal", "ochre", "plum")
"""The cable cars' colors, by seat (C2)."""


def describe(row: RoomRow, viewers: Sequence[Viewer], watchers: Iterable[tuple[str, str]]) -> RoomView:
    """The public part of a room. `viewers` has each follower's seat or None, `watchers` spectators' ids and names."""
    names = names_of(row)
    people = tuple(watchers)
    told_apart = tell_apart([(player[:4], name) for player, name in people], names)
    return RoomView(
        code=row.code,
        status=row.status,
        host=host_seat(row),
        board=row.board_id,
        options=row.options,
        commitment=commitment(row.server_seed),
        seats=_seats(row, viewers),
        spectators=viewers.count(None),
        watchers=tuple(
            WatcherView(player, name, player in row.asked) for (player, _), name in zip(people, told_apart, strict=True)
        ),
        next=row.next,
    )


def _seats(row: RoomRow, viewers: Collection[Viewer] = ()) -> tuple[SeatView, ...]:
    """A device that follows as one of its players counts as present for all of them."""
    devices = [seat.guardian or seat.player for seat in row.seats if seat.seat in viewers]
    named = zip(row.seats, names_of(row), strict=True)
    return tuple(_seat(row, seat, name, is_here=(seat.guardian or seat.player) in devices) for seat, name in named)


def _seat(row: RoomRow, seat: SeatRow, name: str, *, is_here: bool) -> SeatView:
    kind = _kind(seat)
    guardian = seat_of(row, seat.guardian)
    level = seat.driver if seat.is_bots else None
    return SeatView(seat.seat, name, COLORS[seat.seat], kind, is_here or kind == "bot", guardian, level)


def _kind(seat: SeatRow) -> Literal["human", "bot"] | None:
    if seat.is_bots:
        return "bot"
    return None if seat.player is None else "human"


def reveal(replica: Replica, moves: Sequence[MoveRow], rules: int) -> Record:
    """The record of a finished game, from which anyone can replay it. `rules` is the version that ended it.

    Raises:
        DamagedRowError: the moves are not those that were played.
    """
    row, game, base = replica.row, replica.game, replica.base
    assert game is not None
    assert row.seed is not None
    assert row.started_at is not None
    assert row.ended_at is not None
    if len(moves) != replica.number:
        raise DamagedRowError("room", row.code, f"it has {len(moves)} moves, and {replica.number} were played")
    return Record(
        code=row.code,
        rules_version=rules,
        board=replica.board.json,
        players=_seats(row),
        seed=_seed(row, row.seed),
        started_at=row.started_at,
        ended_at=row.ended_at,
        moves=tuple(_move(row.code, number, move) for number, move in enumerate(moves, start=1)),
        scores=score(game),
        resumed=None if base is None else Resumed(row.rules_version, base.position, base.number),
    )


def _move(code: str, number: int, move: MoveRow) -> Move:
    if move.number != number:
        raise DamagedRowError("room", code, f"move {number} is missing")
    try:
        entry = entry_of(move)
    except WireError as error:
        raise DamagedRowError("room", code, f"move {number} can't be read") from error
    return Move(number, move.seat, move.at, entry.action, entry.kind, move.made_by)


def _seed(row: RoomRow, seed: bytes) -> Seed:
    nonces = tuple(seat.nonce for seat in row.seats)
    return Seed(seed.hex(), row.server_seed.hex(), nonces, commitment(row.server_seed), row.derivation)
