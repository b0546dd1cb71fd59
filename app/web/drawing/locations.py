"""Draws locations: mark, name, and the stack of tokens that may be there."""

from app.rules.board import Board, Symbol

from .layout import BADGE_RADIUS, COUNT_RADIUS, LINE_HEIGHT, MARKER_RADIUS, LocationLayout
from .markup import element, text

TOUCH_RADIUS = 30.0


def draw_location(layout: LocationLayout) -> str:
    location, x, y = layout.location, layout.middle.real, layout.middle.imag
    return element(
        "g",
        element("circle", class_="hit", cx=x, cy=y, r=TOUCH_RADIUS),
        element("circle", class_="ring", cx=x, cy=y, r=BADGE_RADIUS + 4),
        element("circle", class_="mark", cx=x, cy=y, r=MARKER_RADIUS),
        _name(layout),
        id=f"location-{location.id}",
        class_="location",
        data_location=location.id,
    )


def draw_stack(board: Board, layout: LocationLayout) -> str:
    """The stack's badge on the mark. It is hidden without a symbol."""
    x, y = layout.middle.real, layout.middle.imag
    size, symbol = 2 * BADGE_RADIUS, _symbol(board, layout)
    return element(
        "g",
        element(
            "use",
            href=f"#token-{symbol}" if symbol else None,
            x=x - BADGE_RADIUS,
            y=y - BADGE_RADIUS,
            width=size,
            height=size,
        ),
        element("circle", class_="count", cx=layout.count.real, cy=layout.count.imag, r=COUNT_RADIUS),
        element("text", class_="left", x=layout.count.real, y=layout.count.imag + 4.8),
        class_="stack",
        data_location=layout.location.id,
        data_symbol=symbol,
    )


def _symbol(board: Board, layout: LocationLayout) -> Symbol | None:
    return next((stack.symbol for stack in board.token_stacks if stack.location == layout.location.id), None)


def _name(layout: LocationLayout) -> str:
    label = layout.location.label
    x, y = layout.location.x + label.dx, layout.location.y + label.dy
    lines = [
        element("tspan", text(line), x=float(x), y=float(y + LINE_HEIGHT * k)) for k, line in enumerate(label.lines)
    ]
    return element("text", *lines, class_="name", text_anchor=label.anchor)
