"""Refusals below the application: requests that can't be parsed, and handshakes that fail."""

import http
from collections.abc import Callable, Sequence
from typing import Any

from starlette.responses import Response as WebResponse
from websockets.datastructures import Headers
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.server import ServerProtocol

Refusal = Callable[[int, str], WebResponse]
"""Makes the response from a status and a sentence."""


class Handshake(ServerProtocol):
    """websockets' protocol, with refusals in the form of the site."""

    def __init__(self, refusal: Refusal, headers: Sequence[tuple[bytes, bytes]], **settings: Any) -> None:
        super().__init__(**settings)
        self._refusal = refusal
        self._headers = headers

    def send_response(self, response: Response) -> None:
        """Add the headers that every answer has."""
        self._complete(response.headers)
        super().send_response(response)

    def _complete(self, headers: Headers) -> None:
        for name, value in self._headers:
            headers.setdefault(name.decode("latin-1"), value.decode("latin-1"))

    def reject(self, status: int, text: str) -> Response:
        """Make the response to a handshake that fails."""
        phrase = http.HTTPStatus(status).phrase
        made = self._refusal(status, text.partition("\n")[0] or f"{phrase}.")
        headers = Headers([(name.decode("latin-1"), value.decode("latin-1")) for name, value in made.raw_headers])
        headers["Connection"] = "close"
        self._complete(headers)
        return Response(status, phrase, headers, bytes(made.body))

    def recv_frame(self, frame: Frame) -> None:
        """Allow a close between the parts of a message, which websockets would fail with 1002."""
        if frame.opcode is Opcode.CLOSE:
            self.current_size = None
        super().recv_frame(frame)
