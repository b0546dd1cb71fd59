"""uvicorn's HTTP protocol with time limits, and with an answer for every handshake.

A proxy in front of the site does this too, but there may be none.
"""

from asyncio import AbstractEventLoop, BaseTransport, TimerHandle
from typing import TYPE_CHECKING, Any

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from .connections import Connection, Connections
from .refusals import Refusal
from .websocket import WebSocketProtocol

if TYPE_CHECKING:
    from .config import ServerConfig

MOST_HEAD = 64 * 1024
"""Bytes of a request without its body: an endless head would fill the machine's memory. A few more may come at once."""

PATIENCE = 30.0
"""Seconds in which a request has to be complete."""

TAKEN_IN = 120.0
"""Seconds in which an answer has to be read."""

SLICE = 4096
"""Bytes parsed before it is checked whether a request waits for the one before it."""


class HttpProtocol(HttpToolsProtocol):
    """Closes connections that send nothing, read nothing, or never complete a request."""

    _open_connections: Connections
    _refusal: Refusal
    _head: int
    _is_partial: bool
    _end: TimerHandle | None
    _rest: bytes
    _connection: Connection | None

    def __init__(
        self,
        config: "ServerConfig",
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._open_connections = config.connections
        self._refusal = config.refusal
        self._head = 0
        self._is_partial = False
        self._end = None
        self._rest = b""
        self._connection = None

    @property
    def is_idle(self) -> bool:
        """Whether it waits for the other side: for a request, for the rest of one, or until its answer is read."""
        cycle = self.cycle
        return cycle is None or cycle.response_complete or cycle.more_body or self.flow.write_paused

    def connection_made(self, transport: BaseTransport) -> None:
        """Wait for a request, if there is room for one more connection."""
        super().connection_made(transport)  # type: ignore[arg-type]
        host = self.client[0] if self.client else ""
        self._connection = self._open_connections.add(self, host, self.loop.time())
        if self._connection is None:
            self.transport.abort()
        else:
            self._end_in(PATIENCE)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._drop_end()
        if self._connection is not None:
            self._open_connections.remove(self._connection)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse what comes, unless there is too much of it besides bodies."""
        self._unset_keepalive_if_required()
        if self._end is None:
            self._end_in(PATIENCE)
        self._rest += data
        self._parse()
        if self._head > MOST_HEAD:
            self.send_400_response("The head of this request is too long.")

    def _parse(self) -> None:
        """Requests that wait for an answer before them are not parsed, nor is more of them read."""
        while self._rest and not self.flow.read_paused and not self.transport.is_closing():
            part, self._rest = self._rest[:SLICE], self._rest[SLICE:]
            self._head += len(part)
            try:
                self.parser.feed_data(part)
            except httptools.HttpParserUpgrade as upgrade:
                self._rest = part[upgrade.args[0] :] + self._rest
                if self._should_upgrade():
                    self._upgrade()
                    return
            except httptools.HttpParserError:
                self.send_400_response("This is no valid HTTP request.")
        if self._is_partial and self._end is None:
            self._end_in(PATIENCE)

    def on_message_begin(self) -> None:
        """Begin to count what is no body."""
        super().on_message_begin()
        self._head = 0
        self._is_partial = True

    def on_body(self, body: bytes) -> None:
        """Take a part of a body, whose size is checked where it is read."""
        super().on_body(body)
        self._head -= len(body)

    def on_message_complete(self) -> None:
        """The request is complete."""
        super().on_message_complete()
        self._head = 0
        self._is_partial = False
        self._drop_end()

    def _upgrade(self) -> None:
        """Hand the connection over, or close it behind the answer to a request before, which still needs it."""
        self._drop_end()
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.keep_alive = False
            self._rest = b""
            self.flow.pause_reading()
        elif self.parser.get_http_version() != "1.1":
            self.send_400_response("A WebSocket handshake is made by HTTP/1.1.")
        else:
            self.handle_websocket_upgrade()

    def handle_websocket_upgrade(self) -> None:
        """From here on another protocol has the connection, and what was sent behind the handshake."""
        super().handle_websocket_upgrade()
        protocol = self.transport.get_protocol()
        assert isinstance(protocol, WebSocketProtocol)
        assert self._connection is not None
        self._connection.holder = protocol
        protocol.begin(self._connection, self._rest)

    def send_400_response(self, msg: str) -> None:
        """Refuse with a problem, and close."""
        if self.transport.is_closing():
            return
        response = self._refusal(400, msg)
        headers = [*self.server_state.default_headers, *response.raw_headers, (b"connection", b"close")]
        head = b"".join(b"%b: %b\r\n" % header for header in headers)
        self.transport.write(b"HTTP/1.1 400 Bad Request\r\n" + head + b"\r\n" + response.body)
        self.transport.close()
        self._end_in(TAKEN_IN)

    def on_response_complete(self) -> None:
        """The answer is made; the connection may be closed behind it, or the next request parsed."""
        super().on_response_complete()
        if self.transport.is_closing():
            self._end_in(TAKEN_IN)
        elif self.pipeline:
            self.flow.pause_reading()
        elif self._rest:
            self._unset_keepalive_if_required()
            self._parse()

    def timeout_keep_alive_handler(self) -> None:
        """Nothing more is asked: the connection is closed behind what waits."""
        super().timeout_keep_alive_handler()
        self._end_in(TAKEN_IN)

    def pause_writing(self) -> None:
        """Much of an answer waits."""
        super().pause_writing()
        self._end_in(TAKEN_IN)

    def resume_writing(self) -> None:
        """Most of it was read, and what follows is a matter of moments."""
        super().resume_writing()
        self._end_in(PATIENCE)

    def shutdown(self) -> None:
        """The server stops: a call that waits for news, and so for its caller to hang up, is to wait no more."""
        super().shutdown()
        if self.cycle is not None:
            self.cycle.message_event.set()

    def _end_in(self, seconds: float) -> None:
        self._drop_end()
        self._end = self.loop.call_later(seconds, self.transport.abort)

    def _drop_end(self) -> None:
        if self._end is not None:
            self._end.cancel()
            self._end = None
