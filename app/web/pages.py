"""The pages, and the words for their scripts."""

from itertools import product

from fastapi import APIRouter, Request
from starlette.responses import Response

from app import __version__
from app.rooms import BoardText, Code, RefusedError, Room, lobby, open_tables, parse_code, tables_of
from app.rules.game import SEATS
from app.store import PlayerRow

from .address import address_of
from .dependencies import AnyCaller, Guarded, find_room
from .drawing import draw_board, draw_symbols
from .files import answer_with, packed_page
from .limits import OPEN_TABLES, QR_CODE, STATIC_FILE
from .qr import invitation_qr
from .site import Site, site_of
from .templating import PageRoute, templates
from .words import LANGUAGES, PARTS, module_of

RULES_BOARD = "san-francisco"
"""The board whose pieces and points the page of rules shows."""

router = APIRouter(include_in_schema=False, route_class=PageRoute)


@router.get("/")
async def home(request: Request, site: Guarded, caller: AnyCaller) -> Response:
    return await start_page(request, site, caller)


@router.get("/tables")
async def tables(request: Request, site: Guarded, caller: AnyCaller) -> Response:
    """The lists of tables on the start page, which it fetches again from time to time."""
    site.limits.spend(OPEN_TABLES, address_of(request))
    return templates.TemplateResponse(request, "tables.html", await _tables(site, caller))


@router.get("/t/{code}/qr.svg")
async def invitation(request: Request, site: Guarded, code: str) -> Response:
    """The link to a table as a QR code, whether or not there is such a table."""
    parsed = parse_code(code)
    if parsed is None:
        raise RefusedError(Code.UNKNOWN_ROOM, "This is no code of a table.")
    site.limits.spend(QR_CODE, address_of(request))
    drawn = await invitation_qr(f"{site.address.url_of(request)}/t/{parsed}")
    return answer_with(drawn, "image/svg+xml", request.headers)


@router.get("/phone")
async def phone(request: Request, site: Guarded, caller: AnyCaller, table: str = "") -> Response:
    """The page with a link by which another device takes over."""
    code = parse_code(table)
    context = {"base": f"{site.address.base}/", "player": caller, "code": code, "back": _place(site, code)}
    return templates.TemplateResponse(request, "phone.html", context)


@router.get("/devices")
async def devices(request: Request, site: Guarded, caller: AnyCaller) -> Response:
    """The player's devices, which can be signed out."""
    session = request.state.session
    listed = await site.devices.listed(session) if session else ()
    context = {"base": f"{site.address.base}/", "player": caller, "devices": listed}
    return templates.TemplateResponse(request, "devices.html", context)


@router.get("/signed-out")
async def signed_out(request: Request, site: Guarded, caller: AnyCaller, table: str = "") -> Response:
    """The page for a device that was signed out."""
    code = parse_code(table)
    context = {"base": f"{site.address.base}/", "player": caller, "code": code, "back": _place(site, code)}
    return templates.TemplateResponse(request, "signed_out.html", context)


@router.get("/continue")
async def go_on(request: Request, site: Guarded, caller: AnyCaller, table: str = "") -> Response:
    """The page by which another device takes over. The link's secret stays in the browser until then."""
    context = {"base": f"{site.address.base}/", "player": caller, "next": _place(site, parse_code(table))}
    return templates.TemplateResponse(request, "continue.html", context)


@router.get("/t/{code}")
async def table(request: Request, site: Guarded, caller: AnyCaller, code: str) -> Response:
    """A table, from its lobby to its end."""
    try:
        room = await find_room(request, site, code)
    except RefusedError as error:
        if error.code is Code.BARRED:
            return templates.TemplateResponse(request, "barred.html", {"base": f"{site.address.base}/"}, 403)
        if error.code is not Code.UNKNOWN_ROOM:
            raise
        return await start_page(request, site, caller, unknown=True)
    if not lobby.may_watch(room.row, lobby.seat_of(room.row, caller.id if caller else None)):
        context = {"base": f"{site.address.base}/", "code": room.code}
        return templates.TemplateResponse(request, "closed.html", context, 403)
    page = templates.TemplateResponse(request, "table.html", _table(request, site, caller, room))
    return packed_page(page, request.headers)


@router.get("/rules")
async def rules(request: Request, site: Guarded, table: str = "") -> Response:
    """The rules of the game, with the pieces of its first board, and a link back to a table."""
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
    """A board and its symbols as SVG, drawn only once."""
    if board.digest not in site.drawings:
        site.drawings[board.digest] = draw_board(board.board), draw_symbols(board.board)
    return site.drawings[board.digest]


def add_words(language: str, part: str) -> None:
    """Serve a part of a language's words to scripts."""

    @router.get(f"/static/js/words/{language}{part}.js")
    async def words(request: Request) -> Response:
        site_of(request).limits.spend(STATIC_FILE, address_of(request))
        return answer_with(module_of(language, part), "text/javascript", request.headers)


for each, folder in product(LANGUAGES, PARTS):
    add_words(each, folder)


async def start_page(request: Request, site: Site, caller: PlayerRow | None, *, unknown: bool = False) -> Response:
    """The start page. `unknown`: it says that the requested table doesn't exist."""
    context = {
        "player": caller,
        "seats": SEATS,
        "unknown_room": unknown,
        "version": __version__,
        **await _tables(site, caller),
    }
    return templates.TemplateResponse(request, "home.html", context, 404 if unknown else 200)


async def _tables(site: Site, caller: PlayerRow | None) -> dict[str, object]:
    return {
        "base": f"{site.address.base}/",
        "days": site.upkeep.days,
        "mine": await tables_of(site.context, site.rooms, caller.id) if caller else [],
        "open": await open_tables(site.context),
    }


def _place(site: Site, code: str | None) -> str:
    return f"{site.address.base}/" + (f"t/{code}" if code else "")
