"""Whose pages may ask."""

from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from .address import Address
from .identity import COOKIE, bearer_of
from .problems import ForeignOriginError

DEFAULT_PORTS = {"http": 80, "https": 443}


def check_origin(connection: HTTPConnection, address: Address) -> None:
    """Let our own pages ask, those of allowed origins, and programs, which are no page.

    Raises:
        ForeignOriginError: another site's page asks.
    """
    origin = connection.headers.get("origin")
    if origin is not None and not _is_ours(origin, connection, address):
        raise ForeignOriginError


def check_cookie(connection: HTTPConnection) -> None:
    """Let a cookie speak only for a page that says whose it is; a program brings a token.

    Raises:
        ForeignOriginError: nobody says whose page asks.
    """
    if "origin" not in connection.headers and COOKIE in connection.cookies and bearer_of(connection) is None:
        raise ForeignOriginError


def _is_ours(origin: str, connection: HTTPConnection, address: Address) -> bool:
    """Only host and port are compared with our own: behind a proxy we may not know that we are on https."""
    if origin in address.origins:
        return True
    asked = _host(origin)
    ours = {_host(f"//{connection.headers.get('host', '')}", origin), _host(address.public_url or "")}
    return asked is not None and asked in ours


def _host(url: str, scheme_of: str = "") -> tuple[str, int | None] | None:
    try:
        parts = urlsplit(url)
        scheme = parts.scheme or urlsplit(scheme_of).scheme
        return (parts.hostname, parts.port or DEFAULT_PORTS.get(scheme)) if parts.hostname else None
    except ValueError:
        return None
