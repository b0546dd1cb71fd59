"""A board's data drawn as one SVG to stand in the page, styled by `static/css/board.css`.

`draw_symbols(board)` comes once and first in the page, hidden: `#card-{color}`, `#card-ferry`, `#token-{symbol}`,
`#car-0` to `#car-3` by seat. Cards, buttons and log use them: `<svg><use href="#card-blue"/></svg>`. The board has
those of cards and cars as markers: `#on-card-blue`, `#on-car-0`.

`draw_board(board)` is `svg.board`, bottom to top:

    g.landscape
    g.points                               the points of each length
    g.routes     g.route#route-{id}        data-route data-length data-color ("gray") data-hue data-ferries data-twin
                   path.hit                the touch area
                   path.glow               the light round a route that is claimable, selected ...
                   path.space              one for each space
                   path.marks              one for each kind of symbol, with it at the spaces that have it
                   g.cars > path.car       one for each space
    g.locations  g.location#location-{id}  data-location
                   circle.hit circle.ring circle.mark text.name
    g.stacks     g.stack                   data-location data-symbol
                   use                     the badge
                   circle.count text.left

What the client sets:

    .route      data-owner="0..3"   shows the cars that g.cars has as its marker-start, `url(#on-car-0)`; unset: free
                classes claimable, selected, dimmed, closed, on-path, mine
    .location   classes ticket-end, placeable, dimmed
    .stack      data-symbol (unset: hidden) with `href` of its use set to `#token-{symbol}`; the text of .left
    svg.board   class resting lowers every route that is not claimable, selected or on-path
"""

from app.rules.board import Board

from .geometry import bounds
from .landscape import draw_landscape, draw_plain, viewbox
from .layout import lay_out_locations, lay_out_routes, taken
from .locations import draw_location, draw_stack
from .markup import element
from .points import draw_points
from .routes import draw_route
from .scale import fitted
from .symbols import draw_symbols

__all__ = ["draw_board", "draw_symbols"]


def draw_board(board: Board) -> str:
    """The board as an `<svg>` element without script, style or reference to outside; the same for the same board."""
    sized, factor = fitted(board)
    routes = lay_out_routes(sized)
    places = lay_out_locations(sized, routes)
    covered = taken(places, routes)
    extent = bounds(sized.viewbox, covered)
    landscape = draw_landscape(board)
    pieces = element(
        "g",
        "" if landscape else draw_plain(sized, extent),
        draw_points(sized, covered),
        element("g", *(draw_route(sized, layout) for layout in routes), class_="routes"),
        element("g", *map(draw_location, places), class_="locations"),
        element("g", *(draw_stack(sized, layout) for layout in places), class_="stacks"),
        transform=None if factor == 1 else f"scale({1 / factor:.5g})",
    )
    shown = viewbox(measure / factor for measure in extent)
    return element("svg", landscape or "", pieces, class_="board", viewBox=shown, role="group", aria_label=board.name)
