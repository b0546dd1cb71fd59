"""The rows of the store. All times are aware and in UTC, to the microsecond."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

Status = Literal["lobby", "playing", "over"]


@dataclass(frozen=True, slots=True)
class PlayerRow:
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A place at the table: a player's, a bot's (`bot` is its level), or free when both are None."""

    seat: int
    player: str | None
    name: str
    bot: str | None
    nonce: str


@dataclass(frozen=True, slots=True)
class RoomRow:
    """A room without its moves. `board` is the digest of the board's text; `seed` is set when the game starts."""

    code: str
    status: Status
    host: str
    board: str
    board_id: str
    options: dict[str, Any]
    server_seed: bytes
    seed: bytes | None
    rules_version: int
    created_at: datetime
    started_at: datetime | None = None
    ended_at: datetime | None = None
    seats: tuple[SeatRow, ...] = ()


@dataclass(frozen=True, slots=True)
class MoveRow:
    """Move `number` (from 1) of a room; `action` is JSON text, `action_id` the id its client gave it."""

    number: int
    seat: int
    action: str
    action_id: str
    at: datetime


RoomChange = Callable[[RoomRow], RoomRow]
