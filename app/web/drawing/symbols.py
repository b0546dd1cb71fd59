"""The sprite sheet: symbols of cards, tokens, cars and buttons, drawn in `art/symbols.svg`; a letter for any other."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from app.rules.board import Board
from app.rules.cards import Card

from .markup import element, text

ART = Path(__file__).parent / "art"


CAR_BODY = '<use href="#car-body"/>'
"""Copied into each symbol here, because nested `use` elements are far slower in browsers."""

MARKS = {
    "card": 'refX="12" refY="12" markerUnits="userSpaceOnUse" markerWidth="18" markerHeight="18"',
    "car": 'refX="30" refY="15" markerWidth="1" markerHeight=".5" orient="auto"',
}
"""Markers on spaces: symbols are upright and of one size, cars follow their line and are as long as it is wide."""

HUES = ("blue", "green", "black", "purple", "red", "orange")
"""Colors with a paint of their own in the style sheet."""


def draw_symbols(board: Board) -> str:
    drawn = drawn_symbols()
    needed = [f"card-{color}" for color in board.cards] + [f"token-{stack.symbol}" for stack in board.token_stacks]
    missing = [_lettered(name, letters) for name, letters in _letters(name for name in needed if name not in drawn)]
    wanted = [shape for name, shape in drawn.items() if name in needed or not name.startswith(("card-", "token-"))]
    sheet = [*wanted, *missing]
    marks = [_mark(kind, symbol) for symbol in sheet for kind in MARKS if symbol.startswith(f'<symbol id="{kind}-')]
    return element("svg", *sheet, *marks, class_="symbols", width=0, height=0, aria_hidden="true")


def _mark(kind: str, symbol: str) -> str:
    """The symbol as a marker for lines of the board."""
    return symbol.replace('<symbol id="', f'<marker {MARKS[kind]} id="on-').replace("</symbol>", "</marker>")


def hue(board: Board, color: Card) -> int:
    """The number of a color's paint: known colors have their own, others share the rest."""
    if color in HUES:
        return HUES.index(color)
    left = [number for number, name in enumerate(HUES) if name not in board.colors] or list(range(len(HUES)))
    return left[[other for other in board.colors if other not in HUES].index(color) % len(left)]


@cache
def drawn_symbols() -> dict[str, str]:
    """The symbols by id, as text."""
    sheet = tight((ART / "symbols.svg").read_text("utf-8"))
    drawn = {found[1]: found[0] for found in re.finditer(r'<symbol id="([^"]+)".*?</symbol>', sheet)}
    body = re.sub("</?symbol.*?>", "", drawn.pop("car-body"))
    return {name: symbol.replace(CAR_BODY, body) for name, symbol in drawn.items()}


def tight(drawing: str) -> str:
    """The drawing without comments and without space between elements."""
    return re.sub(r">\s+<", "><", re.sub(r"<!--.*?-->|\n\s*(?=[^<\s])", " ", drawing, flags=re.DOTALL)).strip()


def _letters(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The first letter of a name, or the first two if an earlier name of the kind has the first."""
    seen: set[str] = set()
    for name in names:
        kind, _, word = name.partition("-")
        letters = word[:1].upper() if kind + word[:1] not in seen else word[:2].capitalize()
        seen.add(kind + word[:1])
        yield name, letters


def _lettered(name: str, letters: str) -> str:
    ground = [element("circle", class_="enamel", cx=12, cy=12, r=11)] if name.startswith("token-") else []
    size = 19 if len(letters) == 1 else 14
    drawn = element("text", text(letters), class_="letter", x=12, y=18 if len(letters) == 1 else 17, font_size=size)
    return element("symbol", *ground, drawn, id=name, viewBox="0 0 24 24")
