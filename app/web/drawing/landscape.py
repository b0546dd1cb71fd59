"""What lies under the routes: a drawing beside the code for a board that has one, else plain paper and sea."""

import re

from app.rules.board import Board

from .markup import element, number, text
from .symbols import ART, tight

FRAME = 14.0


def draw_landscape(board: Board) -> str:
    return element("g", _drawn(board) or _plain(board), class_="landscape", aria_hidden="true")


def _drawn(board: Board) -> str | None:
    """The inside of the file named like the board, when it is made for the board's measures."""
    if not re.fullmatch(r"[a-z0-9-]+", board.id):
        return None
    file = ART / "landscapes" / f"{board.id}.svg"
    if not file.is_file():
        return None
    opening, _, rest = tight(file.read_text("utf-8")).partition(">")
    return rest.removesuffix("</svg>") if f'viewBox="{viewbox(board)}"' in opening else None


def viewbox(board: Board) -> str:
    return " ".join(number(measure) for measure in board.viewbox)


def _plain(board: Board) -> str:
    x, y, width, height = board.viewbox
    sea = element("rect", class_="sea", x=x, y=y, width=width, height=height)
    land = element(
        "rect", class_="land", x=x + FRAME, y=y + FRAME, width=width - 2 * FRAME, height=height - 2 * FRAME, rx=40
    )
    title = element("text", text(board.name), class_="title", x=x + 3 * FRAME, y=y + height - 3 * FRAME)
    return sea + land + title
