"""Protection from requests of other sites' pages."""

from starlette.requests import HTTPConnection

from app.origins import Origin, parse_origin

from .address import Address, asked_of
from .cookies import Cookies
from .identity import bearer_of
from .problems import ForeignOriginError


def check_origin(connection: HTTPConnection, address: Address) -> None:
    """Allow requests of this site's pages, of allowed origins, and of programs, which send no Origin.

    Raises:
        ForeignOriginError: a page of another site asks.
    """
    said = connection.headers.get("origin")
    if said is None:
        return
    origin, asked = _parse(said), asked_of(connection)
    if origin is None or origin not in {asked, address.public, *address.origins}:
        raise ForeignOriginError(is_scheme=origin is not None and origin.netloc == asked.netloc)


def check_reader(connection: HTTPConnection, address: Address) -> None:
    """The same for GET calls that have an effect: a page may make them without an Origin, as for an image.

    Raises:
        ForeignOriginError: a page of another site asks.
    """
    check_origin(connection, address)
    asker = connection.headers.get("sec-fetch-site", "none")  # browsers set it, and pages can't
    if "origin" not in connection.headers and asker not in ("none", "same-origin"):
        raise ForeignOriginError


def check_cookie(connection: HTTPConnection, cookies: Cookies) -> None:
    """Accept a cookie only together with an Origin header; programs send a token.

    Raises:
        ForeignOriginError: there is a cookie, and no Origin.
    """
    if "origin" not in connection.headers and cookies.tokens(connection) and bearer_of(connection) is None:
        raise ForeignOriginError


def _parse(origin: str) -> Origin | None:
    try:
        return parse_origin(origin)
    except ValueError:
        return None
