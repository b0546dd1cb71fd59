"""uvicorn's WebSocket protocol, which reads no more than it may, and closes whoever doesn't keep to the limits.

Texts take a short way in both directions: a queue, tasks and ASGI's messages would take longer than the rest.
"""

from asyncio import AbstractEventLoop, BaseTransport
from collections.abc import Callable, Sequence
from socket import SO_SNDBUF, SOL_SOCKET
from struct import Struct
from typing import TYPE_CHECKING, Any, cast

from fastapi import WebSocket
from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import OPEN

from .connections import Connection, Connections
from .refusals import Handshake

if TYPE_CHECKING:
    from .config import ServerConfig

HANDSHAKE = 30.0
"""Seconds from a complete handshake to its answer."""

GRACE = 10.0
"""Seconds in which the other side may read what was sent before the close, and close as well."""

SHORT_GRACE = 1.0
"""Seconds in which one who broke the limits may read the close frame."""

SLICE = 1024
"""Bytes parsed in one turn of the event loop: up to 170 frames, which take about 2 ms."""

MOST_AFTER_CLOSE = 16 * 1024
"""Bytes read after the close was sent, to find the other side's close behind what it had sent before."""

MOST_UNREAD = 256 * 1024
"""Bytes that may wait for one socket: pongs are sent without asking whether it reads."""

MOST_BUFFERED = 128 * 1024
"""Bytes that the system buffers for one socket, of which it makes twice as many: left alone, it takes megabytes."""

MOST_PARTS = 64
"""Frames of which one message may be made: empty ones would never reach the most bytes a message may have."""

MOST_PIECES = 64
"""Reads in which one frame may come: each costs about as much as a frame."""

POLICY = 1008
TOO_LARGE = 1009
NOT_TEXT = 1007

EXTENSION = "fogline.protocol"

TEXT = 0x81
"""The first byte of a frame that is a whole text."""

SHORT, MEDIUM, LONG = Struct("!BB").pack, Struct("!BBH").pack, Struct("!BBQ").pack
"""The heads of frames by their size: it stands in the second byte, or that says how long the number is that follows."""

Hear = Callable[[str | None], None]
"""Takes a text, or None for a message that is none."""


def always() -> bool:
    """For sockets without a limit."""
    return True


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """Closing never waits for the other side, and nothing of it piles up."""

    _open_connections: Connections
    _connection: Connection | None
    _hear: Hear | None
    _lose: Callable[[], None] | None
    _may_send: Callable[[], bool]
    _unparsed: bytearray
    _is_answered: bool
    _is_cut: bool
    _is_reading: bool
    _is_parsing: bool
    _pieces: int
    _after_close: int

    def __init__(
        self,
        config: "ServerConfig",
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        headers = server_state.default_headers
        self.conn = Handshake(config.refusal, headers, max_size=config.ws_max_size, logger=self.logger)
        self._open_connections = config.connections
        self._connection = self._hear = self._lose = None
        self._may_send = always
        self._unparsed = bytearray()
        self._is_answered = self._is_cut = self._is_parsing = False
        self._is_reading = True
        self._pieces = 0
        self._after_close = MOST_AFTER_CLOSE

    def connection_made(self, transport: BaseTransport) -> None:
        """Begin. A thousand who never read must not fill the machine's memory."""
        super().connection_made(transport)
        transport.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_SNDBUF, MOST_BUFFERED)

    def begin(self, connection: Connection, rest: bytes) -> None:
        """The handshake was parsed. What came behind it is parsed once it is answered; more is not read before."""
        self._connection = connection
        if not self.handshake_initiated:
            self._refuse_handshake()
        elif not self.transport.is_closing():
            self._unparsed += rest
            self._end_in(HANDSHAKE)
            self._read_or_wait()

    def _refuse_handshake(self) -> None:
        """uvicorn leaves a handshake that websockets can't parse without an answer."""
        response = self.conn.reject(400, f"This handshake can't be accepted: {reason_of(self.conn.handshake_exc)}.")
        self.handshake_complete = self.close_sent = True
        self.transport.write(response.serialize())
        self.transport.close()
        self._end_in(GRACE)

    @property
    def is_idle(self) -> bool:
        """Whether it waits for the other side before it is a socket."""
        return not self._is_answered and self.close_sent

    async def run_asgi(self) -> None:
        """Serve, and let the application find its way back here."""
        self.scope["extensions"][EXTENSION] = cast("dict[object, object]", self)
        await super().run_asgi()

    # --- reading -----------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Take the handshake at once, and later a part in each turn of the event loop."""
        if not self.handshake_initiated:
            super().data_received(data)
        elif not self._is_cut:
            self._unparsed += data
            self._pieces += 1
            if self.close_sent:
                self._after_close -= len(data)
            if self._pieces > MOST_PIECES:
                self.expel(POLICY, f"a frame comes in at most {MOST_PIECES} pieces")
            elif self._after_close < 0:
                self._cut(SHORT_GRACE)
            else:
                self._parse()

    def _parse(self) -> None:
        self._is_parsing = False
        if self._may_parse:
            part = bytes(self._unparsed[:SLICE])
            del self._unparsed[:SLICE]
            super().data_received(part)
        self._read_or_wait()

    @property
    def _may_parse(self) -> bool:
        return self._is_answered and not self._is_cut and not self.read_paused and not self.transport.is_closing()

    def _read_or_wait(self) -> None:
        """Read on only when all that came is parsed, and the application takes it."""
        if self._unparsed and self._may_parse and not self._is_parsing:
            self._is_parsing = True
            self.loop.call_soon(self._parse)
        is_reading = self._may_parse and not self._unparsed
        if is_reading != self._is_reading and not self.transport.is_closing():
            self._is_reading = is_reading
            (self.transport.resume_reading if is_reading else self.transport.pause_reading)()

    def handle_events(self) -> None:
        """Take frames one by one. Each counts, also pings, pongs and empty parts of messages."""
        for event in self.conn.events_received():
            if isinstance(event, Request):
                self.handle_connect(event)
            elif isinstance(event, Frame) and not self._is_cut:
                self._pieces = 0
                if self.close_sent and event.opcode is not Opcode.CLOSE:
                    continue
                if not self._may_send():
                    self.expel(POLICY, "too many messages")
                    return
                self._take(event)

    def _take(self, frame: Frame) -> None:
        match frame.opcode:
            case Opcode.TEXT:
                self.handle_text(frame)
            case Opcode.BINARY:
                self.handle_bytes(frame)
            case Opcode.CONT:
                self.handle_cont(frame)
            case Opcode.PING:
                self.handle_ping()
            case Opcode.PONG:
                self.handle_pong(frame)
            case Opcode.CLOSE:
                self.handle_close(frame)

    async def receive(self) -> ASGIReceiveEvent:
        """As uvicorn does, for an application that takes texts from the queue."""
        message = await self.queue.get()
        if self.read_paused and self.queue.empty():
            self.listen(is_on=True)
        return message

    def listen(self, *, is_on: bool) -> None:
        """Read on, or let what is sent wait at the other side."""
        self.read_paused = not is_on
        self._read_or_wait()

    # --- the short way -----------------------------------------------------------------------------------------

    def hand_over(self, hear: Hear, lose: Callable[[], None], may_send: Callable[[], bool]) -> None:
        """From now on texts go to `hear`, each frame asks `may_send`, and `lose` is called when the socket is gone."""
        self._hear, self._lose, self._may_send = hear, lose, may_send
        while not self.queue.empty():
            message = self.queue.get_nowait()
            if message["type"] == "websocket.receive":
                hear(message.get("text"))
            else:
                self._lost()
        self.listen(is_on=True)

    @property
    def is_free(self) -> bool:
        """Whether little waits to be sent."""
        return self.writable.is_set()

    async def free(self) -> None:
        """Until little waits to be sent."""
        await self.writable.wait()

    def put(self, texts: Sequence[bytes]) -> None:
        """Send texts, unless the socket is closed."""
        if not self.close_sent and not self.disconnected:
            self.transport.write(b"".join([head_of(len(text)) + text for text in texts]))

    def send_receive_event_to_app(self) -> None:
        """Take a message; uvicorn would log a text that is none as an error of ours."""
        data = b"".join(self.frames)
        text = _text(data) if self.curr_msg_data_type == "text" else None
        if text is None and self.curr_msg_data_type == "text":
            self._fail(NOT_TEXT, "text is UTF-8")
        elif self._hear is None:
            self.frames = []
            self._queue(data, text)
        elif not self.close_sent:
            self.frames = []
            self._hear(text)

    def _queue(self, data: bytes, text: str | None) -> None:
        """For an application that asks for each message: parse no further until it does."""
        self.read_paused = True
        if text is None:
            self.queue.put_nowait({"type": "websocket.receive", "bytes": data})
        else:
            self.queue.put_nowait({"type": "websocket.receive", "text": text})

    def _lost(self) -> None:
        lose, self._lose = self._lose, None
        if lose is not None:
            lose()

    # --- closing -----------------------------------------------------------------------------------------------

    def expel(self, code: int, reason: str) -> None:
        """Close, and read nothing more from now on."""
        if self.conn.state is OPEN and not self.close_sent:
            self.conn.send_close(code, reason)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.stop_keepalive()
        self._cut(SHORT_GRACE)
        self._lost()

    def _cut(self, seconds: float) -> None:
        """Read nothing more, and abort after a while."""
        self._is_cut = True
        self._unparsed.clear()
        self._end_in(seconds)
        self._read_or_wait()

    def _end_in(self, seconds: float) -> None:
        if self.close_timer is not None:
            self.close_timer.cancel()
        self.close_timer = None if self.disconnected else self.loop.call_later(seconds, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        super().connection_lost(exc)
        self._unparsed.clear()
        if self._connection is not None:
            self._open_connections.remove(self._connection)
        self._lost()

    def handle_close(self, event: Frame) -> None:
        """The other side closes."""
        super().handle_close(event)
        self._end_in(GRACE)
        self._lost()

    async def send(self, message: ASGISendEvent) -> None:
        """Send as uvicorn does; but a close goes behind what waits already, and aborts the connection after a while.

        Nor is it an error of ours when the other side broke the protocol while we were about to send.
        """
        is_close = message["type"] == "websocket.close"
        if is_close:
            self.writable.set()
        await self.writable.wait()
        if self.handshake_complete and self.close_sent:
            raise ClientDisconnected
        await super().send(message)
        if message["type"] == "websocket.accept":
            self._begin_reading()
        elif is_close or message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # else a refused handshake is logged as an error of ours
            self._end_in(GRACE)
            self.listen(is_on=True)

    def _begin_reading(self) -> None:
        """The handshake is answered: from now on there are frames."""
        if self.close_timer is not None:
            self.close_timer.cancel()
            self.close_timer = None
        self._is_answered = True
        self._read_or_wait()

    def shutdown(self) -> None:
        """The server stops: as uvicorn does it, and abort the connection after a while."""
        if self.handshake_complete and self.conn.state is not OPEN:
            self.transport.close()
        else:
            super().shutdown()
        self._end_in(GRACE)
        self._lost()

    def keepalive_timeout(self) -> None:
        """Nobody is there: nothing that waits will be read any more."""
        super().keepalive_timeout()
        self.transport.abort()

    def handle_parser_exception(self) -> None:
        """Close one who broke the protocol, reading or not."""
        if self.conn.close_sent is not None:
            super().handle_parser_exception()
        self._cut(GRACE)
        self._lost()

    def handle_ping(self) -> None:
        """Answer, and cut off one who only asks."""
        super().handle_ping()
        if self.transport.get_write_buffer_size() > MOST_UNREAD:
            self.transport.abort()

    def handle_cont(self, event: Frame) -> None:
        """Go on with a message that may have an end."""
        if len(self.frames) < MOST_PARTS:
            super().handle_cont(event)
        elif not self.close_sent:
            self._fail(TOO_LARGE, f"a message has at most {MOST_PARTS} frames")

    def _fail(self, code: int, reason: str) -> None:
        self.frames = []
        self.conn.fail(code, reason)
        self.handle_parser_exception()


def reason_of(error: BaseException | None) -> str:
    """The innermost reason, in the words of websockets."""
    while error is not None and error.__cause__ is not None:
        error = error.__cause__
    return str(error) if error is not None else "it is incomplete"


def _text(data: bytes) -> str | None:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def head_of(size: int) -> bytes:
    """The head of a frame that is a whole text of so many bytes (RFC 6455, 5.2)."""
    if size < 126:
        return SHORT(TEXT, size)
    return MEDIUM(TEXT, 126, size) if size < 65536 else LONG(TEXT, 127, size)


def protocol_of(websocket: WebSocket) -> WebSocketProtocol:
    """The protocol behind a socket."""
    return cast("WebSocketProtocol", websocket.scope["extensions"][EXTENSION])
