"""The socket of a room: each socket is one listener."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from time import perf_counter

from fastapi import APIRouter, WebSocket
from starlette.websockets import WebSocketDisconnect, WebSocketDisconnected

from app.metrics import PARSE, REFUSALS
from app.rooms import Code, Listener, OutboxClosedError, RefusedError, Room, lobby
from app.server import WebSocketProtocol, protocol_of
from app.wire import PONG, Act, Ping, Say, WireError, dump, id_of, parse_message

from .address import address_of
from .chat import checked
from .csrf import check_cookie, check_origin
from .dependencies import AnySeat, find_room
from .identity import Session
from .limits import CALL, CHAT_MESSAGE, Limits
from .problems import problem
from .site import Site, site_of
from .socket_limits import STRANGERS_SOCKET

POLICY = 1008
TIMEOUT = 5.0
"""Seconds in which a client must read, before it counts as too slow."""

MOST_WAITING = 16
"""Maximum messages that wait behind the one being handled. With more, the socket isn't read for a while."""

router = APIRouter(prefix="/ws/v1")
elsewhere = APIRouter()


@router.websocket("/rooms/{code}")
async def follow(websocket: WebSocket, code: str, seat: AnySeat = None) -> None:
    """Show a room to a socket, and handle its messages, until it closes."""
    site, address = site_of(websocket), address_of(websocket)
    room, listener, session = await _connect(websocket, site, code, seat)
    try:
        with site.sockets.hold(listener, room.code, address), site.devices.connected(session, listener.outbox.close):
            may_send = site.sockets.may_send(listener, room.code, address)
            await websocket.accept()
            await Conversation(protocol_of(websocket), room, listener, site.limits).go_on(may_send)
    except OutboxClosedError as error:
        await _close(websocket, str(error))
    except (WebSocketDisconnect, WebSocketDisconnected):
        pass
    finally:
        room.disconnect(listener)


async def _connect(
    websocket: WebSocket, site: Site, code: str, seat: int | None
) -> tuple[Room, Listener, Session | None]:
    site.limits.spend(CALL, address_of(websocket))
    check_origin(websocket, site.address)
    check_cookie(websocket, site.identities.cookies)
    session = await site.identities.find(websocket)
    if session is None:
        site.limits.spend(STRANGERS_SOCKET, address_of(websocket))
    room = await find_room(websocket, site, code)
    player = await room.acting_player(session.player if session else None, seat)
    listener = room.connect(player.id, player.name, session.player.id) if session and player else room.connect()
    return room, listener, session


@elsewhere.websocket("/{path:path}")
async def refuse(websocket: WebSocket) -> None:
    """Refuse a socket at an unknown address like a request."""
    site_of(websocket).limits.spend(CALL, address_of(websocket))
    await websocket.send_denial_response(problem(404, Code.BAD_REQUEST, "Not Found."))


class Conversation:
    """A socket and the room it follows. Messages are handled one after the other; sending never waits."""

    __slots__ = ("_connection", "_is_lost", "_limits", "_listener", "_room", "_waiting", "_work")

    def __init__(self, connection: WebSocketProtocol, room: Room, listener: Listener, limits: Limits) -> None:
        self._connection = connection
        self._room = room
        self._listener = listener
        self._limits = limits
        self._waiting: list[str] = []
        self._work: asyncio.Task[int] | None = None
        self._is_lost = False

    async def go_on(self, may_send: Callable[[], bool]) -> None:
        """Serve the socket until it is lost.

        Raises:
            OutboxClosedError: the socket must be closed for this reason.
        """
        context = copy_context()  # so that log lines count for the network of the sender
        self._connection.hand_over(lambda text: context.run(self._hear, text), self._lose, may_send)
        self._listener.outbox.send_over(self._connection)
        try:
            while True:
                await self._send_what_waits()
        except OutboxClosedError:
            if not self._is_lost:
                raise

    async def _send_what_waits(self) -> None:
        """Send what the socket could not take at once."""
        await self._listener.outbox.wait()
        try:
            async with asyncio.timeout(TIMEOUT):
                await self._connection.free()
        except TimeoutError:
            raise OutboxClosedError("too slow") from None
        self._listener.outbox.pass_on()

    def _lose(self) -> None:
        self._is_lost = True
        self._listener.outbox.close("gone")

    def _hear(self, text: str | None) -> None:
        outbox = self._listener.outbox
        if text is None:
            outbox.close("text only")
        elif not outbox.is_closed:
            self._waiting.append(text)
            self._take_on()

    def _take_on(self) -> None:
        while self._waiting and self._work is None:
            self._take(self._waiting.pop(0))
        self._connection.listen(is_on=len(self._waiting) < MOST_WAITING)

    def _take(self, text: str) -> None:
        start = perf_counter()
        try:
            message = parse_message(text)
        except WireError as error:
            self._refuse(id_of(text), RefusedError(Code.BAD_REQUEST, str(error)))
            return
        PARSE.since(start)
        match message:
            case Ping():
                self._listener.outbox.answer(PONG)
            case Say():
                self._say(message)
            case Act() if self._listener.player is None:
                self._refuse(message.id, RefusedError(Code.NOT_SEATED, "You have no seat at this table."))
            case Act():
                self._begin(self._room.act_for(self._listener, message))

    def _say(self, message: Say) -> None:
        """Store a chat message without waiting for it: a move may follow at once."""
        try:
            self._need_voice()
            checked_message = checked(message)
        except RefusedError as error:
            self._refuse(message.id, error)
        else:
            self._room.chat.say(self._listener, checked_message)

    def _need_voice(self) -> None:
        if self._listener.caller is None:
            raise RefusedError(Code.NOT_SEATED, "Only those with a name may talk.", reason="say_name")
        lobby.need_voice(self._room.row, self._listener.viewer)
        self._limits.spend(CHAT_MESSAGE, self._listener.caller)

    def _begin(self, work: asyncio.Task[int]) -> None:
        self._work = work
        work.add_done_callback(self._end)

    def _end(self, _work: asyncio.Task[int]) -> None:
        self._work = None
        self._take_on()

    def _refuse(self, message_id: str | None, error: RefusedError) -> None:
        REFUSALS[error.code] += 1
        self._listener.outbox.answer(dump(error.told(message_id, self._room.version)))


async def _close(websocket: WebSocket, reason: str) -> None:
    with suppress(WebSocketDisconnect, WebSocketDisconnected):
        await websocket.close(POLICY, reason)
