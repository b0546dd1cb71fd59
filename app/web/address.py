"""Where the site is, as browsers see it."""

from dataclasses import dataclass
from typing import cast

from starlette.requests import HTTPConnection
from starlette.types import Scope

from app.origins import Origin, at_authority

ASKED = "fogline.asked"
"""The key under which a scope keeps the origin that was asked for."""


@dataclass(frozen=True, slots=True)
class Address:
    """`base` is empty or a path like `/fog`, `public` what people type where that is known."""

    base: str = ""
    public: Origin | None = None
    origins: frozenset[Origin] = frozenset()

    def url_of(self, connection: HTTPConnection) -> str:
        """The address of the home page, without a slash at its end."""
        return f"{self.public or asked_of(connection)}{self.base}"


def address_of(connection: HTTPConnection) -> str:
    """Where a request or a socket comes from, as far as trusted proxies tell."""
    return connection.client.host if connection.client else ""


def asked_of(connection: HTTPConnection) -> Origin:
    """The origin that a request or a socket asks for, which has been validated."""
    return cast("Origin", connection.scope[ASKED])


def readdress(scope: Scope, public: Origin | None) -> None:
    """Validate where a request asks, and let whatever makes addresses from its scope use that, or the public address.

    Raises:
        ValueError: it says no host, or none that could be.
    """
    scheme = "https" if scope["scheme"] in ("https", "wss") else "http"
    asked = at_authority(scheme, _host_of(scope))
    scope[ASKED] = asked
    shown = public or asked
    scope["scheme"] = shown.scheme if scope["type"] == "http" else shown.scheme.replace("http", "ws")
    others = [(name, value) for name, value in scope["headers"] if name != b"host"]
    scope["headers"] = [(b"host", shown.netloc.encode()), *others]


def _host_of(scope: Scope) -> str:
    """What the request says; HTTP/1.0 needs not, and then it is the address that it came to."""
    for name, value in scope["headers"]:
        if name == b"host":
            return str(value, "latin-1")
    if scope["http_version"] == "1.0" and scope["server"]:
        host, port = scope["server"]
        return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    raise ValueError("a request says for which host it is")
