"""What every request and every handshake passes first: who asks, and where; what can't be told safely is refused."""

from ipaddress import ip_address
from typing import TYPE_CHECKING, cast

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from app.rooms import Code, RefusedError

from .address import readdress
from .problems import answer
from .site import Site

if TYPE_CHECKING:
    from uvicorn._types import ASGI3Application

ONCE = frozenset(
    (b"host", b"origin", b"authorization", b"cookie", b"content-type", b"content-length", b"transfer-encoding")
)
"""Headers of which another one on the way could take the first, and we the last."""


class Edge:
    """Believes trusted proxies, and hands on only requests that say one thing."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._trusted: tuple[str, ...] = ()
        self._believing = self._behind(())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        trusted = _site(scope).proxies.addresses
        if trusted is not self._trusted:
            self._trusted, self._believing = trusted, self._behind(trusted)
        await self._believing(scope, receive, send)  # type: ignore[arg-type]

    def _behind(self, trusted: tuple[str, ...]) -> ProxyHeadersMiddleware:
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
    """Refuse a header that came twice though it may come once.

    Raises:
        ValueError: names the header.
    """
    names = [name for name, _ in scope["headers"] if name in ONCE]
    for name in set(names):
        if names.count(name) > 1:
            raise ValueError(f"it has the header {name.decode()} more than once")


def known_client(client: tuple[str, int] | None) -> tuple[str, int] | None:
    """Who asks, unless a proxy said something that is no address."""
    try:
        ip_address(client[0] if client else "")
    except ValueError:
        return None
    return client


def _site(scope: Scope) -> Site:
    return cast("Site", scope["app"].state.site)
