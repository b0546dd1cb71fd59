"""The layout of a board: spaces and touch areas of routes, names and pieces of locations."""

import cmath
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from app.rules.board import Board, Location, LocationId, Route

from .geometry import Box, Curve, Point, Polygon, along, arc_length, bent_curve, disc, t_at, upright
from .scale import NEAREST

MARKER_RADIUS = 16.0
BADGE_RADIUS = 20.0
SPACE_WIDTH = 24.0
RIM = 3.0
"""Width of the light line round a space."""
LONGEST_SPACE = 60.0
SPACE_GAP = 7.0
END_GAP = 7.0
"""The least that spaces leave free at both ends of their line."""
FREE_ROUND_LOCATION = 25.0
"""The least distance between a space and the middle of a location."""
TWIN_OFFSET = 15.5
"""From the line between two locations to the middle of each half of a double route."""
TOUCH_WIDTH = 44.0
"""24 px where the board is shown 710 px wide: a phone of 360 px at double zoom."""
LEAST_TOUCH_WIDTH = SPACE_WIDTH + RIM
SURE_RADIUS = 7.5
"""The radius round the middle of a space in which no other route takes touches."""
COUNT_DISTANCE = 19.0
COUNT_RADIUS = 8.5
FONT_SIZE = 21.0
LINE_HEIGHT = 22.0

_WIDTHS = {**dict.fromkeys(" '|.,:;-!()[]/\\ijlI", 0.42), **dict.fromkeys("ftrJ", 0.5), **dict.fromkeys("mwMW@%&", 1.1)}
"""The width of a letter in the widest usual bold font, as a fraction of its size."""


@dataclass(frozen=True, slots=True)
class RouteLayout:
    """The line of the spaces, and the line of the touch area with its width."""

    route: Route
    line: Curve
    spaces: tuple[Box, ...]
    touch: Curve
    touch_width: float


@dataclass(frozen=True, slots=True)
class LocationLayout:
    """`count` is the place of the number of tokens left, on the side with the most room."""

    location: Location
    middle: Point
    count: Point


def lay_out_routes(board: Board) -> tuple[RouteLayout, ...]:
    placed = [_place(board, route) for route in board.routes]
    return tuple(_narrowed(layout, placed) for layout in placed)


def lay_out_locations(board: Board, routes: Iterable[RouteLayout]) -> tuple[LocationLayout, ...]:
    lines = {layout.route.id: layout.line for layout in routes}
    return tuple(
        _place_location(location, [lines[route.id] for route, _ in board.routes_at[location.id]])
        for location in board.locations
    )


def taken(places: Iterable[LocationLayout], routes: Iterable[RouteLayout]) -> list[Polygon]:
    """Everything that nothing else may cover: spaces, locations, names."""
    spaces = [outline(space) for layout in routes for space in layout.spaces]
    names = [label_box(place.location).corners for place in places]
    return [*spaces, *names, *(disc(place.middle, BADGE_RADIUS) for place in places)]


def outline(space: Box) -> Polygon:
    """The corners of a space with its rim."""
    return Box(space.center, space.angle, space.length + RIM, space.width + RIM).corners


def label_box(location: Location) -> Box:
    """The room that a name takes, measured generously because the reader's fonts are unknown."""
    label = location.label
    width = max(text_width(line) for line in label.lines)
    height = LINE_HEIGHT * len(label.lines)
    left = location.x + label.dx - width * {"start": 0, "middle": 0.5, "end": 1}[label.anchor]
    top = location.y + label.dy - 0.8 * FONT_SIZE
    return Box(complex(left + width / 2, top + height / 2), 0, width, height)


def text_width(line: str, size: float = FONT_SIZE) -> float:
    return size * sum(_WIDTHS.get(letter, 0.85 if letter.isupper() else 0.72) for letter in line)


def _place(board: Board, route: Route) -> RouteLayout:
    start, end = _ends(board, route)
    side = _side(board, route)
    line = _between_locations(bent_curve(start, end, route.bend, side * TWIN_OFFSET))
    outwards = side * (TOUCH_WIDTH / 2 + 0.1)
    touch = _between_locations(bent_curve(start, end, route.bend, outwards)) if side else line
    return RouteLayout(route, line, tuple(_spaces(line, route.length)), touch, TOUCH_WIDTH)


def _ends(board: Board, route: Route) -> tuple[Point, Point]:
    start, end = (_middle(board, place) for place in route.between)
    return start, end if abs(end - start) >= NEAREST else start + 2 * FREE_ROUND_LOCATION


def _middle(board: Board, place: LocationId) -> Point:
    location = board.location[place]
    return complex(location.x, location.y)


def _side(board: Board, route: Route) -> int:
    """The side of the common line on which a half of a double route lies, seen along its own `between`."""
    if route.twin is None:
        return 0
    same_way = board.route[route.twin].between == route.between
    first = board.routes.index(route) < board.routes.index(board.route[route.twin])
    return -1 if first or not same_way else 1


def _between_locations(curve: Curve) -> Curve:
    whole = arc_length(curve)
    return curve.part(t_at(curve, FREE_ROUND_LOCATION), t_at(curve, whole - FREE_ROUND_LOCATION))


def _spaces(line: Curve, count: int) -> Iterator[Box]:
    """Spaces as long as they fit, with equal gaps between them and at the ends."""
    room = arc_length(line) - 2 * END_GAP + SPACE_GAP
    length = max(1.0, min(LONGEST_SPACE, room / count - SPACE_GAP))
    spare = (room - count * (length + SPACE_GAP)) / (count + 1)
    for k in range(count):
        t = t_at(line, END_GAP + spare + length / 2 + k * (length + SPACE_GAP + spare))
        yield Box(line.at(t), upright(line.heading(t)), length, SPACE_WIDTH)


def _narrowed(layout: RouteLayout, others: Iterable[RouteLayout]) -> RouteLayout:
    """The touch area, narrowed so that it avoids the middles of other routes' spaces if that leaves enough of it."""
    line = along(layout.touch)
    own = (layout.route.id, layout.route.twin)
    middles = [space.center for other in others if other.route.id not in own for space in other.spaces]
    free = min((abs(point - middle) for point in line for middle in middles), default=TOUCH_WIDTH)
    width = max(LEAST_TOUCH_WIDTH, min(TOUCH_WIDTH, 2 * (free - SURE_RADIUS)))
    return replace(layout, touch_width=width)


def _place_location(location: Location, lines: Iterable[Curve]) -> LocationLayout:
    middle = complex(location.x, location.y)
    ends = [min(line.start, line.end, key=lambda end: abs(end - middle)) for line in lines]
    taken_up = sorted(cmath.phase(point - middle) for point in (*ends, label_box(location).center))
    return LocationLayout(location, middle, middle + cmath.rect(COUNT_DISTANCE, _freest_direction(taken_up)))


def _freest_direction(taken: list[float]) -> float:
    """The middle of the widest gap between directions, all in radians."""
    gaps = pairwise((*taken, taken[0] + math.tau))
    low, high = max(gaps, key=lambda gap: gap[1] - gap[0])
    return (low + high) / 2
