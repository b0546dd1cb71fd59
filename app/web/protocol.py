"""uvicorn's WebSocket protocol, with an end for those who don't read and those who never come to an end."""

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

GRACE = 10.0
"""Seconds that are left to a socket for taking what was sent before it was closed."""

MOST_UNREAD = 256 * 1024
"""Bytes that may wait for one socket: pongs are sent without asking whether it reads."""

MOST_PARTS = 64
"""Frames of which one message may be made: empty ones would never reach the most bytes a message may have."""

TOO_LARGE = 1009
NOT_TEXT = 1007


class FirmProtocol(WebSocketsSansIOProtocol):
    """Closing never waits for the other side, and nothing of it piles up."""

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

    def keepalive_timeout(self) -> None:
        """Nobody is there: nothing that waits will be taken any more."""
        super().keepalive_timeout()
        self.transport.abort()

    def handle_parser_exception(self) -> None:
        """Send away one who broke the protocol, reading or not."""
        super().handle_parser_exception()
        self.loop.call_later(GRACE, self.transport.abort)

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
        if self.curr_msg_data_type == "text" and not _is_text(b"".join(self.frames)):
            self._fail(NOT_TEXT, "text is UTF-8")
        else:
            super().send_receive_event_to_app()

    def _fail(self, code: int, reason: str) -> None:
        self.frames = []
        self.conn.fail(code, reason)
        self.handle_parser_exception()


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
