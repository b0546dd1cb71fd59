"""The sprite sheet: symbols of cards, tokens, cars and buttons, drawn in `art/symbols.svg`; a letter for any other."""

import re
from functools import cache
from pathlib import Path

from app.rules.board import Board

from .markup import element, text

ART = Path(__file__).parent / "art"


def draw_symbols(board: Board) -> str:
    drawn = drawn_symbols()
    needed = [f"card-{color}" for color in board.cards] + [f"token-{stack.symbol}" for stack in board.token_stacks]
    missing = [_lettered(name) for name in dict.fromkeys(needed) if name not in drawn]
    wanted = [shape for name, shape in drawn.items() if name in needed or not name.startswith(("card-", "token-"))]
    return element("svg", *wanted, *missing, class_="symbols", width=0, height=0, aria_hidden="true")


@cache
def drawn_symbols() -> dict[str, str]:
    """The symbols by id, as text."""
    sheet = tight((ART / "symbols.svg").read_text("utf-8"))
    return {found[1]: found[0] for found in re.finditer(r'<symbol id="([^"]+)".*?</symbol>', sheet)}


def tight(drawing: str) -> str:
    """The drawing without comments and without space between elements."""
    return re.sub(r">\s+<", "><", re.sub(r"<!--.*?-->|\n\s*(?=[^<\s])", " ", drawing, flags=re.DOTALL)).strip()


def _lettered(name: str) -> str:
    kind, _, word = name.partition("-")
    letter = element("text", text(word[:1].upper()), class_="letter", x=12, y=18)
    ground = [element("circle", class_="enamel", cx=12, cy=12, r=11)] if kind == "token" else []
    return element("symbol", *ground, letter, id=name, viewBox="0 0 24 24")
