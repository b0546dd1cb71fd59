"""The calls of the door: which tables take anybody, another name, and going on with another device."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request
from starlette.responses import Response

from app.rooms import Code, RefusedError, parse_code
from app.wire import (
    Devices,
    Link,
    LinkOwner,
    LinkSecret,
    NewLink,
    NewPlayer,
    OpenTables,
    Player,
    PlayerView,
    RoomChanges,
    RoomView,
)

from .address import address_of
from .calls import Caller, CallerSession, Guarded, NamedRoom, NamingSite, Reader, body_of, json
from .document import gives, takes
from .identity import LINK_SECONDS
from .limits import LIST
from .names import parse_name
from .qr import draw_qr

router = APIRouter(prefix="/api/v1")


@router.patch("/players/me", responses=gives(Player, 200, 401, 403, 413), openapi_extra=takes(NewPlayer))
async def rename_player(
    request: Request, site: NamingSite, session: CallerSession, wish: Annotated[NewPlayer, Depends(body_of(NewPlayer))]
) -> Response:
    """Take another name and stay the same player.

    The answer has a token, also set as a cookie, in place of the caller's, which is valid until the new one is used.
    """
    name = parse_name(wish.name)
    token = await site.identities.rename(session, name)
    response = json(Player(session.player.id, name, token))
    site.identities.cookies.set(response, request, token)
    return response


@router.get("/players/me", responses=gives(PlayerView, 200, 401))
async def show_player(session: Reader) -> Response:
    """Who the caller is."""
    return json(PlayerView(session.player.id, session.player.name))


@router.get("/players/me/devices", responses=gives(Devices, 200, 401))
async def list_devices(site: Guarded, session: Reader) -> Response:
    """Where the caller is signed in, the last used device first."""
    return json(Devices(await site.devices.listed(session)))


@router.delete("/players/me/devices", responses=gives(Devices, 200, 401, 403))
async def sign_out_other_devices(site: Guarded, session: CallerSession) -> Response:
    """Sign out all devices but the one that calls; those that are left."""
    await site.devices.sign_out_others(session)
    return json(Devices(await site.devices.listed(session)))


@router.delete("/players/me/devices/{device}", responses=gives(Devices, 200, 401, 403, 404))
async def sign_out_device(
    request: Request, site: Guarded, session: CallerSession, device: Annotated[str, Path(max_length=64)]
) -> Response:
    """Sign out one device; those that are left. Who signs out the last one can't come back as this player."""
    await site.devices.sign_out(session, device)
    response = json(Devices(await site.devices.listed(session)))
    if device == session.row.device:
        site.identities.cookies.delete(response, request)
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
    player, token = await site.identities.use_link(request, wish.secret)
    response = json(Player(player.id, player.name, token), 201)
    site.identities.cookies.set(response, request, token)
    return response
