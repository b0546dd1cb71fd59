"""uvicorn's HTTP protocol, with an end for requests that don't come to one, and for answers that nobody takes.

A proxy before the site sees to that too, but there may be none.
"""

from asyncio import BaseTransport, TimerHandle

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_HEAD = 64 * 1024
"""Bytes of a request besides its body: an endless head would fill the machine's memory. Some more may come at once."""

PATIENCE = 30.0
"""Seconds in which a request has to be there whole."""

TAKEN_IN = 120.0
"""Seconds in which an answer has to be taken."""


class HttpProtocol(HttpToolsProtocol):
    """Who sends nothing, takes nothing, or never comes to an end, holds a connection for a while only."""

    _head = 0
    _end: TimerHandle | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        """Begin, and wait for a request."""
        super().connection_made(transport)  # type: ignore[arg-type]
        self._end_in(PATIENCE)

    def connection_lost(self, exc: Exception | None) -> None:
        """The line is cut."""
        self._drop_end()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what comes, unless there is too much of it besides bodies."""
        if self._end is None:
            self._end_in(PATIENCE)
        self._head += len(data)
        super().data_received(data)
        if self._head > MOST_HEAD and not self.transport.is_closing():
            self.send_400_response("The head of this request is too long.")
            self._end_in(TAKEN_IN)

    def on_message_begin(self) -> None:
        """Begin to count what is no body."""
        super().on_message_begin()
        self._head = 0

    def on_body(self, body: bytes) -> None:
        """Take a part of a body, which is counted where it is read."""
        super().on_body(body)
        self._head -= len(body)

    def on_message_complete(self) -> None:
        """The request is there whole."""
        super().on_message_complete()
        self._head = 0
        self._drop_end()

    def handle_websocket_upgrade(self) -> None:
        """From here on another protocol has the line."""
        self._drop_end()
        super().handle_websocket_upgrade()

    def on_response_complete(self) -> None:
        """The answer is made; the line may be closed behind it."""
        super().on_response_complete()
        if self.transport.is_closing():
            self._end_in(TAKEN_IN)

    def timeout_keep_alive_handler(self) -> None:
        """Nothing more is asked: the line is closed behind what waits."""
        super().timeout_keep_alive_handler()
        self._end_in(TAKEN_IN)

    def pause_writing(self) -> None:
        """Much of an answer waits."""
        super().pause_writing()
        self._end_in(TAKEN_IN)

    def resume_writing(self) -> None:
        """Most of it was taken, and what follows is a matter of moments."""
        super().resume_writing()
        self._end_in(PATIENCE)

    def _end_in(self, seconds: float) -> None:
        self._drop_end()
        self._end = self.loop.call_later(seconds, self.transport.abort)

    def _drop_end(self) -> None:
        if self._end is not None:
            self._end.cancel()
            self._end = None
