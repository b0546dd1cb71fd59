"""uvicorn's WebSocket protocol, with an end for those who don't read and those who never come to an end.

And with a short way for texts, both ways: a queue, tasks and ASGI's messages between would take longer than the rest.
"""

from asyncio import BaseTransport
from collections.abc import Callable, Sequence
from socket import SO_SNDBUF, SOL_SOCKET
from struct import Struct
from typing import cast

from fastapi import WebSocket
from uvicorn._types import ASGISendEvent
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

GRACE = 10.0
"""Seconds that are left to a socket for taking what was sent before it was closed."""

MOST_UNREAD = 256 * 1024
"""Bytes that may wait for one socket: pongs are sent without asking whether it reads."""

MOST_BUFFERED = 128 * 1024
"""Bytes that the system buffers for one socket, of which it makes twice as many: left alone, it takes megabytes."""

MOST_PARTS = 64
"""Frames of which one message may be made: empty ones would never reach the most bytes a message may have."""

TOO_LARGE = 1009
NOT_TEXT = 1007

LINE = "fogline.line"

TEXT = 0x81
"""The first byte of a frame that is a whole text."""

SHORT, MEDIUM, LONG = Struct("!BB").pack, Struct("!BBH").pack, Struct("!BBQ").pack
"""The heads of frames by their size: it stands in the second byte, or that says how long the number is that follows."""

Hear = Callable[[str | None], None]
"""Takes a text, or None for a message that is none."""


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """Closing never waits for the other side, and nothing of it piles up."""

    hear: Hear | None = None
    lose: Callable[[], None] | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        """Begin. A thousand who never read must not fill the machine's memory."""
        super().connection_made(transport)
        transport.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_SNDBUF, MOST_BUFFERED)

    async def run_asgi(self) -> None:
        """Serve, and let the application find its way back here."""
        self.scope["extensions"][LINE] = cast("dict[object, object]", self)
        await super().run_asgi()

    # --- the short way -----------------------------------------------------------------------------------------

    def hand_over(self, hear: Hear, lose: Callable[[], None]) -> None:
        """From now on texts are told to `hear`, and `lose` is called when the other side is gone."""
        self.hear, self.lose = hear, lose
        while not self.queue.empty():
            message = self.queue.get_nowait()
            if message["type"] == "websocket.receive":
                hear(message.get("text"))
            else:
                self._lost()
        self.listen(is_on=True)

    def listen(self, *, is_on: bool) -> None:
        """Read on, or let what is sent wait at the other side."""
        if self.read_paused == is_on and not self.transport.is_closing():
            self.read_paused = not is_on
            (self.transport.resume_reading if is_on else self.transport.pause_reading)()

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

    def _lost(self) -> None:
        lose, self.lose = self.lose, None
        if lose is not None:
            lose()

    def connection_lost(self, exc: Exception | None) -> None:
        """The line is cut."""
        super().connection_lost(exc)
        self._lost()

    def handle_close(self, event: Frame) -> None:
        """The other side says goodbye."""
        super().handle_close(event)
        self._lost()

    # --- the firm way ------------------------------------------------------------------------------------------

    async def send(self, message: ASGISendEvent) -> None:
        """Send as uvicorn does; but a close goes behind what waits already, and cuts the line after a while.

        Nor is it an error of ours when the other side broke the protocol while we were about to send.
        """
        is_close = message["type"] == "websocket.close"
        if is_close:
            self.writable.set()
        await self.writable.wait()
        if self.handshake_complete and self.close_sent:
            raise ClientDisconnected
        if is_close:
            self.loop.call_later(GRACE, self.transport.abort)
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # else a refused handshake is logged as an error of ours

    def shutdown(self) -> None:
        """The server stops: as uvicorn does it, and cut the line after a while."""
        self.loop.call_later(GRACE, self.transport.abort)
        super().shutdown()
        self._lost()

    def keepalive_timeout(self) -> None:
        """Nobody is there: nothing that waits will be taken any more."""
        super().keepalive_timeout()
        self.transport.abort()

    def handle_parser_exception(self) -> None:
        """Send away one who broke the protocol, reading or not."""
        super().handle_parser_exception()
        self.loop.call_later(GRACE, self.transport.abort)
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

    def send_receive_event_to_app(self) -> None:
        """Take a message; uvicorn would log a text that is none as an error of ours."""
        data = b"".join(self.frames)
        text = _text(data) if self.curr_msg_data_type == "text" else None
        if text is None and self.curr_msg_data_type == "text":
            self._fail(NOT_TEXT, "text is UTF-8")
        elif self.hear is None:
            super().send_receive_event_to_app()
        elif not self.close_sent:
            self.frames = []
            self.hear(text)

    def _fail(self, code: int, reason: str) -> None:
        self.frames = []
        self.conn.fail(code, reason)
        self.handle_parser_exception()


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
    return cast("WebSocketProtocol", websocket.scope["extensions"][LINE])
