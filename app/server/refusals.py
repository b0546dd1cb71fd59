"""Answers to what no application sees: requests that can't be parsed, and handshakes that fail."""

import http
from collections.abc import Callable
from typing import Any

from starlette.responses import Response as WebResponse
from websockets.datastructures import Headers
from websockets.http11 import Response
from websockets.server import ServerProtocol

Refusal = Callable[[int, str], WebResponse]
"""Makes the response from a status and a sentence."""


class Handshake(ServerProtocol):
    """websockets' protocol, which refuses in the form of the site."""

    def __init__(self, refusal: Refusal, **settings: Any) -> None:
        super().__init__(**settings)
        self._refusal = refusal

    def reject(self, status: int, text: str) -> Response:
        """The response to a handshake that fails."""
        phrase = http.HTTPStatus(status).phrase
        made = self._refusal(status, text.partition("\n")[0] or f"{phrase}.")
        headers = Headers([(name.decode("latin-1"), value.decode("latin-1")) for name, value in made.raw_headers])
        headers["Connection"] = "close"
        return Response(status, phrase, headers, bytes(made.body))
