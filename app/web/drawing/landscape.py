"""The landscape under the routes: a file for a board that has one, else plain paper and sea."""

import re
from collections.abc import Iterable

from app.rules.board import Board

from .layout import text_width
from .markup import element, number, text
from .symbols import ART, tight

Extent = tuple[float, float, float, float]
"""Left, top, width and height."""

FRAME = 14.0
TITLE_SIZE = 64.0


def draw_landscape(board: Board) -> str | None:
    """The drawing that was made for this board, in the board's own units."""
    drawing = _drawn(board)
    return drawing and element("g", drawing, class_="landscape", aria_hidden="true")


def draw_plain(board: Board, extent: Extent) -> str:
    """A sheet of paper in the sea, with the name of the board."""
    x, y, width, height = extent
    sea = element("rect", class_="sea", x=x, y=y, width=width, height=height)
    sheet = {"x": x + FRAME, "y": y + FRAME, "width": width - 2 * FRAME, "height": height - 2 * FRAME}
    land = element("rect", class_="land", rx=40, **sheet)
    size = min(TITLE_SIZE, 0.8 * width / text_width(board.name, 1))
    place = {"x": x + width / 2, "y": y + height - 3 * FRAME}
    title = element("text", text(board.name), class_="title", font_size=size, **place)
    return element("g", sea, land, title, class_="landscape", aria_hidden="true")


def viewbox(extent: Iterable[float]) -> str:
    return " ".join(number(measure) for measure in extent)


def _drawn(board: Board) -> str | None:
    """The content of the file named like the board, if it has the board's measures."""
    if not re.fullmatch(r"[a-z0-9-]+", board.id):
        return None
    file = ART / "landscapes" / f"{board.id}.svg"
    if not file.is_file():
        return None
    opening, _, rest = tight(file.read_text("utf-8")).partition(">")
    return rest.removesuffix("</svg>") if f'viewBox="{viewbox(board.viewbox)}"' in opening else None
