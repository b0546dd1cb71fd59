"""uvicorn's WebSocket protocol, with an end for those who don't read: otherwise a close waits for them for ever."""

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

GRACE = 10.0
"""Seconds that are left to a socket for taking what was sent before it was closed."""


class FirmProtocol(WebSocketsSansIOProtocol):
    """Closing never waits for the other side."""

    async def send(self, message: ASGISendEvent) -> None:
        """Send as uvicorn does; but a close goes behind what waits already, and cuts the line after a while."""
        if message["type"] == "websocket.close":
            self.writable.set()
            self.loop.call_later(GRACE, self.transport.abort)
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # else a refused handshake is logged as an error of ours

    def shutdown(self) -> None:
        """The server stops: as uvicorn does it, and cut the line after a while."""
        self.loop.call_later(GRACE, self.transport.abort)
        super().shutdown()
