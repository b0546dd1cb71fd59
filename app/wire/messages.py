"""What the server sends, as dataclasses whose fields are the contract's, and as bytes."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

import orjson

from app.rules import Action, EntryKind, Event, Score, Snapshot, Viewer

PONG = b'{"type":"pong"}'


@dataclass(frozen=True, slots=True)
class Player:
    """The answer to who wants to play: the token is told this once."""

    player: str
    name: str
    token: str


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player as the player may see it."""

    player: str
    name: str


@dataclass(frozen=True, slots=True)
class Device:
    """Where a player is signed in: the kind of browser and its system, None where it is not known.

    `used_at` is exact to the hour; `current` is the device that asks.
    """

    id: str
    browser: str | None
    system: str | None
    created_at: datetime
    used_at: datetime
    current: bool


@dataclass(frozen=True, slots=True)
class Devices:
    """Where a player is signed in."""

    devices: tuple[Device, ...]


@dataclass(frozen=True, slots=True)
class Opening:
    """A new room, where it is found, and the commitment to the server's part of its seed."""

    code: str
    url: str
    commitment: str


@dataclass(frozen=True, slots=True)
class NextRoom:
    """The room of the game after the game, and the commitment to the server's part of its seed."""

    code: str
    commitment: str


@dataclass(frozen=True, slots=True)
class Joined:
    """The seat a player has, and the nonce that counts for it."""

    seat: int
    nonce: str


@dataclass(frozen=True, slots=True)
class Played:
    """The version that an action made."""

    version: int


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table that takes anybody: how many seats it has, how many are free, and who sits there already."""

    code: str
    board: str
    seats: int
    free: int
    names: tuple[str, ...]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class OpenTables:
    """The tables that take anybody, the newest first."""

    rooms: tuple[OpenTable, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """A one-time link by which its player goes on with another device: good for so long, and its QR code as SVG."""

    url: str
    seconds: int
    qr: str


@dataclass(frozen=True, slots=True)
class LinkOwner:
    """Who one would become by a link."""

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
    """A spectator with a name; whether the host asks this one to sit down."""

    player: str
    name: str
    asked: bool


@dataclass(frozen=True, slots=True)
class Bar:
    """A player who may not come to a room, by the name that the host knows."""

    player: str
    name: str


@dataclass(frozen=True, slots=True)
class Bars:
    """All of them, as the host may know."""

    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class RoomView:
    """A room as all may see it. `host` is a seat, None when nobody who could be host sits here."""

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
    """The action has been played, and the game is at this version."""

    id: str
    version: int
    type: Literal["ack"] = "ack"


@dataclass(frozen=True, slots=True)
class Refused:
    """The action has not been played. `id` None: the message could not be read so far."""

    id: str | None
    code: str
    detail: str
    version: int
    reason: str | None
    facts: dict[str, int]
    type: Literal["refused"] = "refused"


@dataclass(frozen=True, slots=True)
class Said:
    """A line of talk: words, or the id of a premade phrase. `seat` is the one its speaker has now, None without one."""

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
    """The latest lines of talk."""

    said: tuple[Said, ...]
    type: Literal["talk"] = "talk"


@dataclass(frozen=True, slots=True)
class Spoken:
    """A line has been said, and has this number in this talk."""

    id: str
    talk: Literal["players", "spectators"]
    number: int
    type: Literal["spoken"] = "spoken"


@dataclass(frozen=True, slots=True)
class Messages:
    """What a socket would have told since the last answer. `closed`: why the session is over."""

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
    """What chance came from: `seed` is mixed from the server's part and the nonces, both bytes in hex.

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
    """A finished game, whole. `resumed` only where the rules changed while it went on."""

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
    """Any of the dataclasses above as JSON; times as UTC with a `Z`."""
    return orjson.dumps(message, option=orjson.OPT_UTC_Z)


def compact(encoded: bytes) -> bytes:
    """The same in as much memory as it needs, to be kept: the encoder leaves room for a lot more."""
    return bytes(memoryview(encoded))


def dump_event(event: Event, version: int) -> bytes:
    """An event, already as its viewer may see it, with the version of the game it led to."""
    return orjson.dumps({"version": version, **event._asdict()})


def dump_room_message(room: bytes, seat: Viewer, view: bytes, events: Iterable[bytes]) -> bytes:
    """The message that tells a listener everything, its own seat too; the large parts are encoded already."""
    happened = b",".join(events)
    return b"".join((ROOM, room, SEAT, orjson.dumps(seat), VIEW, view, EVENTS, happened, END))


ROOM, SEAT, VIEW, EVENTS, END = b'{"type":"room","room":', b',"seat":', b',"view":', b',"events":[', b"]}"
