"""Reading board files. A wrong one is refused with the file, the place in it and what is wrong."""

import json
import re
from importlib.resources import files
from pathlib import Path

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from app.rules.board import Board, DestinationTicket, Ends, Label, Location, LocationId, Route, RouteId, TokenStack
from app.strict_json import each_once, no_constant

from .checks import check_board
from .errors import BoardError
from .schema import BoardFields, LocationFields, RouteFields

BUILT_IN = files(__package__)
_PLAIN_ID = re.compile(r"[a-z0-9-]+")


def load_board(id_or_path: str | Path) -> Board:
    """The built-in board with that id, or the board of that file.

    Raises:
        BoardError: there is no such board or file, or it is wrong.
    """
    name = str(id_or_path)
    source = BUILT_IN / f"{name}.json" if _PLAIN_ID.fullmatch(name) else Path(id_or_path)
    try:
        text = source.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise BoardError(name, "", f"no board can be read here ({type(error).__name__})") from error
    return parse_board(text, name)


def parse_board(text: str, source: str) -> Board:
    """The board that a JSON text describes; `source` names it in errors.

    Raises:
        BoardError: the text is no JSON, a field is missing, unknown or wrong, or no game can be played on the board.
    """
    try:
        value = json.loads(text, object_pairs_hook=each_once, parse_constant=no_constant)
    except (ValueError, RecursionError) as error:
        raise BoardError(source, "", f"this is not JSON: {error}") from error
    try:
        read = BoardFields.model_validate(value)
    except ValidationError as error:
        raise BoardError(source, *_told(error.errors(include_url=False, include_input=False)[0])) from None
    board = _board(read)
    check_board(board, source)
    return board


def _told(error: ErrorDetails) -> tuple[str, str]:
    """The place of an error and what is wrong there."""
    place = [step for step in error["loc"] if step != "[key]"]
    match error["type"]:
        case "missing":
            return _path(place[:-1]), f'the field "{place[-1]}" is missing'
        case "extra_forbidden":
            return _path(place[:-1]), f'there is no field "{place[-1]}" here'
        case "model_type" | "dict_type":
            return _path(place), "an object is wanted here"
        case "tuple_type":
            return _path(place), "a list is wanted here"
        case "too_short" | "too_long":
            facts = error["ctx"]
            number = facts["min_length"] if error["type"] == "too_short" else facts["max_length"]
            return _path(place), f"a list of {number} is wanted here, not of {facts['actual_length']}"
    return _path(place), error["msg"]


def _path(steps: list[int | str]) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).lstrip(".")


def _board(read: BoardFields) -> Board:
    left, top, width, height = read.viewbox
    return Board(
        id=read.id,
        name=read.name,
        viewbox=(left, top, width, height),
        colors=read.colors,
        cards_per_color=read.cards_per_color,
        ferry_cards=read.ferry_cards,
        cars_per_player=read.cars_per_player,
        route_points={int(length): points for length, points in read.route_points.items()},
        token_points=read.token_points,
        token_stacks=tuple(TokenStack(stack.symbol, stack.location) for stack in read.token_stacks),
        locations=tuple(map(_location, read.locations)),
        routes=_routes(read.routes),
        tickets=tuple(DestinationTicket(ticket.id, _ends(ticket.between), ticket.points) for ticket in read.tickets),
    )


def _location(read: LocationFields) -> Location:
    label = read.label
    lines = label.lines if "lines" in label.model_fields_set else (read.name,)
    return Location(read.id, read.name, read.x, read.y, Label(label.dx, label.dy, label.anchor, lines))


def _routes(read: tuple[RouteFields, ...]) -> tuple[Route, ...]:
    """Each with its twin, the other route between its locations (R6). `check_board` refuses a third."""
    twins: dict[RouteId, RouteId] = {
        one.id: other.id
        for one in read
        for other in read
        if other is not one and frozenset(other.between) == frozenset(one.between)
    }
    return tuple(
        Route(each.id, _ends(each.between), each.length, each.color, each.ferries, each.bend, twins.get(each.id))
        for each in read
    )


def _ends(between: tuple[LocationId, ...]) -> Ends:
    first, second = between
    return first, second
