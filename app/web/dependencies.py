"""Dependencies of the handlers: who calls, from where, which room, and the parsed body."""

from collections.abc import Awaitable, Callable
from email.message import Message
from typing import Annotated, TypeVar

from fastapi import Depends, Path, Query, Request
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.responses import Response

from app.rooms import Code, RefusedError, Room, lobby
from app.rules.game import LAST_SEAT
from app.store import PlayerRow
from app.wire import MOST_BYTES, dump, parse_body

from .address import address_of
from .csrf import check_cookie, check_origin
from .identity import Session
from .limits import CALL, WRONG_CODE, RateLimitedError
from .site import Site, site_of

T = TypeVar("T")

AnySeat = Annotated[
    int | None, Query(ge=0, le=LAST_SEAT, description="Act for this seat: a guest's on the caller's device.")
]


async def guarded(request: Request) -> Site:
    """The site, for a call within its limits and from an allowed origin."""
    site = site_of(request)
    site.limits.spend(CALL, address_of(request))
    if request.method not in ("GET", "HEAD"):
        check_origin(request, site.address)
    return site


async def guarded_naming(request: Request, site: Annotated[Site, Depends(guarded)]) -> Site:
    """The site, for a call that makes a player, or gives a player another name or device."""
    site.limits.spend(site.limits.new_players, address_of(request))
    return site


async def guarded_opening(request: Request, site: Annotated[Site, Depends(guarded)]) -> Site:
    """The site, for a call that makes a room."""
    site.limits.spend(site.limits.new_rooms, address_of(request))
    return site


async def named_room(
    request: Request,
    site: Annotated[Site, Depends(guarded)],
    code: Annotated[str, Path(description="The room's code, in any case, with or without hyphens.")],
) -> Room:
    """The room of the path."""
    return await find_room(request, site, code)


async def find_room(connection: HTTPConnection, site: Site, code: str) -> Room:
    """The room with a code. Those who try many wrong codes have to wait, unless they have a seat there."""
    try:
        site.limits.spend(WRONG_CODE, address_of(connection))
    except RateLimitedError:
        session = await site.identities.find(connection)
        if session is None or not await site.rooms.has_seat(code, session.player.id):
            raise
        room = await site.rooms.find(code)
    else:
        room = await _find_for_one_try(connection, site, code)
    if room.row.barred:
        session = await site.identities.find(connection)
        lobby.need_welcome(room.row, session.player.id if session else None)
    site.upkeep.visit(room.code)
    return room


async def _find_for_one_try(connection: HTTPConnection, site: Site, code: str) -> Room:
    """Find a room. The attempt was counted before, because many may run at once, and given back if the room exists."""
    try:
        room = await site.rooms.find(code)
    except RefusedError as error:
        if error.code is not Code.UNKNOWN_ROOM:
            site.limits.give_back(WRONG_CODE, address_of(connection))
        raise
    site.limits.give_back(WRONG_CODE, address_of(connection))
    return room


async def known_session(request: Request, site: Annotated[Site, Depends(guarded)]) -> Session:
    """The player and device of a call that changes something."""
    check_cookie(request, site.identities.cookies)
    return await site.identities.need(request)


async def known_caller(session: Annotated[Session, Depends(known_session)]) -> PlayerRow:
    """The player of a call that changes something."""
    return session.player


async def reading_session(request: Request, site: Annotated[Site, Depends(guarded)]) -> Session:
    """The player and device of a call that only reads."""
    return await site.identities.need(request)


async def acting_caller(
    room: Annotated[Room, Depends(named_room)],
    caller: Annotated[PlayerRow, Depends(known_caller)],
    seat: AnySeat = None,
) -> PlayerRow:
    """The player for whom the caller acts: the caller, or a guest on the caller's device."""
    return await room.acting_player(caller, seat) or caller


async def any_caller(request: Request, site: Annotated[Site, Depends(guarded)]) -> PlayerRow | None:
    """The player who calls, or None."""
    session = await site.identities.find(request)
    return session.player if session else None


def body_of(kind: type[T]) -> Callable[[Request], Awaitable[T]]:
    """A dependency that parses a body of this kind."""

    async def read(request: Request) -> T:
        body = await _read(request)
        if body and not is_json(request.headers.get("content-type", "")):
            raise RefusedError(Code.UNSUPPORTED_MEDIA_TYPE, "A body is JSON: Content-Type is application/json.")
        return parse_body(kind, body)

    return read


def is_json(content_type: str) -> bool:
    """Whether a Content-Type is JSON, which is always UTF-8."""
    message = Message()
    message["content-type"] = content_type
    return message.get_content_type() == "application/json" and message.get_content_charset("utf-8") == "utf-8"


async def _read(request: Request) -> bytes:
    body = b""
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > MOST_BYTES:
                raise RefusedError(Code.TOO_LARGE, f"A body has at most {MOST_BYTES} bytes.")
    except ClientDisconnect:
        raise RefusedError(Code.BAD_REQUEST, "The body broke off.") from None
    return body


def json(content: object, status: int = 200) -> Response:
    """A JSON response. Bytes are JSON already."""
    return Response(content if isinstance(content, bytes) else dump(content), status, media_type="application/json")


Guarded = Annotated[Site, Depends(guarded)]
NamingSite = Annotated[Site, Depends(guarded_naming)]
OpeningSite = Annotated[Site, Depends(guarded_opening)]
NamedRoom = Annotated[Room, Depends(named_room)]
Caller = Annotated[PlayerRow, Depends(known_caller)]
CallerSession = Annotated[Session, Depends(known_session)]
Reader = Annotated[Session, Depends(reading_session)]
ActingCaller = Annotated[PlayerRow, Depends(acting_caller)]
AnyCaller = Annotated[PlayerRow | None, Depends(any_caller)]
