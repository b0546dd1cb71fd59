"""The pages at the door: home, invitations, and going on with another device."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.rooms import Code, Glance, RefusedError, glance, parse_code
from app.store import PlayerRow, Status, queries

from .address import address_of
from .calls import AnyCaller, Guarded
from .files import answer_with
from .limits import DRAW, LIST
from .paper import PageRoute, templates
from .qr import invitation_qr
from .site import Site

MOST_UNFINISHED, MOST_FINISHED = 20, 5
"""Tables of a player that are shown."""

UNFINISHED: tuple[Status, ...] = ("lobby", "playing")

pages = APIRouter(include_in_schema=False, route_class=PageRoute)


@pages.get("/")
async def home(request: Request, site: Guarded, caller: AnyCaller) -> Response:
    """Name, new table, join by code, the caller's tables, and those that take anybody."""
    return await front_page(request, site, caller)


@pages.get("/tables")
async def tables(request: Request, site: Guarded, caller: AnyCaller) -> Response:
    """The part of the home page that changes by itself."""
    site.limits.spend(LIST, address_of(request))
    return templates.TemplateResponse(request, "tables.html", await _tables(site, caller))


@pages.get("/t/{code}/qr.svg")
async def invitation(request: Request, site: Guarded, code: str) -> Response:
    """The link to a table as a QR code. Whether there is such a table, it does not say."""
    parsed = parse_code(code)
    if parsed is None:
        raise RefusedError(Code.UNKNOWN_ROOM, "This is no code of a table.")
    site.limits.spend(DRAW, address_of(request))
    drawn = await invitation_qr(f"{site.address.url_of(request)}/t/{parsed}")
    return answer_with(drawn, "image/svg+xml", request.headers)


@pages.get("/phone")
async def phone(request: Request, site: Guarded, caller: AnyCaller, table: str = "") -> Response:
    """On the device that one has: the link by which another goes on."""
    code = parse_code(table)
    context = {"base": f"{site.address.base}/", "player": caller, "code": code, "back": _place(site, code)}
    return templates.TemplateResponse(request, "phone.html", context)


@pages.get("/devices")
async def devices(request: Request, site: Guarded, caller: AnyCaller) -> Response:
    """Where the player is signed in, to sign devices out."""
    session = request.state.session
    listed = await site.devices.listed(session) if session else ()
    context = {"base": f"{site.address.base}/", "player": caller, "devices": listed}
    return templates.TemplateResponse(request, "devices.html", context)


@pages.get("/signed-out")
async def signed_out(request: Request, site: Guarded, caller: AnyCaller, table: str = "") -> Response:
    """Where a page goes whose device was signed out."""
    code = parse_code(table)
    context = {"base": f"{site.address.base}/", "player": caller, "code": code, "back": _place(site, code)}
    return templates.TemplateResponse(request, "signed_out.html", context)


@pages.get("/continue")
async def go_on(request: Request, site: Guarded, caller: AnyCaller, table: str = "") -> Response:
    """On the other device: asks whether to go on here. The link's secret stays in the browser until one does."""
    context = {"base": f"{site.address.base}/", "player": caller, "next": _place(site, parse_code(table))}
    return templates.TemplateResponse(request, "continue.html", context)


async def front_page(request: Request, site: Site, caller: PlayerRow | None, *, unknown: bool = False) -> Response:
    """The home page; `unknown` says that a table was asked for that is not there."""
    context = {"player": caller, "unknown_room": unknown, **await _tables(site, caller)}
    return templates.TemplateResponse(request, "home.html", context, 404 if unknown else 200)


async def _tables(site: Site, caller: PlayerRow | None) -> dict[str, object]:
    return {
        "base": f"{site.address.base}/",
        "days": site.door.days,
        "mine": await _mine(site, caller.id) if caller else [],
        "open": await site.door.open_tables(),
    }


async def _mine(site: Site, player: str) -> list[Glance]:
    """The tables of a player: where it is their turn, other games, lobbies, and the last that are finished."""
    rows = [
        *await site.store.read_list(queries.rooms_of, player, UNFINISHED, MOST_UNFINISHED),
        *await site.store.read_list(queries.rooms_of, player, ("over",), MOST_FINISHED),
    ]
    shown = [await glance(site.rooms, row, player) for row in rows]
    return sorted(shown, key=lambda each: (each.status == "over", not each.mine, each.status == "lobby"))


def _place(site: Site, code: str | None) -> str:
    return f"{site.address.base}/" + (f"t/{code}" if code else "")
