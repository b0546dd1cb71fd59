"""Draws routes: spaces with color and symbols, places for cars, and a wide invisible line as touch area.

No part of a route has a transformation of its own, which a browser that draws the board anew would pay for one by one:
spaces are told in the board's own units, symbols and cars are marks on a line.
"""

import cmath
import math

from app.rules.board import Board
from app.rules.cards import FERRY, Card

from .geometry import Box, Curve, Point, upright
from .layout import RouteLayout
from .markup import element, number
from .symbols import hue

CORNER = 5
ARC = f"a{CORNER} {CORNER} 0 0 1 "
LONGEST_CAR, CAR_LONGER_THAN_SPACE = 60.0, 5.0
SYMBOL_STEP = 22.0
"""The distance between the middles of two symbols on one space."""


def draw_route(board: Board, layout: RouteLayout) -> str:
    route = layout.route
    names = [board.location[place].name for place in route.between]
    return element(
        "g",
        element("path", class_="hit", d=path(layout.touch), stroke_width=layout.touch_width),
        element("path", class_="glow", d=path(layout.line)),
        *(element("path", class_="space", d=_outline(space)) for space in layout.spaces),
        *(_marks(card, places) for card, places in _symbols(layout).items()),
        element("g", *map(_car, layout.spaces), class_="cars", stroke_width=_car_length(layout.spaces[0])),
        id=f"route-{route.id}",
        class_="route",
        role="img",
        aria_label=" – ".join(names),
        data_route=route.id,
        data_length=route.length,
        data_color=route.color or "gray",
        data_hue=None if route.color is None else hue(board, route.color),
        data_ferries=route.ferries,
        data_twin=route.twin,
    )


def path(curve: Curve) -> str:
    return f"M{_pair(curve.start)}Q{_pair(curve.control)} {_pair(curve.end)}"


def _outline(space: Box) -> str:
    """The outline of a space."""
    turn, side = _turn(space), _flank(space)
    end, corner = 1j * turn * (space.width - 2 * CORNER), turn * complex(CORNER, CORNER)
    start = space.center - (side + end) / 2 - 1j * turn * CORNER
    there = (side, corner, end, 1j * corner)
    steps = zip(("l", ARC) * 4, (*there, *(-step for step in there)), strict=True)
    return f"M{_pair(start)}{''.join(kind + _pair(step) for kind, step in steps)}z"


def _symbols(layout: RouteLayout) -> dict[Card, list[Point]]:
    """The places of the symbols of each card: as many middle spaces as there are ferries have anchors."""
    route, spaces = layout.route, layout.spaces
    first = (route.length - route.ferries) // 2
    anchored = spaces[first : first + route.ferries]
    aside = SYMBOL_STEP / 2 if route.color else 0
    anchors = {FERRY: [_along(space, aside) for space in anchored]} if anchored else {}
    if route.color is None:
        return anchors
    return {route.color: [_along(space, -aside if space in anchored else 0) for space in spaces]} | anchors


def _marks(card: Card, places: list[Point]) -> str:
    """An invisible line with the symbol at all its points but the last, which repeats the last place."""
    mark = f"url(#on-card-{card})"
    line = "L".join(map(_pair, (*places, places[-1])))
    return element("path", class_="marks", d=f"M{line}", marker_start=mark, marker_mid=mark)


def _car(space: Box) -> str:
    """A line from the middle of the space to its front, along which the car at its start points."""
    return element("path", class_="car", d=f"M{_pair(space.center)}l{_pair(_flank(space))}")


def _car_length(space: Box) -> float:
    """The length of a car. Cars are twice as long as high, and nearly touch each other."""
    return min(LONGEST_CAR, space.length + CAR_LONGER_THAN_SPACE)


def _along(space: Box, distance: float) -> Point:
    return space.center + distance * _turn(space)


def _flank(space: Box) -> Point:
    """The straight part of a long side."""
    return (space.length - 2 * CORNER) * _turn(space)


def _turn(space: Box) -> Point:
    return cmath.rect(1, math.radians(upright(space.angle)))


def _pair(point: Point) -> str:
    return f"{number(point.real)} {number(point.imag)}".replace(" -", "-")
