"""The pages of a table and of the rules, and what the server says of itself."""

from ipaddress import ip_address
from itertools import product

from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse, Response

from app.bus import BusUnavailableError
from app.rooms import BoardText, Code, RefusedError, Room, lobby, parse_code
from app.store import DatabaseDamagedError, FileGoneError, PlayerRow, StoreUnavailableError

from .address import address_of, asked_of
from .calls import AnyCaller, Guarded, find_room
from .drawing import draw_board, draw_symbols
from .figures import figures
from .files import answer_with, packed_page
from .front import front_page
from .limits import FILE, SIGN, STRAY
from .paper import PageRoute, templates
from .problems import declare, problem
from .site import Site, site_of
from .words import LANGUAGES, PARTS, module_of

RULES_BOARD = "san-francisco"
"""Whose pieces and points the page of rules shows."""

pages = APIRouter(include_in_schema=False, route_class=PageRoute)
signs = APIRouter()


@pages.get("/t/{code}")
async def table(request: Request, site: Guarded, caller: AnyCaller, code: str) -> Response:
    """A table: its lobby, its game, its end."""
    try:
        room = await find_room(request, site, code)
    except RefusedError as error:
        if error.code is Code.BARRED:
            return templates.TemplateResponse(request, "barred.html", {"base": f"{site.address.base}/"}, 403)
        if error.code is not Code.UNKNOWN_ROOM:
            raise
        return await front_page(request, site, caller, unknown=True)
    if not lobby.may_watch(room.row, lobby.seat_of(room.row, caller.id if caller else None)):
        shut = {"base": f"{site.address.base}/", "code": room.code}
        return templates.TemplateResponse(request, "shut.html", shut, 403)
    page = templates.TemplateResponse(request, "table.html", _table(request, site, caller, room))
    return packed_page(page, request.headers)


@pages.get("/rules")
async def rules(request: Request, site: Guarded, table: str = "") -> Response:
    """The rules of the game, with the pieces of its first board, and the way back to a table."""
    found = site.rooms.boards.named(RULES_BOARD)
    context = {
        "base": f"{site.address.base}/",
        "code": parse_code(table),
        "symbols_svg": drawn(site, found)[1],
        "tokens": [stack.symbol for stack in found.board.token_stacks],
        "route_points": sorted(found.board.route_points.items()),
        "token_points": list(enumerate(found.board.token_points)),
    }
    return templates.TemplateResponse(request, "rules.html", context)


def _table(request: Request, site: Site, caller: PlayerRow | None, room: Room) -> dict[str, object]:
    board_svg, symbols_svg = drawn(site, room.board)
    return {
        "base": f"{site.address.base}/",
        "code": room.code,
        "url": f"{site.address.url_of(request)}/t/{room.code}",
        "player": caller,
        "shared": room.row.options.get("pass_and_play", False),
        "board_id": room.row.board_id,
        "board_json": room.board.text,
        "board_svg": board_svg,
        "symbols_svg": symbols_svg,
    }


def drawn(site: Site, board: BoardText) -> tuple[str, str]:
    """A board and its symbols as SVG, drawn once."""
    if board.digest not in site.drawings:
        site.drawings[board.digest] = draw_board(board.board), draw_symbols(board.board)
    return site.drawings[board.digest]


def add_words(language: str, part: str) -> None:
    """Serve a part of a language's words to scripts."""

    @pages.get(f"/static/js/words/{language}{part}.js")
    async def words(request: Request) -> Response:
        site_of(request).limits.spend(FILE, address_of(request))
        return answer_with(module_of(language, part), "text/javascript", request.headers)


for each, folder in product(LANGUAGES, PARTS):
    add_words(each, folder)


@signs.get("/healthz", response_class=PlainTextResponse, responses=declare(429))
async def healthz(request: Request) -> Response:
    """Whether the process is alive, and how it was asked for, which shows what a proxy passes on."""
    if not is_on_this_machine(request):
        site_of(request).limits.spend(STRAY, address_of(request))
    proxy = "" if is_trusted(request) else ", by a proxy that is not trusted"
    return PlainTextResponse(f"alive at {asked_of(request)}{proxy}\n")


def is_on_this_machine(request: Request) -> bool:
    """Whether the container's own health check asks, which must always be answered."""
    try:
        return ip_address(address_of(request)).is_loopback
    except ValueError:
        return False


def is_trusted(request: Request) -> bool:
    """Whether a proxy, if there is one, was believed when it said for whom it asks."""
    forwarded = request.headers.get("x-forwarded-for")
    return forwarded is None or address_of(request) in [part.strip() for part in forwarded.split(",")]


@signs.get("/readyz", response_class=PlainTextResponse, responses=declare(429, 503))
async def readyz(request: Request) -> Response:
    """Whether the database can be written, and the bus be reached."""
    site = site_of(request)
    site.limits.spend(SIGN, address_of(request))
    try:
        await site.store.ping()
        await site.bus.ping()
    except (DatabaseDamagedError, FileGoneError) as error:
        return problem(503, Code.UNAVAILABLE, str(error))
    except StoreUnavailableError:
        return problem(503, Code.UNAVAILABLE, "The database can't be reached, or can't be written.")
    except BusUnavailableError:
        return problem(503, Code.UNAVAILABLE, "The bus can't be reached.")
    return PlainTextResponse("ready\n")


@signs.get("/metrics", response_class=PlainTextResponse, responses=declare(429))
async def metrics(request: Request) -> Response:
    """Figures for Prometheus."""
    site = site_of(request)
    site.limits.spend(SIGN, address_of(request))
    return PlainTextResponse(figures(site))
