"""A room live: one socket, one listener."""

import asyncio
from contextlib import suppress
from time import perf_counter

from fastapi import APIRouter, WebSocket
from starlette.websockets import WebSocketDisconnect, WebSocketDisconnected

from app.meters import PARSE, REFUSALS
from app.rooms import Code, Listener, OutboxClosedError, RefusedError, Room
from app.wire import PONG, Act, Ping, Say, WireError, dump, id_of, parse_message

from .calls import address_of, find_room
from .limits import CALL
from .problems import answer
from .security import check_cookie, check_origin
from .site import Site, site_of

POLICY = 1008
PATIENCE = 5.0
"""Seconds in which a listener has to make room for a message."""

router = APIRouter(prefix="/ws/v1")


class SentAwayError(Exception):
    """The socket is to be closed as one that keeps no rules; the text says which."""


@router.websocket("/rooms/{code}")
async def follow(websocket: WebSocket, code: str) -> None:
    """Show a room to a socket, and take its messages, until either leaves."""
    site = site_of(websocket)
    try:
        room, listener = await _connect(websocket, site, code)
    except RefusedError as error:
        await websocket.send_denial_response(answer(error))
        return
    try:
        await websocket.accept()
        await _serve(websocket, room, listener, site)
    except (WebSocketDisconnect, WebSocketDisconnected):
        pass
    except (SentAwayError, OutboxClosedError) as error:
        await _close(websocket, str(error))
    finally:
        room.disconnect(listener)


async def _connect(websocket: WebSocket, site: Site, code: str) -> tuple[Room, Listener]:
    site.limits.spend(CALL, address_of(websocket))
    check_origin(websocket, site.address)
    check_cookie(websocket)
    player = await site.identities.find(websocket)
    room = await find_room(websocket, site, code)
    return room, (room.connect(player.id, player.name) if player else room.connect(None))


async def _serve(websocket: WebSocket, room: Room, listener: Listener, site: Site) -> None:
    """Send and receive side by side; the first that ends ends the other."""
    sides = [
        asyncio.create_task(_send(websocket, listener)),
        asyncio.create_task(_receive(websocket, room, listener, site)),
    ]
    try:
        await asyncio.wait(sides, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for side in sides:
            side.cancel()
        await asyncio.wait(sides)
    for error in [side.exception() for side in sides if not side.cancelled()]:
        if error is not None:
            raise error


async def _send(websocket: WebSocket, listener: Listener) -> None:
    while True:
        text = await listener.outbox.next()
        try:
            async with asyncio.timeout(PATIENCE):
                await websocket.send({"type": "websocket.send", "text": text})
        except TimeoutError:
            raise SentAwayError("too slow") from None


async def _receive(websocket: WebSocket, room: Room, listener: Listener, site: Site) -> None:
    may_speak = site.limits.for_socket()
    while True:
        message = await websocket.receive()
        if message["type"] == "websocket.disconnect":
            return
        if not may_speak():
            raise SentAwayError("too many messages")
        text = message.get("text")
        if text is None:
            raise SentAwayError("text only")
        await _take(text, room, listener)


async def _take(text: str, room: Room, listener: Listener) -> None:
    start = perf_counter()
    try:
        message = parse_message(text)
    except WireError as error:
        _refuse(room, listener, id_of(text), RefusedError(Code.BAD_REQUEST, str(error)))
        return
    PARSE.since(start)
    match message:
        case Ping():
            listener.outbox.answer(PONG)
        case Say():
            _refuse(room, listener, message.id, RefusedError(Code.BAD_REQUEST, "say: chat is not available yet."))
        case Act():
            await _act(message, room, listener)


async def _act(act: Act, room: Room, listener: Listener) -> None:
    if listener.player is None:
        _refuse(room, listener, act.id, RefusedError(Code.NOT_SEATED, "You have no seat at this table."))
        return
    try:
        await room.act(listener.player, act, listener)
    except RefusedError:
        return  # the room has told the listener


def _refuse(room: Room, listener: Listener, action_id: str | None, error: RefusedError) -> None:
    REFUSALS[error.code] += 1
    listener.outbox.answer(dump(error.told(action_id, room.version)).decode())


async def _close(websocket: WebSocket, reason: str) -> None:
    with suppress(WebSocketDisconnect, WebSocketDisconnected):
        await websocket.close(POLICY, reason)
