"""Calls of players: names, devices, and links by which a player goes on with another device."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request
from starlette.responses import Response

from app.rooms import Code, RefusedError, parse_code
from app.web.address import address_of
from app.web.dependencies import Caller, CallerSession, Guarded, NamingSite, Reader, body_of, json
from app.web.identity import LINK_SECONDS
from app.web.names import parse_name
from app.web.openapi import gives, takes
from app.web.qr import draw_qr
from app.wire import (
    Devices,
    Link,
    LinkOwner,
    LinkSecret,
    NewLink,
    NewPlayer,
    Player,
    PlayerView,
)

router = APIRouter(prefix="/api/v1")


@router.post("/players", responses=gives(Player, 201, 403, 413), openapi_extra=takes(NewPlayer), status_code=201)
async def create_player(
    request: Request, site: NamingSite, wish: Annotated[NewPlayer, Depends(body_of(NewPlayer))]
) -> Response:
    """Become a player. The token is in this answer only, and set as a cookie."""
    origin = site.limits.origin_of(address_of(request))
    player, token = await site.identities.add(request, parse_name(wish.name), origin)
    response = json(Player(player.id, player.name, token), 201)
    site.identities.cookies.set(response, request, token)
    return response


@router.patch("/players/me", responses=gives(Player, 200, 401, 403, 413), openapi_extra=takes(NewPlayer))
async def rename_player(
    request: Request, site: NamingSite, session: CallerSession, wish: Annotated[NewPlayer, Depends(body_of(NewPlayer))]
) -> Response:
    """Take another name and stay the same player.

    The answer has a new token, also set as a cookie. The old one is valid until the new one is used.
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
    """The devices on which the caller is signed in, the last used one first."""
    return json(Devices(await site.devices.listed(session)))


@router.delete("/players/me/devices", responses=gives(Devices, 200, 401, 403))
async def sign_out_other_devices(site: Guarded, session: CallerSession) -> Response:
    """Sign out all other devices. Answers with the ones that are left."""
    await site.devices.sign_out_others(session)
    return json(Devices(await site.devices.listed(session)))


@router.delete("/players/me/devices/{device}", responses=gives(Devices, 200, 401, 403, 404))
async def sign_out_device(
    request: Request, site: Guarded, session: CallerSession, device: Annotated[str, Path(max_length=64)]
) -> Response:
    """Sign out a device. Answers with those left. Without any device, nobody can become this player again."""
    await site.devices.sign_out(session, device)
    response = json(Devices(await site.devices.listed(session)))
    if device == session.row.device:
        site.identities.cookies.delete(response, request)
    return response


@router.post(
    "/links",
    responses=gives(Link, 201, 401, 403, 413),
    openapi_extra=takes(NewLink, required=False),
    status_code=201,
)
async def create_link(
    request: Request, site: NamingSite, caller: Caller, wish: Annotated[NewLink, Depends(body_of(NewLink))]
) -> Response:
    """Make a one-time link, valid for two minutes, by which another device becomes the caller."""
    code = None if wish.room is None else parse_code(wish.room)
    if code is None and wish.room is not None:
        raise RefusedError(Code.BAD_REQUEST, "room: this is no code of a room.")
    secret = await site.identities.make_link(caller)
    url = f"{site.address.url_of(request)}/continue{f'?table={code}' if code else ''}#{secret}"
    return json(Link(url, LINK_SECONDS, await draw_qr(url)), 201)


@router.post("/links/owner", responses=gives(LinkOwner, 200, 403, 404, 413), openapi_extra=takes(LinkSecret))
async def show_link_owner(site: Guarded, wish: Annotated[LinkSecret, Depends(body_of(LinkSecret))]) -> Response:
    """The player of a link, which is not used up."""
    player = await site.identities.owner_of(wish.secret)
    return json(LinkOwner(player.id, player.name))


@router.post(
    "/links/use", responses=gives(Player, 201, 403, 404, 413), openapi_extra=takes(LinkSecret), status_code=201
)
async def use_link(
    request: Request, site: NamingSite, wish: Annotated[LinkSecret, Depends(body_of(LinkSecret))]
) -> Response:
    """Become the link's player, with a new token, which is also set as a cookie. The link is used up."""
    player, token = await site.identities.use_link(request, wish.secret)
    response = json(Player(player.id, player.name, token), 201)
    site.identities.cookies.set(response, request, token)
    return response
