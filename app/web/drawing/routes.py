"""Routes drawn: spaces with color and symbol, places for cars, and the wide invisible line that takes the touch."""

from collections.abc import Iterator

from app.rules.board import Board, Route

from .geometry import Box, Curve, upright
from .layout import RouteLayout
from .markup import element, number
from .symbols import hue

SYMBOL_SIZE = 18.0
LONGEST_CAR, CAR_LONGER_THAN_SPACE = 60.0, 5.0
SYMBOL_STEP = 22.0
"""Between the middles of two symbols on one space."""


def draw_route(board: Board, layout: RouteLayout) -> str:
    route = layout.route
    names = [board.location[place].name for place in route.between]
    line = path(layout.line)
    return element(
        "g",
        element("path", class_="hit", d=path(layout.touch), stroke_width=layout.touch_width),
        element("path", class_="glow", d=line),
        *(_space(space, marks) for space, marks in zip(layout.spaces, _marks(route), strict=True)),
        element("g", *map(_car, layout.spaces), class_="cars"),
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
    start, control, end = (f"{number(p.real)} {number(p.imag)}" for p in (curve.start, curve.control, curve.end))
    return f"M{start}Q{control} {end}"


def _marks(route: Route) -> Iterator[list[str]]:
    """The symbols on each space: anchors on the middle ones, as many as there are ferries."""
    color = [] if route.color is None else [f"card-{route.color}"]
    first = (route.length - route.ferries) // 2
    for k in range(route.length):
        anchored = first <= k < first + route.ferries
        yield [*color, "card-ferry"] if anchored else color


def _space(space: Box, marks: list[str]) -> str:
    length, width = space.length, space.width
    plate = element("rect", x=-length / 2, y=-width / 2, width=length, height=width, rx=5)
    left = -SYMBOL_STEP * (len(marks) - 1) / 2
    symbols = (_symbol(mark, left + SYMBOL_STEP * k, space.angle) for k, mark in enumerate(marks))
    return element("g", plate, *symbols, class_="space", transform=_placed(space))


def _symbol(mark: str, x: float, angle: float) -> str:
    half = SYMBOL_SIZE / 2
    turn = f"translate({number(x)} 0)rotate({number(-angle)})" if x else f"rotate({number(-angle)})"
    return element("use", href=f"#{mark}", x=-half, y=-half, width=SYMBOL_SIZE, height=SYMBOL_SIZE, transform=turn)


def _car(space: Box) -> str:
    """Twice as long as high, nearly touching the next one."""
    length = min(LONGEST_CAR, space.length + CAR_LONGER_THAN_SPACE)
    box = {"x": -length / 2, "y": -length / 4, "width": length, "height": length / 2}
    return element("use", class_="car", href="#car", transform=_placed(space), **box)


def _placed(space: Box) -> str:
    center = f"{number(space.center.real)} {number(space.center.imag)}"
    return f"translate({center})rotate({number(upright(space.angle))})"
