"""The address of the site as browsers see it, and the addresses of clients."""

from dataclasses import dataclass
from typing import cast

from starlette.requests import HTTPConnection
from starlette.types import Scope

from app.origins import Origin, at_authority

ASKED = "fogline.asked"
"""The key under which a scope keeps the origin of the request."""


@dataclass(frozen=True, slots=True)
class Address:
    """`base` is empty or a path like `/fog`. `public` is the address that people type, if the settings say it."""

    base: str = ""
    public: Origin | None = None
    origins: frozenset[Origin] = frozenset()

    def url_of(self, connection: HTTPConnection) -> str:
        """The address of the start page, without a slash at its end."""
        return f"{self.public or asked_of(connection)}{self.base}"


def address_of(connection: HTTPConnection) -> str:
    """The IP address of the client, as far as trusted proxies say it."""
    return connection.client.host if connection.client else ""


def asked_of(connection: HTTPConnection) -> Origin:
    """The origin that a request or a socket asks for, already validated."""
    return cast("Origin", connection.scope[ASKED])


def readdress(scope: Scope, public: Origin | None) -> None:
    """Validate the origin of a request, and put it, or the public address, into the scope for whatever makes URLs.

    Raises:
        ValueError: the request has no host, or an invalid one.
    """
    scheme = "https" if scope["scheme"] in ("https", "wss") else "http"
    asked = at_authority(scheme, _host_of(scope))
    scope[ASKED] = asked
    shown = public or asked
    scope["scheme"] = shown.scheme if scope["type"] == "http" else shown.scheme.replace("http", "ws")
    others = [(name, value) for name, value in scope["headers"] if name != b"host"]
    scope["headers"] = [(b"host", shown.netloc.encode()), *others]


def _host_of(scope: Scope) -> str:
    """The Host header. HTTP/1.0 may omit it; then it is the address that the request came to."""
    for name, value in scope["headers"]:
        if name == b"host":
            return str(value, "latin-1")
    if scope["http_version"] == "1.0" and scope["server"]:
        host, port = scope["server"]
        return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    raise ValueError("a request says for which host it is")
