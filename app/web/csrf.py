"""Whose pages may ask."""

from starlette.requests import HTTPConnection

from app.origins import Origin, parse_origin

from .address import Address, asked_of
from .cookies import Cookies
from .identity import bearer_of
from .problems import ForeignOriginError


def check_origin(connection: HTTPConnection, address: Address) -> None:
    """Let our own pages ask, those of allowed origins, and programs, which are no page.

    Raises:
        ForeignOriginError: another site's page asks.
    """
    said = connection.headers.get("origin")
    if said is None:
        return
    origin, asked = _parse(said), asked_of(connection)
    if origin is None or origin not in {asked, address.public, *address.origins}:
        raise ForeignOriginError(is_scheme=origin is not None and origin.netloc == asked.netloc)


def check_cookie(connection: HTTPConnection, cookies: Cookies) -> None:
    """Let a cookie speak only for a page that says whose it is; a program brings a token.

    Raises:
        ForeignOriginError: nobody says whose page asks.
    """
    if "origin" not in connection.headers and cookies.tokens(connection) and bearer_of(connection) is None:
        raise ForeignOriginError


def _parse(origin: str) -> Origin | None:
    try:
        return parse_origin(origin)
    except ValueError:
        return None
