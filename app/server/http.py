"""uvicorn's HTTP protocol with time limits, and with an answer to every handshake, in case no proxy sets limits."""

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
"""Maximum bytes of a request without its body, so that an endless head can't fill the memory. `SLICE` more may pass."""

TIMEOUT = 30.0
"""Seconds for a request to arrive completely."""

TAKEN_IN = 120.0
"""Seconds for the client to read an answer."""

SLICE = 4096
"""Bytes parsed before checking whether a request has to wait for the one before it."""


class HttpProtocol(HttpToolsProtocol):
    """Closes connections that stall while sending or receiving."""

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
        """Whether it waits for the client to send a request or the rest of one, or to read an answer."""
        cycle = self.cycle
        return cycle is None or cycle.response_complete or cycle.more_body or self.flow.write_paused

    def connection_made(self, transport: BaseTransport) -> None:
        """Refuse the connection beyond a limit."""
        super().connection_made(transport)  # type: ignore[arg-type]
        host = self.client[0] if self.client else ""
        self._connection = self._open_connections.add(self, host, self.loop.time())
        if self._connection is None:
            self.transport.abort()
        else:
            self._end_in(TIMEOUT)

    def connection_lost(self, exc: Exception | None) -> None:
        self._drop_end()
        if self._connection is not None:
            self._open_connections.remove(self._connection)
            self._connection = None  # it refers to this protocol, and garbage is collected rarely
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse, and refuse a head that is too long."""
        self._unset_keepalive_if_required()
        if self._end is None:
            self._end_in(TIMEOUT)
        self._rest += data
        self._parse()
        if self._head > MOST_HEAD:
            self.send_400_response("The head of this request is too long.")

    def _parse(self) -> None:
        """Stop parsing and reading while a request waits for the answer to the one before it."""
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
            self._end_in(TIMEOUT)

    def on_message_begin(self) -> None:
        """Start counting the bytes of the head."""
        super().on_message_begin()
        self._head = 0
        self._is_partial = True

    def on_body(self, body: bytes) -> None:
        """Don't count the body, whose size is checked where it is read."""
        super().on_body(body)
        self._head -= len(body)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._head = 0
        self._is_partial = False
        self._drop_end()

    def _upgrade(self) -> None:
        """Switch to WebSocket, or close after the answer to an earlier request that is still being served."""
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
        """Pass the connection to the WebSocket protocol, with the bytes that came behind the handshake."""
        super().handle_websocket_upgrade()
        protocol = self.transport.get_protocol()
        assert isinstance(protocol, WebSocketProtocol)
        assert self._connection is not None
        connection, self._connection = self._connection, None
        connection.holder = protocol
        protocol.begin(connection, self._rest)

    def send_400_response(self, msg: str) -> None:
        """Refuse in the form of the site, and close."""
        if self.transport.is_closing():
            return
        response = self._refusal(400, msg)
        headers = [*self.server_state.default_headers, *response.raw_headers, (b"connection", b"close")]
        head = b"".join(b"%b: %b\r\n" % header for header in headers)
        self.transport.write(b"HTTP/1.1 400 Bad Request\r\n" + head + b"\r\n" + response.body)
        self.transport.close()
        self._end_in(TAKEN_IN)

    def on_response_complete(self) -> None:
        """Close, or parse the next request."""
        super().on_response_complete()
        if self.transport.is_closing():
            self._end_in(TAKEN_IN)
        elif self.pipeline:
            self.flow.pause_reading()
        elif self._rest:
            self._unset_keepalive_if_required()
            self._parse()

    def timeout_keep_alive_handler(self) -> None:
        """Give the client time to read what is still buffered before the connection is closed."""
        super().timeout_keep_alive_handler()
        self._end_in(TAKEN_IN)

    def pause_writing(self) -> None:
        """Give the client time to read the answer."""
        super().pause_writing()
        self._end_in(TAKEN_IN)

    def resume_writing(self) -> None:
        """The client has read most of the answer, so the rest takes moments."""
        super().resume_writing()
        self._end_in(TIMEOUT)

    def shutdown(self) -> None:
        """Wake a long poll, which waits for its client to disconnect."""
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
