"""The calls of the door: which tables take anybody, another name, and going on with another device."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from app.rooms import Code, RefusedError, parse_code
from app.wire import Link, LinkOwner, LinkSecret, NewLink, NewPlayer, OpenTables, Player, RoomChanges, RoomView

from .address import address_of
from .api import gives, takes
from .calls import Caller, Guarded, NamedRoom, NamingSite, body_of, json
from .identity import LINK_SECONDS, sign_in
from .limits import LIST
from .names import parse_name
from .qr import draw_qr

router = APIRouter(prefix="/api/v1")


@router.patch("/players/me", responses=gives(Player, 200, 401, 403, 413), openapi_extra=takes(NewPlayer))
async def rename_player(
    request: Request, site: NamingSite, caller: Caller, wish: Annotated[NewPlayer, Depends(body_of(NewPlayer))]
) -> Response:
    """Take another name and stay the same player: with one more token, told this once, and set as a cookie."""
    name = parse_name(wish.name)
    token = await site.identities.rename(caller, name)
    response = json(Player(caller.id, name, token))
    sign_in(response, token, site.address.base, site.address.url_of(request))
    return response


@router.get("/rooms", responses=gives(OpenTables))
async def list_rooms(request: Request, site: Guarded) -> Response:
    """The tables that take anybody: of each host a few, the newest first, the second ones after all first ones."""
    site.limits.spend(LIST, address_of(request))
    return json(OpenTables(tuple(await site.door.open_tables())))


@router.patch(
    "/rooms/{code}", responses=gives(RoomView, 200, 401, 403, 404, 409, 413), openapi_extra=takes(RoomChanges)
)
async def change_room(
    site: Guarded, room: NamedRoom, caller: Caller, wish: Annotated[RoomChanges, Depends(body_of(RoomChanges))]
) -> Response:
    """Host, before the start: offer the table to everybody, or no longer."""
    await site.door.set_public(room, caller.id, public=wish.public)
    return json(room.described)


@router.post(
    "/links",
    responses=gives(Link, 201, 401, 403, 413),
    openapi_extra=takes(NewLink, required=False),
    status_code=201,
)
async def create_link(
    request: Request, site: NamingSite, caller: Caller, wish: Annotated[NewLink, Depends(body_of(NewLink))]
) -> Response:
    """A one-time link by which the caller goes on with another device; it lives for two minutes."""
    code = None if wish.room is None else parse_code(wish.room)
    if code is None and wish.room is not None:
        raise RefusedError(Code.BAD_REQUEST, "room: this is no code of a room.")
    secret = await site.identities.make_link(caller)
    url = f"{site.address.url_of(request)}/continue{f'?table={code}' if code else ''}#{secret}"
    return json(Link(url, LINK_SECONDS, await draw_qr(url)), 201)


@router.post("/links/owner", responses=gives(LinkOwner, 200, 403, 404, 413), openapi_extra=takes(LinkSecret))
async def show_link_owner(site: Guarded, wish: Annotated[LinkSecret, Depends(body_of(LinkSecret))]) -> Response:
    """Who one would become by a link; it is not used up."""
    player = await site.identities.owner_of(wish.secret)
    return json(LinkOwner(player.id, player.name))


@router.post(
    "/links/use", responses=gives(Player, 201, 403, 404, 413), openapi_extra=takes(LinkSecret), status_code=201
)
async def use_link(
    request: Request, site: NamingSite, wish: Annotated[LinkSecret, Depends(body_of(LinkSecret))]
) -> Response:
    """Become the link's player, with a token of one's own: told this once, and set as a cookie. The link is used up."""
    player, token = await site.identities.use_link(wish.secret)
    response = json(Player(player.id, player.name, token), 201)
    sign_in(response, token, site.address.base, site.address.url_of(request))
    return response
