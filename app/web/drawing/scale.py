"""Scales a board of any size to the units in which spaces, symbols and letters are drawn."""

from collections.abc import Iterator
from dataclasses import replace

from app.rules.board import Board, Location, Route

ENDS = 70.0
"""What the two ends of a route need in units of drawing, and the least that each space needs."""
SHORT_SPACE, SPACE_OF_TWO_SYMBOLS = 30.0, 52.0
NEAREST = 1.0
"""The distance that is assumed for two locations at the same place."""
ROOMY = 0.5
"""A board is made smaller only if its routes need less than this fraction of their room."""


def fitted(board: Board) -> tuple[Board, float]:
    """The board in units of drawing, and how many of those are one of its own units. Labels keep their distance."""
    needed = max((_need(route) / _far(board, route) for route in board.routes), default=1.0)
    factor = 1.0 if ROOMY <= needed <= 1 else needed
    return (board, 1.0) if factor == 1 else (_scaled(board, factor), factor)


def _scaled(board: Board, factor: float) -> Board:
    left, top, width, height = (measure * factor for measure in board.viewbox)
    return replace(
        board,
        viewbox=(left, top, width, height),
        locations=tuple(_moved(location, factor) for location in board.locations),
        routes=tuple(replace(route, bend=route.bend * factor) for route in board.routes),
    )


def _moved(location: Location, factor: float) -> Location:
    return replace(location, x=location.x * factor, y=location.y * factor)


def _need(route: Route) -> float:
    return ENDS + sum(_lengths(route))


def _lengths(route: Route) -> Iterator[float]:
    for k in range(route.length):
        yield SPACE_OF_TWO_SYMBOLS if route.color is not None and k < route.ferries else SHORT_SPACE


def _far(board: Board, route: Route) -> float:
    start, end = (board.location[place] for place in route.between)
    return max(NEAREST, abs(complex(end.x - start.x, end.y - start.y)))
