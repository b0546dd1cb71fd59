"""A board's data drawn as one SVG to stand in the page, styled by `static/css/board.css`.

`draw_symbols(board)` comes once and first in the page, hidden: `#card-{color}`, `#card-ferry`, `#token-{symbol}`,
`#car-0` to `#car-3` by seat, `#icon-*`. Cards, buttons and log use them: `<svg><use href="#card-blue"/></svg>`.

`draw_board(board)` is `svg.board`, bottom to top:

    g.landscape
    g.routes     g.route#route-{id}        data-route data-length data-color ("gray") data-hue data-ferries data-twin
                   path.hit                the touch area
                   path.glow               the light round a route that is claimable, selected ...
                   g.space                 one for each space: rect, use (symbol)
                   g.cars > use.car        one for each space
    g.locations  g.location#location-{id}  data-location
                   circle.hit circle.ring circle.mark text.name
    g.stacks     g.stack                   data-location data-symbol
                   use                     the badge
                   circle.count text.left

What the client sets:

    .route      data-owner="0..3"   shows the cars of that seat; unset: free
                classes claimable, selected, dimmed, closed, on-path, mine
    .location   classes ticket-end, placeable, dimmed
    .stack      data-symbol (unset: hidden) with `href` of its use set to `#token-{symbol}`; the text of .left
    svg.board   class resting lowers every route that is not claimable, selected or on-path
"""

from app.rules.board import Board

from .landscape import draw_landscape, viewbox
from .layout import lay_out_locations, lay_out_routes
from .locations import draw_location, draw_stack
from .markup import element
from .routes import draw_route
from .symbols import draw_symbols

__all__ = ["draw_board", "draw_symbols"]


def draw_board(board: Board) -> str:
    """The board as an `<svg>` element without script, style or reference to outside; the same for the same board."""
    places = lay_out_locations(board)
    return element(
        "svg",
        draw_landscape(board),
        element("g", *(draw_route(board, layout) for layout in lay_out_routes(board)), class_="routes"),
        element("g", *map(draw_location, places), class_="locations"),
        element("g", *(draw_stack(board, layout) for layout in places), class_="stacks"),
        class_="board",
        viewBox=viewbox(board),
        role="group",
        aria_label=board.name,
    )
