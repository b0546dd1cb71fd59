"""Reading a board from JSON. A wrong file is refused with the file, the place in it and what is wrong."""

import json
import re
from collections.abc import Callable
from dataclasses import fields, replace
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

from .board import (
    Board,
    DestinationTicket,
    Ends,
    Label,
    Location,
    LocationId,
    Route,
    RouteId,
    Symbol,
    TicketId,
    TokenStack,
)
from .boardcheck import check_board
from .boarderror import BoardError
from .cards import Card
from .game import LAST_TURNS_AT
from .jsonreader import Node, each_once, no_constant

T = TypeVar("T")

_BUILT_IN = files(__package__) / "boards"
_PLAIN_ID = re.compile(r"[a-z0-9-]+")


def load_board(id_or_path: str | Path) -> Board:
    """The board of that id among those built in, or of that file.

    Raises:
        BoardError: there is no such board or file, or it is wrong.
    """
    name = str(id_or_path)
    source = _BUILT_IN / f"{name}.json" if _PLAIN_ID.fullmatch(name) else Path(id_or_path)
    try:
        text = source.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise BoardError(name, "", f"no board can be read here ({type(error).__name__})") from error
    return parse_board(text, name)


def parse_board(text: str, source: str) -> Board:
    """The board that a JSON text describes; `source` names it in errors.

    Raises:
        BoardError: the text is no JSON, misses something, or describes a board that can't be played.
    """
    try:
        value = json.loads(text, object_pairs_hook=each_once, parse_constant=no_constant)
    except (ValueError, RecursionError) as error:
        raise BoardError(source, "", f"this is not JSON: {error}") from error
    board = _board(Node(source, "", value))
    check_board(board, source)
    return board


def _board(node: Node) -> Board:
    at = node.fields(*(field.name for field in fields(Board)))
    left, top, width, height = (item.number() for item in at["viewbox"].items(4))
    return Board(
        id=at["id"].id(),
        name=at["name"].text(),
        viewbox=(left, top, width, height),
        colors=_each(at["colors"], lambda item: Card(item.id())),
        cards_per_color=at["cards_per_color"].whole(1),
        ferry_cards=at["ferry_cards"].whole(0),
        cars_per_player=at["cars_per_player"].whole(LAST_TURNS_AT + 1),
        route_points={_length(item, length): item.whole(0) for length, item in at["route_points"].entries().items()},
        token_points=_each(at["token_points"], lambda item: item.whole(0)),
        token_stacks=_each(at["token_stacks"], _token_stack),
        locations=_each(at["locations"], _location),
        routes=_with_twins(_each(at["routes"], _route)),
        tickets=_each(at["tickets"], _ticket),
    )


def _each(node: Node, read: Callable[[Node], T]) -> tuple[T, ...]:
    return tuple(read(item) for item in node.items())


def _length(node: Node, text: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]?", text):
        node.wrong("a route's length is a whole number from 1 to 99")
    return int(text)


def _token_stack(node: Node) -> TokenStack:
    at = node.fields("symbol", "location")
    placed = at["location"].value is not None
    return TokenStack(Symbol(at["symbol"].id()), LocationId(at["location"].id()) if placed else None)


def _location(node: Node) -> Location:
    at = node.fields("id", "name", "x", "y", optional=("label",))
    name = at["name"].text()
    label = _label(at["label"], name) if "label" in at else Label(0, -24, "middle", (name,))
    return Location(LocationId(at["id"].id()), name, at["x"].number(), at["y"].number(), label)


def _label(node: Node, name: str) -> Label:
    at = node.fields("dx", "dy", "anchor", optional=("lines",))
    lines = _each(at["lines"], Node.text) if "lines" in at else (name,)
    anchor = at["anchor"].value
    if anchor not in ("start", "middle", "end"):
        at["anchor"].wrong('"start", "middle" or "end" is wanted here')
    return Label(at["dx"].number(), at["dy"].number(), anchor, lines)


def _route(node: Node) -> Route:
    at = node.fields("id", "between", "length", "color", "ferries", optional=("bend",))
    return Route(
        id=RouteId(at["id"].id()),
        between=_ends(at["between"]),
        length=at["length"].whole(1, 99),
        color=None if at["color"].value is None else Card(at["color"].id()),
        ferries=at["ferries"].whole(0, 99),
        bend=at["bend"].number() if "bend" in at else 0,
        twin=None,
    )


def _ticket(node: Node) -> DestinationTicket:
    at = node.fields("id", "between", "points")
    return DestinationTicket(TicketId(at["id"].id()), _ends(at["between"]), at["points"].whole(1))


def _ends(node: Node) -> Ends:
    first, second = (LocationId(item.id()) for item in node.items(2))
    return first, second


def _with_twins(routes: tuple[Route, ...]) -> tuple[Route, ...]:
    """Routes between the same two locations know each other (R6); whether they may be is checked later."""
    partners = {
        route.id: other.id
        for route in routes
        for other in routes
        if other is not route and frozenset(other.between) == frozenset(route.between)
    }
    return tuple(replace(route, twin=partners.get(route.id)) for route in routes)
