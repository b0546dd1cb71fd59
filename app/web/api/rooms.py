"""Calls of rooms and boards: each parses, calls one function, and renders."""

from collections.abc import Sequence
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from app.bots import LEVELS
from app.rooms import Code, RefusedError, lobby, open_tables, set_public
from app.rules.game import LAST_SEAT
from app.rules.shuffle import commitment
from app.web.address import address_of
from app.web.chat import checked
from app.web.csrf import check_reader
from app.web.dependencies import (
    ActingCaller,
    AnyCaller,
    AnySeat,
    Caller,
    Guarded,
    NamedRoom,
    NamingSite,
    OpeningSite,
    body_of,
    json,
)
from app.web.limits import CHAT_MESSAGE, OPEN_TABLES
from app.web.names import parse_name
from app.web.openapi import gives, takes
from app.web.socket_limits import STRANGERS_SOCKET
from app.wire import (
    Act,
    Bar,
    Bars,
    Invitation,
    Join,
    Joined,
    Messages,
    NewBar,
    NewBot,
    NewGuest,
    NewRoom,
    NextRoom,
    Opening,
    OpenTables,
    Played,
    Record,
    RoomChanges,
    RoomView,
    Say,
    Spoken,
    ViewShape,
)

router = APIRouter(prefix="/api/v1")


def bars_of(barred: Sequence[tuple[str, str]]) -> Bars:
    """The barred players, as the host sees them."""
    return Bars(tuple(Bar(player, name) for player, name in barred))


@router.post("/rooms", responses=gives(Opening, 201, 401, 403, 413), openapi_extra=takes(NewRoom), status_code=201)
async def create_room(
    request: Request, site: OpeningSite, caller: Caller, wish: Annotated[NewRoom, Depends(body_of(NewRoom))]
) -> Response:
    """Make a table. The caller is its host, on seat 0."""
    row = await site.rooms.create(caller, wish)
    url = f"{site.address.url_of(request)}/t/{row.code}"
    return json(Opening(row.code, url, commitment(row.server_seed)), 201)


@router.get("/rooms", responses=gives(OpenTables))
async def list_rooms(request: Request, site: Guarded) -> Response:
    """The open tables, the newest first: a few of each host, the second ones after all first ones."""
    site.limits.spend(OPEN_TABLES, address_of(request))
    return json(OpenTables(tuple(await open_tables(site.context))))


@router.get("/rooms/{code}", responses=gives(RoomView, 200, 404))
async def show_room(room: NamedRoom) -> Response:
    """The room as everybody may see it."""
    return json(room.audience.described)


@router.patch(
    "/rooms/{code}", responses=gives(RoomView, 200, 401, 403, 404, 409, 413), openapi_extra=takes(RoomChanges)
)
async def change_room(
    site: Guarded, room: NamedRoom, caller: Caller, wish: Annotated[RoomChanges, Depends(body_of(RoomChanges))]
) -> Response:
    """Host, before the start: list the table among the open ones, or stop that."""
    await set_public(site.context, room, caller.id, public=wish.public)
    return json(room.audience.described)


@router.post(
    "/rooms/{code}/join",
    responses=gives(Joined, 200, 401, 403, 404, 409, 413),
    openapi_extra=takes(Join, required=False),
)
async def join_room(
    site: Guarded, room: NamedRoom, caller: Caller, wish: Annotated[Join, Depends(body_of(Join))], seat: AnySeat = None
) -> Response:
    """Take a free seat, or keep the one the caller has. The first nonce before the start counts."""
    joined = await site.rooms.join(room, caller, wish.nonce, seat)
    return json(Joined(joined.seat, joined.nonce))


@router.post(
    "/rooms/{code}/guests",
    responses=gives(Joined, 201, 401, 403, 404, 409, 413),
    openapi_extra=takes(NewGuest),
    status_code=201,
)
async def seat_guest(
    request: Request,
    site: NamingSite,
    room: NamedRoom,
    caller: Caller,
    wish: Annotated[NewGuest, Depends(body_of(NewGuest))],
) -> Response:
    """Before the start, at a table that allows it: seat a guest who plays on the caller's device."""
    lobby.need_guests(room.row, caller.id)
    origin = site.limits.origin_of(address_of(request))
    guest = await site.identities.add_guest(parse_name(wish.name), origin)
    seat = await site.rooms.seat_guest(room, caller, guest)
    return json(Joined(seat.seat, seat.nonce), 201)


@router.post("/rooms/{code}/leave", responses=gives(RoomView, 200, 401, 403, 404, 409))
async def leave_room(room: NamedRoom, caller: ActingCaller) -> Response:
    """Free the caller's seat before the start, and those of the caller's guests; or the seat of one guest."""
    await room.change(lambda row: lobby.leave(row, caller.id))
    return json(room.audience.described)


@router.post(
    "/rooms/{code}/invitations",
    responses=gives(RoomView, 200, 401, 403, 404, 409, 413),
    openapi_extra=takes(Invitation),
)
async def invite(
    site: Guarded, room: NamedRoom, caller: Caller, wish: Annotated[Invitation, Depends(body_of(Invitation))]
) -> Response:
    """Host, before the start: ask a spectator to take a free seat."""
    await site.rooms.invite(room, caller, wish.player)
    return json(room.audience.described)


@router.get("/rooms/{code}/bars", responses=gives(Bars, 200, 401, 403, 404))
async def show_bars(room: NamedRoom, caller: AnyCaller) -> Response:
    """Host: the players barred from this table."""
    return json(bars_of(lobby.bars(room.row, caller.id if caller else "")))


@router.post("/rooms/{code}/bars", responses=gives(Bars, 200, 401, 403, 404, 409, 413), openapi_extra=takes(NewBar))
async def bar_player(
    site: Guarded, room: NamedRoom, caller: Caller, wish: Annotated[NewBar, Depends(body_of(NewBar))]
) -> Response:
    """Host: bar a player, who has a seat before the start, or has watched or written here."""
    return json(bars_of(await site.rooms.bar(room, caller, wish)))


@router.delete("/rooms/{code}/bars/{player}", responses=gives(Bars, 200, 401, 403, 404))
async def lift_bar(room: NamedRoom, caller: Caller, player: str) -> Response:
    """Host: lift a bar."""
    row = await room.change(lambda row: lobby.lift_bar(row, caller.id, player))
    return json(bars_of(row.barred))


@router.post("/rooms/{code}/bots", responses=gives(RoomView, 200, 401, 403, 404, 409, 413), openapi_extra=takes(NewBot))
async def add_bot(room: NamedRoom, caller: Caller, wish: Annotated[NewBot, Depends(body_of(NewBot))]) -> Response:
    """Host: put a bot on the next free seat."""
    if wish.level not in LEVELS:
        raise RefusedError(Code.BAD_REQUEST, f"level: must be one of {', '.join(LEVELS)}.")
    await room.change(lambda row: lobby.add_bot(row, caller.id, wish.level))
    return json(room.audience.described)


@router.delete("/rooms/{code}/seats/{number}", responses=gives(RoomView, 200, 401, 403, 404, 409))
async def remove_seat(room: NamedRoom, caller: Caller, number: Annotated[int, Path(ge=0, le=LAST_SEAT)]) -> Response:
    """Host, before the start: free a seat."""
    await room.change(lambda row: lobby.remove_seat(row, caller.id, number))
    return json(room.audience.described)


@router.post("/rooms/{code}/start", responses=gives(RoomView, 200, 401, 403, 404, 409))
async def start_game(site: Guarded, room: NamedRoom, caller: Caller) -> Response:
    """Host: start the game with 2 or more players. Empty seats are removed; the others keep their order."""
    await site.rooms.start(room, caller)
    return json(room.audience.described)


@router.post("/rooms/{code}/act", responses=gives(Played, 200, 401, 403, 404, 409, 413, 422), openapi_extra=takes(Act))
async def act(room: NamedRoom, caller: ActingCaller, wish: Annotated[Act, Depends(body_of(Act))]) -> Response:
    """Play. The answer comes when the move is stored; the same id has the same answer again."""
    return json(Played(await room.act(caller.id, wish)))


@router.post("/rooms/{code}/talk", responses=gives(Spoken, 200, 401, 403, 404, 413), openapi_extra=takes(Say))
async def say(
    site: Guarded, room: NamedRoom, caller: Caller, player: ActingCaller, wish: Annotated[Say, Depends(body_of(Say))]
) -> Response:
    """Send a chat message. The same id is sent once."""
    site.limits.spend(CHAT_MESSAGE, caller.id)
    return json(await room.chat.say_for(player.id, player.name, checked(wish)))


@router.get("/rooms/{code}/messages", responses=gives(Messages, 200, 401, 403, 404))
async def fetch_messages(  # noqa: PLR0913, PLR0917 - what may be asked for
    request: Request,
    site: Guarded,
    room: NamedRoom,
    caller: AnyCaller,
    session: Annotated[str, Query(max_length=64)] = "",
    after: Annotated[int, Query(ge=0, le=1_000_000_000)] = 0,
    seat: AnySeat = None,
) -> Response:
    """Long polling: the messages of a socket since the answer with this number. Waits for one up to 25 seconds."""
    check_reader(request, site.address)
    player = await room.acting_player(caller, seat)
    if (going := site.polling.find(session, room, player, after)) is not None:
        return json(await site.polling.fetch(going, after, request.receive))
    if caller is None:
        site.limits.spend(STRANGERS_SOCKET, address_of(request))
    listen = partial(room.connect, player.id, player.name, caller.id) if player and caller else room.connect
    connected = partial(site.devices.connected, request.state.session)
    new = site.polling.open(room, listen, site.sockets, address_of(request), connected)
    return json(await site.polling.fetch(new, 0, request.receive))


@router.get("/rooms/{code}/view", responses=gives(ViewShape, 200, 401, 403, 404, 409))
async def show_view(room: NamedRoom, caller: AnyCaller, seat: AnySeat = None) -> Response:
    """The game as the caller, or a guest on the caller's device, may see it."""
    player = await room.acting_player(caller, seat)
    return json(await room.show_to(player.id if player else None))


@router.get("/rooms/{code}/record", responses=gives(Record, 200, 404, 409))
async def show_record(site: Guarded, room: NamedRoom) -> Response:
    """After the end: board, players, seed and its parts, every move with its time, scores."""
    return json(await site.rooms.record(room))


@router.post(
    "/rooms/{code}/rematch",
    responses=gives(NextRoom, 200, 401, 403, 404, 409, 413),
    openapi_extra=takes(Join, required=False),
)
async def rematch(
    site: Guarded, room: NamedRoom, caller: Caller, _wish: Annotated[Join, Depends(body_of(Join))]
) -> Response:
    """After the end, for those who played: a single new room for all, with a seat for the caller if one is free."""
    row = await site.rooms.rematch(room, caller)
    return json(NextRoom(row.code, commitment(row.server_seed)))


@router.get("/boards/{board_id}", responses=gives(dict, 200, 404))
async def show_board(site: Guarded, board_id: str) -> Response:
    """The board's data."""
    board = site.rooms.boards.find(board_id)
    if board is None:
        raise HTTPException(404, "There is no board with this id")
    return json(board.text.encode())
