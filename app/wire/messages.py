"""The messages and answers of the server, as dataclasses whose fields are those of the protocol."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

import orjson

from app.rules import Action, EntryKind, Event, Score, Snapshot, Viewer

PONG = b'{"type":"pong"}'


@dataclass(frozen=True, slots=True)
class Player:
    """A new player. No other answer has the token."""

    player: str
    name: str
    token: str


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player, as shown to that player."""

    player: str
    name: str


@dataclass(frozen=True, slots=True)
class Device:
    """A device on which a player is signed in; `browser` and `system` are None if unknown.

    `used_at` is exact to the hour. `current` marks the device that asks.
    """

    id: str
    browser: str | None
    system: str | None
    created_at: datetime
    used_at: datetime
    current: bool


@dataclass(frozen=True, slots=True)
class Devices:
    """The devices on which a player is signed in."""

    devices: tuple[Device, ...]


@dataclass(frozen=True, slots=True)
class Opening:
    """A new room, its address, and the commitment to the server's part of its seed."""

    code: str
    url: str
    commitment: str


@dataclass(frozen=True, slots=True)
class NextRoom:
    """The room of a rematch, and the commitment to the server's part of its seed."""

    code: str
    commitment: str


@dataclass(frozen=True, slots=True)
class Joined:
    """A player's seat, and the nonce that counts for it."""

    seat: int
    nonce: str


@dataclass(frozen=True, slots=True)
class Played:
    """The version of the game after an action."""

    version: int


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A public table: its number of seats, how many of them are free, and who sits there."""

    code: str
    board: str
    seats: int
    free: int
    names: tuple[str, ...]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class OpenTables:
    """The public tables, newest first."""

    rooms: tuple[OpenTable, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """A one-time link to sign in on another device, for how long it is valid, and its QR code as SVG."""

    url: str
    seconds: int
    qr: str


@dataclass(frozen=True, slots=True)
class LinkOwner:
    """The player whom a link signs in."""

    player: str
    name: str


@dataclass(frozen=True, slots=True)
class SeatView:
    """A place at a table. `kind` None is a free seat, and its name is empty.

    `guardian` is the seat of the player on whose device a guest plays, None for everybody else. `level` is a bot's.
    """

    seat: int
    name: str
    color: str
    kind: Literal["human", "bot"] | None
    connected: bool
    guardian: int | None = None
    level: str | None = None


@dataclass(frozen=True, slots=True)
class WatcherView:
    """A spectator with a name. `asked`: whether the host has invited them to sit down."""

    player: str
    name: str
    asked: bool


@dataclass(frozen=True, slots=True)
class Bar:
    """A player who is barred from a room, by the name that the host knows."""

    player: str
    name: str


@dataclass(frozen=True, slots=True)
class Bars:
    """The players who are barred from a room."""

    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class RoomView:
    """A room, as shown to everybody. `host` is a seat, or None if no seated player can be host."""

    code: str
    status: Literal["lobby", "playing", "over"]
    host: int | None
    board: str
    options: dict[str, Any]
    commitment: str
    seats: tuple[SeatView, ...]
    spectators: int
    watchers: tuple[WatcherView, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class Ack:
    """The action was played; the game has this version."""

    id: str
    version: int
    type: Literal["ack"] = "ack"


@dataclass(frozen=True, slots=True)
class Refused:
    """The action was not played. `id` is None if the message was unreadable."""

    id: str | None
    code: str
    detail: str
    version: int
    reason: str | None
    facts: dict[str, int]
    type: Literal["refused"] = "refused"


@dataclass(frozen=True, slots=True)
class Said:
    """A chat message: a text, or the id of a premade phrase. `seat` is the author's current one, or None."""

    number: int
    at: datetime
    talk: Literal["players", "spectators"]
    seat: int | None
    player: str
    name: str
    phrase: str | None
    text: str | None
    type: Literal["said"] = "said"


@dataclass(frozen=True, slots=True)
class Talked:
    """The latest chat messages."""

    said: tuple[Said, ...]
    type: Literal["talk"] = "talk"


@dataclass(frozen=True, slots=True)
class Spoken:
    """A chat message was stored, with this number in its chat."""

    id: str
    talk: Literal["players", "spectators"]
    number: int
    type: Literal["spoken"] = "spoken"


@dataclass(frozen=True, slots=True)
class Messages:
    """What a socket would have sent since the last answer. `closed`: why the session ended."""

    session: str
    after: int
    messages: tuple[dict[str, Any], ...]
    closed: str | None


@dataclass(frozen=True, slots=True)
class Move:
    """An entry of the record: a move, or something else that a seat did, which has no action.

    The records of older versions hold moves only, and don't say who made them: it was the seat's owner.
    """

    number: int
    seat: int
    at: datetime
    action: Action | None
    kind: EntryKind = EntryKind.MOVE
    made_by: Literal["owner", "stand_in", "clock"] = "owner"


@dataclass(frozen=True, slots=True)
class Seed:
    """Where the randomness came from: `seed` is derived from the server's part and the nonces; bytes are in hex.

    The records of older versions don't name the derivation: it was 1.
    """

    seed: str
    server_part: str
    nonces: tuple[str, ...]
    commitment: str
    derivation: int = 1


@dataclass(frozen=True, slots=True)
class Resumed:
    """What a game that was begun by older rules went on from: a position that is taken as it is, after entry `number`.

    The records of older versions don't name the number: it was the position's version.
    """

    rules_version: int
    position: Snapshot
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """The record of a finished game. `resumed` is set only if the rules changed during the game."""

    code: str
    rules_version: int
    board: dict[str, Any]
    players: tuple[SeatView, ...]
    seed: Seed
    started_at: datetime
    ended_at: datetime
    moves: tuple[Move, ...]
    scores: tuple[Score, ...]
    resumed: Resumed | None = None


def dump(message: object) -> bytes:
    """One of these dataclasses as JSON, with times in UTC with a `Z`."""
    return orjson.dumps(message, option=orjson.OPT_UTC_Z)


def compact(encoded: bytes) -> bytes:
    """A copy to be kept, because the encoder's buffers are up to four times as long as the text."""
    return bytes(memoryview(encoded))


def dump_event(event: Event, version: int) -> bytes:
    """An event, after `seen_by`, with the version of the game after it."""
    return orjson.dumps({"version": version, **event._asdict()})


def dump_room_message(room: bytes, seat: Viewer, view: bytes, events: Iterable[bytes]) -> bytes:
    """The message with everything a listener may see, made of encoded parts."""
    happened = b",".join(events)
    return b"".join((ROOM, room, SEAT, orjson.dumps(seat), VIEW, view, EVENTS, happened, END))


ROOM, SEAT, VIEW, EVENTS, END = b'{"type":"room","room":', b',"seat":', b',"view":', b',"events":[', b"]}"
