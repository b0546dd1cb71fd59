"""TypeScript types of everything the server tells the browser, made from the dataclasses: `python -m tools.typings`.

They are kept in `static/js/wire.d.ts`, by which the client's scripts are checked.
"""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from types import NoneType, UnionType
from typing import Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

from app.rules import Event
from app.rules.actions import ClaimRoute, DrawCard, DrawTickets, KeepTickets, Pass, PlaceToken
from app.rules.board import Board, DestinationTicket, Label, Location, Route, TokenStack
from app.rules.legal import Claim, Placement
from app.rules.scoring import Score, TicketScore
from app.rules.views import (
    Legal,
    LegalDraw,
    LegalKeep,
    OwnView,
    PublicHoldings,
    PublicView,
    StackView,
    TicketView,
)
from app.web.site import ROOT
from app.wire import RENAMED, Ack, Refused, RoomView, Said, SeatView, Spoken, Talked, WatcherView

TARGET = ROOT / "static" / "js" / "wire.d.ts"

ACTIONS = (KeepTickets, PlaceToken, DrawCard, DrawTickets, ClaimRoute, Pass)
EVENTS = get_args(Event)
BOARD = (Board, Location, Label, Route, DestinationTicket, TokenStack)
VIEW = (PublicView, OwnView, PublicHoldings, StackView, TicketView, Legal, LegalDraw, LegalKeep, Placement, Claim)
SCORES = (Score, TicketScore)
ROOM = (RoomView, SeatView, WatcherView, Ack, Refused, Said, Talked, Spoken)

NOT_SENT = (Route, "twin")
"""A board is sent as its file, which has no `twin`."""

TYPES = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    NoneType: "null",
    datetime: "string",
    Any: "unknown",
}

_NEXT = "\n  | "

TAIL = f"""
export type View = PublicView & OwnView & {{ deadline: string | null }};
export type Room = RoomView;
export type Action = {" | ".join(kind.__name__ for kind in ACTIONS)};
export type GameEvent = {{ version: number }} & (
  | {_NEXT.join(kind.__name__ for kind in EVENTS)}
);
export interface RoomMessage {{
  type: "room";
  room: Room;
  seat: number | null;
  view: View | null;
  events: GameEvent[];
}}
export interface Pong {{
  type: "pong";
}}
export type ServerMessage = RoomMessage | Ack | Refused | Said | Talked | Spoken | Pong;
"""


def typings() -> str:
    """The text of `wire.d.ts`."""
    kinds = (*BOARD, *VIEW, *SCORES, *ACTIONS, *EVENTS, *ROOM)
    head = "// Made by `python -m tools.typings` from the dataclasses of the rules and the wire.\n"
    return head + "".join(map(_interface, kinds)) + TAIL


def _interface(kind: type) -> str:
    fields = [(name, hint) for name, hint in get_type_hints(kind).items() if (kind, name) != NOT_SENT]
    lines = [f"  {RENAMED.get(name, name)}: {_type(hint)};" for name, hint in fields]
    return "\n".join([f"\nexport interface {kind.__name__} {{", *lines, "}\n"])


def _type(hint: Any) -> str:
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return " | ".join(map(_type, inner))
    if origin is Literal:
        return " | ".join(f'"{value}"' for value in inner)
    if origin is tuple:
        return _tuple(inner)
    if origin in (dict, Mapping):
        return f"Record<{_type(inner[0])}, {_type(inner[1])}>"
    return _plain_type(hint)


def _plain_type(hint: Any) -> str:
    if isinstance(hint, NewType):
        return _type(hint.__supertype__)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return " | ".join(f'"{member}"' for member in hint)
    return TYPES.get(hint) or str(hint.__name__)


def _tuple(inner: tuple[Any, ...]) -> str:
    if inner[1:] == (...,):
        item = _type(inner[0])
        return f"({item})[]" if "|" in item else f"{item}[]"
    return f"[{', '.join(map(_type, inner))}]"


if __name__ == "__main__":
    TARGET.write_text(typings(), "utf-8")
