"""uvicorn's WebSocket protocol with limits on reading, and a direct path for text messages.

ASGI messages, with their queues and tasks, would take longer than everything else that is done with a text.
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
"""Seconds for the application to answer a handshake."""

GRACE = 10.0
"""Seconds for the client to read what was sent before the close, and to close as well."""

SHORT_GRACE = 1.0
"""Seconds for a client that exceeded a limit to read the close frame."""

SLICE = 1024
"""Bytes parsed in one turn of the event loop: up to 170 frames, which take about 2 ms."""

MOST_AFTER_CLOSE = 16 * 1024
"""Bytes read after the close was sent, to find the client's close frame behind what it had sent before."""

MOST_UNREAD = 256 * 1024
"""Bytes of pongs that may be buffered for a socket that does not read them."""

MOST_BUFFERED = 128 * 1024
"""Size of the system's send buffer, which Linux doubles; the default grows to megabytes."""

MOST_PARTS = 64
"""Maximum frames of a message: empty ones never reach its maximum size."""

MOST_PIECES = 64
"""Maximum reads in which one frame may arrive: each costs about as much as a frame."""

POLICY = 1008
TOO_LARGE = 1009
NOT_TEXT = 1007

EXTENSION = "fogline.protocol"

TEXT = 0x81
"""First byte of a frame that is a complete text message."""

SHORT, MEDIUM, LONG = Struct("!BB").pack, Struct("!BBH").pack, Struct("!BBQ").pack
"""Frame headers by size: it is in the second byte, or in the 2 or 8 bytes behind that."""

Hear = Callable[[str | None], None]
"""Takes a text, or None for a binary message."""


def always() -> bool:
    """The limit of sockets that have none."""
    return True


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """Closes without waiting for the client, and buffers a bounded amount for it."""

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
        """Limit the send buffer, so that a thousand clients that never read can't fill the memory."""
        super().connection_made(transport)
        transport.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_SNDBUF, MOST_BUFFERED)

    def begin(self, connection: Connection, rest: bytes) -> None:
        """Start after the handshake. Bytes behind it are parsed, and more are read, once it is answered."""
        self._connection = connection
        if not self.handshake_initiated:
            self._refuse_handshake()
        elif not self.transport.is_closing():
            self._unparsed += rest
            self._end_in(HANDSHAKE)
            self._read_or_wait()

    def _refuse_handshake(self) -> None:
        """Answer a handshake that websockets can't parse; uvicorn would not."""
        response = self.conn.reject(400, f"This handshake can't be accepted: {reason_of(self.conn.handshake_exc)}.")
        self.handshake_complete = self.close_sent = True
        self.transport.write(response.serialize())
        self.transport.close()
        self._end_in(GRACE)

    @property
    def is_idle(self) -> bool:
        """Whether it waits for the client before the handshake is answered."""
        return not self._is_answered and self.close_sent

    async def run_asgi(self) -> None:
        """Serve, and let the application find this protocol.

        Afterwards drop what refers to each other: garbage is collected rarely, so many sockets would fill the memory.
        """
        self.scope["extensions"][EXTENSION] = cast("dict[object, object]", self)
        try:
            await super().run_asgi()
        finally:
            del self.scope["extensions"][EXTENSION]
            self._hear, self._may_send = None, always

    # --- reading -----------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Parse the handshake at once, and frames in slices, one in each turn of the event loop."""
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
        """Resume reading only when everything received is parsed and the application accepts more."""
        if self._unparsed and self._may_parse and not self._is_parsing:
            self._is_parsing = True
            self.loop.call_soon(self._parse)
        is_reading = self._may_parse and not self._unparsed
        if is_reading != self._is_reading and not self.transport.is_closing():
            self._is_reading = is_reading
            (self.transport.resume_reading if is_reading else self.transport.pause_reading)()

    def handle_events(self) -> None:
        """Handle frames one by one. Each counts against the limit, pings, pongs and empty fragments included."""
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
        """Receive from the queue, as uvicorn does."""
        message = await self.queue.get()
        if self.read_paused and self.queue.empty():
            self.listen(is_on=True)
        return message

    def listen(self, *, is_on: bool) -> None:
        """Resume or pause reading."""
        self.read_paused = not is_on
        self._read_or_wait()

    # --- the direct path -----------------------------------------------------------------------------------------

    def hand_over(self, hear: Hear, lose: Callable[[], None], may_send: Callable[[], bool]) -> None:
        """Pass texts to `hear`, ask `may_send` for each frame, and call `lose` when the socket is closed."""
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
        """Whether the write buffer is below its limit."""
        return self.writable.is_set()

    async def free(self) -> None:
        """Wait until the write buffer is below its limit."""
        await self.writable.wait()

    def put(self, texts: Sequence[bytes]) -> None:
        """Send texts, unless the socket is closed."""
        if not self.close_sent and not self.disconnected:
            self.transport.write(b"".join([head_of(len(text)) + text for text in texts]))

    def send_receive_event_to_app(self) -> None:
        """Handle a message. Close for invalid UTF-8, which uvicorn would log as a server error."""
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
        """Queue a message, and stop parsing until the application asks for it."""
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
        """Send a close frame, and stop reading."""
        if self.conn.state is OPEN and not self.close_sent:
            self.conn.send_close(code, reason)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.stop_keepalive()
        self._cut(SHORT_GRACE)
        self._lost()

    def _cut(self, seconds: float) -> None:
        """Stop reading, and abort after these seconds."""
        self._is_cut = True
        self._unparsed.clear()
        self._end_in(seconds)
        self._read_or_wait()

    def _end_in(self, seconds: float) -> None:
        if self.close_timer is not None:
            self.close_timer.cancel()
        self.close_timer = None if self.disconnected else self.loop.call_later(seconds, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._unparsed.clear()
        if self._connection is not None:
            self._open_connections.remove(self._connection)
            self._connection = None  # it refers to this protocol
        self.conn.parser.close()  # a generator, which refers to `conn`
        self._lost()

    def handle_close(self, event: Frame) -> None:
        """Handle the client's close frame."""
        super().handle_close(event)
        self._end_in(GRACE)
        self._lost()

    async def send(self, message: ASGISendEvent) -> None:
        """Send as uvicorn does. A close is queued behind what is buffered, and aborts the connection after a while.

        A protocol error of the client while the server was about to send is not logged as a server error.
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
            self.handshake_complete = True  # otherwise uvicorn logs a refused handshake as a server error
            self._end_in(GRACE)
            self.listen(is_on=True)

    def _begin_reading(self) -> None:
        """The handshake is answered; parse frames from now on."""
        if self.close_timer is not None:
            self.close_timer.cancel()
            self.close_timer = None
        self._is_answered = True
        self._read_or_wait()

    def shutdown(self) -> None:
        """Close as uvicorn does when the server stops, and abort the connection after a while."""
        if self.handshake_complete and self.conn.state is not OPEN:
            self.transport.close()
        else:
            super().shutdown()
        self._end_in(GRACE)
        self._lost()

    def keepalive_timeout(self) -> None:
        """Abort, since the client reads nothing any more."""
        super().keepalive_timeout()
        self.transport.abort()

    def handle_parser_exception(self) -> None:
        """Close after a protocol error, whether the client reads or not."""
        if self.conn.close_sent is not None:
            super().handle_parser_exception()
        self._cut(GRACE)
        self._lost()

    def handle_ping(self) -> None:
        """Answer, and abort a client that does not read the pongs."""
        super().handle_ping()
        if self.transport.get_write_buffer_size() > MOST_UNREAD:
            self.transport.abort()

    def handle_cont(self, event: Frame) -> None:
        """Append to a message, within the limit of frames."""
        if len(self.frames) < MOST_PARTS:
            super().handle_cont(event)
        elif not self.close_sent:
            self._fail(TOO_LARGE, f"a message has at most {MOST_PARTS} frames")

    def _fail(self, code: int, reason: str) -> None:
        self.frames = []
        self.conn.fail(code, reason)
        self.handle_parser_exception()


def reason_of(error: BaseException | None) -> str:
    """The innermost cause, as websockets words it."""
    while error is not None and error.__cause__ is not None:
        error = error.__cause__
    return str(error) if error is not None else "it is incomplete"


def _text(data: bytes) -> str | None:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def head_of(size: int) -> bytes:
    """The header of a frame with a complete text message of this size (RFC 6455, 5.2)."""
    if size < 126:
        return SHORT(TEXT, size)
    return MEDIUM(TEXT, 126, size) if size < 65536 else LONG(TEXT, 127, size)


def protocol_of(websocket: WebSocket) -> WebSocketProtocol:
    """The protocol behind a socket."""
    return cast("WebSocketProtocol", websocket.scope["extensions"][EXTENSION])
