"""The rows of the store. All times are aware and in UTC, to the microsecond."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

Status = Literal["lobby", "playing", "over"]
Circle = Literal["players", "spectators"]
"""Who talks with whom."""
EntryKind = Literal["move", "take_back", "pause"]
Maker = Literal["owner", "stand_in", "clock"]
"""Who has made an entry for a seat."""


@dataclass(frozen=True, slots=True)
class PlayerRow:
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Agent:
    """The kind of browser and its system, None where it is not known."""

    browser: str | None = None
    system: str | None = None


@dataclass(frozen=True, slots=True)
class DeviceRow:
    """Where a player is signed in."""

    id: str
    created_at: datetime
    used_at: datetime
    agent: Agent


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A token that is valid. `is_new`: it has not been used yet; `is_replaced`: it is valid for a short while only."""

    player: PlayerRow
    device: str
    created_at: datetime
    used_at: datetime
    renewed_at: datetime | None
    is_new: bool
    is_replaced: bool


@dataclass(frozen=True, slots=True)
class InstallationRow:
    id: str
    key: bytes
    created_at: datetime
    counted_from: datetime


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A place at the table. Its owner is a `player`, or a bot where there is none.

    `driver` is the level of the bot that decides for the seat: the bot whose seat it is, or a player's stand-in.
    `guardian` is set for a guest, who has no token: the player, seated at the same table, whose device they share.
    """

    seat: int
    player: str | None
    name: str
    driver: str | None
    nonce: str
    guardian: str | None = None

    @property
    def is_free(self) -> bool:
        """Whether nobody has this seat."""
        return self.player is None and self.driver is None

    @property
    def is_bots(self) -> bool:
        """Whether a bot has this seat for its own."""
        return self.player is None and self.driver is not None


@dataclass(frozen=True, slots=True)
class RoomRow:
    """A room without its moves. `board` is the digest of the board's text; `seed` is set when the game starts.

    `next` is the room of the rematch, `asked` are the spectators whom the host asks to sit down, `barred` the players
    who may not come, by id and name.
    `derivation` says how the seed comes about; rooms made before there was another have 1.
    """

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
    next: str | None = None
    asked: tuple[str, ...] = ()
    barred: tuple[tuple[str, str], ...] = ()
    derivation: int = 1
    seats: tuple[SeatRow, ...] = ()


@dataclass(frozen=True, slots=True)
class MoveRow:
    """Entry `number` (from 1) of a room's record: a move, or something else that a seat has done.

    `action` is JSON text, which is `null` where the entry is no move; `action_id` is the id its client gave it.
    """

    number: int
    seat: int
    action: str
    action_id: str
    at: datetime
    kind: EntryKind = "move"
    made_by: Maker = "owner"


@dataclass(frozen=True, slots=True)
class MessageRow:
    """Message `number` (from 1) of a chat: a text, or the id of a premade phrase."""

    talk: Circle
    number: int
    player: str
    name: str
    message_id: str
    phrase: str | None
    text: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class SnapshotRow:
    """The position after a move, by the rules of a version."""

    room: str
    rules_version: int
    number: int
    position: str


RoomChange = Callable[[RoomRow], RoomRow]
