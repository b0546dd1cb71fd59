"""Headers that protect the browser's user: on every response, whoever makes it."""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def protect(headers: MutableHeaders) -> None:
    """Add `HEADERS`, and keep from being stored what does not say that it may."""
    headers.update(HEADERS)
    headers.setdefault("Cache-Control", "no-cache" if "etag" in headers else "no-store")


class SecurityHeaders:
    """Protects every response but those of the outermost layer, to unexpected errors."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                protect(MutableHeaders(scope=message))
            await send(message)

        await self._app(scope, receive, send_with_headers)
