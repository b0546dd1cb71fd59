"""Middleware: what requests and handshakes pass on their way to the application, and answers on their way back."""

from ipaddress import ip_address
from typing import TYPE_CHECKING, cast

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from app.rooms import Code, RefusedError

from .address import readdress
from .headers import forbid_storing
from .limits import network_of
from .log_limits import network
from .problems import answer, problem
from .site import Site

if TYPE_CHECKING:
    from uvicorn._types import ASGI3Application

ONCE = frozenset(
    (b"host", b"origin", b"authorization", b"cookie", b"content-type", b"content-length", b"transfer-encoding")
)
"""Headers that may come once only: of two, a proxy could believe the first, and we the last."""


class CheckRequest:
    """Applies what trusted proxies say of the client, and refuses ambiguous requests."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._trusted: tuple[str, ...] = ()
        self._checked = self._with_proxies(())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        trusted = _site(scope).proxies.addresses
        if trusted is not self._trusted:
            self._trusted, self._checked = trusted, self._with_proxies(trusted)
        await self._checked(scope, receive, send)  # type: ignore[arg-type]

    def _with_proxies(self, trusted: tuple[str, ...]) -> ProxyHeadersMiddleware:
        return ProxyHeadersMiddleware(cast("ASGI3Application", self._check), list(trusted))

    async def _check(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            check_once(scope)
            readdress(scope, _site(scope).address.public)
        except ValueError as error:
            await answer(RefusedError(Code.BAD_REQUEST, f"This request can't be served: {error}."))(
                scope, receive, send
            )
            return
        scope["client"] = known_client(scope["client"])
        await self._app(scope, receive, send)


def check_once(scope: Scope) -> None:
    """Refuse a header that came twice though it may come only once.

    Raises:
        ValueError: names the header.
    """
    names = [name for name, _ in scope["headers"] if name in ONCE]
    for name in set(names):
        if names.count(name) > 1:
            raise ValueError(f"it has the header {name.decode()} more than once")


def known_client(client: tuple[str, int] | None) -> tuple[str, int] | None:
    """The client, unless a proxy said something that is no address."""
    try:
        ip_address(client[0] if client else "")
    except ValueError:
        return None
    return client


def _site(scope: Scope) -> Site:
    return cast("Site", scope["app"].state.site)


class ServeHead:
    """Answers HEAD as GET would, without the body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:

        async def send_head(message: Message) -> None:
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        if scope["type"] == "http" and scope["method"] == "HEAD":
            await self._app({**scope, "method": "GET"}, receive, send_head)
        else:
            await self._app(scope, receive, send)


class MetricsPort:
    """Serves the metrics at a port of their own, and nothing else there: proxies don't pass that port on."""

    def __init__(self, app: ASGIApp, port: int, path: str) -> None:
        self._app = app
        self._port = port
        self._path = path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_asked_there = scope["type"] != "lifespan" and scope["server"][1] == self._port
        if scope["type"] == "lifespan" or is_asked_there == (scope["path"] == self._path):
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            answer = problem(404, Code.BAD_REQUEST, "There is nothing at this address.")
            await answer(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})


class NoteNetwork:
    """Notes the network that a request or socket comes from, for the limits of the log."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            network.set(network_of(scope["client"][0]) if scope.get("client") else "")
        await self._app(scope, receive, send)


class SetCacheControl:
    """Forbids storing every response that doesn't allow it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:

        async def send_with_headers(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                forbid_storing(MutableHeaders(scope=message))
            await send(message)

        await self._app(scope, receive, send_with_headers)


class SetNoIndex:
    """Keeps search engines from everything but the start page, the rules and their files."""

    def __init__(self, app: ASGIApp, base: str) -> None:
        self._app = app
        self._pages = (f"{base}/", f"{base}/rules")
        self._files = f"{base}/static/"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:

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
