"""Draws the table of route points (C6), if the board has room for it."""

from collections.abc import Iterator

from app.rules.board import Board

from .geometry import Box, Polygon, overlap
from .markup import element

ROW, WIDTH, MARGIN = 24.0, 84.0, 10.0
STEP = 10
"""The distance between the places that are tried."""


def draw_points(board: Board, taken: list[Polygon]) -> str:
    """A plate at an edge of the board that covers nothing in `taken`; empty if there is no such place."""
    free = (box for box in _places(board) if not any(overlap(box.corners, other) for other in taken))
    box = next(free, None)
    return "" if box is None else _plate(board, box)


def _places(board: Board) -> Iterator[Box]:
    """Places up the right edge from the bottom, then up the left one."""
    left, top, width, height = board.viewbox
    tall = ROW * len(board.route_points) + MARGIN
    for x in (left + width - MARGIN - WIDTH / 2, left + MARGIN + WIDTH / 2):
        for up in range(int(MARGIN), int(height - tall), STEP):
            yield Box(complex(x, top + height - up - tall / 2), 0, WIDTH, tall)


def _plate(board: Board, box: Box) -> str:
    corner = box.corners[0]
    plate = element("rect", class_="plate", x=corner.real, y=corner.imag, width=WIDTH, height=box.width, rx=8)
    rows = (
        _row(corner + complex(0, MARGIN / 2 + ROW * (k + 0.5)), length, points)
        for k, (length, points) in enumerate(sorted(board.route_points.items()))
    )
    return element("g", plate, *rows, class_="points", aria_hidden="true")


def _row(start: complex, length: int, points: int) -> str:
    x, y = start.real, start.imag
    return (
        element("rect", class_="length", x=x + 8, y=y - 9, width=38, height=18, rx=4)
        + element("text", str(length), class_="cars", x=x + 27, y=y + 6)
        + element("text", str(points), x=x + WIDTH - 10, y=y + 6)
    )
