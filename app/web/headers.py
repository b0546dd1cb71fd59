"""Headers that protect the browser's user, and those that say what may be stored or found."""

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


def security_headers(hsts_seconds: int) -> list[tuple[str, str]]:
    """What the server puts on each of its answers, whoever makes it: 0 seconds say nothing of https."""
    hsts = [("Strict-Transport-Security", f"max-age={hsts_seconds}")] if hsts_seconds else []
    return [*HEADERS.items(), *hsts]


def keep_from_stores(headers: MutableHeaders) -> None:
    """Keep from being stored what does not say that it may."""
    headers.setdefault("Cache-Control", "no-cache" if "etag" in headers else "no-store")


class CacheHeaders:
    """On every response but those of the outermost layer, to unexpected errors."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                keep_from_stores(MutableHeaders(scope=message))
            await send(message)

        await self._app(scope, receive, send_with_headers)


class KeepFromSearch:
    """Keeps everything out of search engines but the start page, the rules and what they are made of."""

    def __init__(self, app: ASGIApp, base: str) -> None:
        self._app = app
        self._pages = (f"{base}/", f"{base}/rules")
        self._files = f"{base}/static/"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""

        async def send_with_header(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["X-Robots-Tag"] = "noindex"
            await send(message)

        await self._app(scope, receive, send if self._is_found(scope) else send_with_header)

    def _is_found(self, scope: Scope) -> bool:
        if scope["type"] != "http":
            return True
        path = scope["path"]
        return path.startswith(self._files) or (path in self._pages and not scope["query_string"])
