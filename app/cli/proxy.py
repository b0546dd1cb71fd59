"""Checks the site from outside, through the proxy, as a browser reaches it."""

import ssl
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from urllib.parse import SplitResult, urlsplit

from websockets.exceptions import InvalidHandshake, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from app.origins import parse_origin

TIMEOUT = 10.0
NO_ROOM = "00000000"

Found = tuple[bool, str]
"""Whether it is fine, and the finding in words."""


def look_through(url: str) -> Iterator[Found]:
    """Check the site at the address of its start page."""
    parts = urlsplit(url)
    try:
        origin = parse_origin(f"{parts.scheme}://{parts.netloc}")
    except ValueError:
        yield False, f"{url} is no address such as https://fog.example.org"
        return
    try:
        status, body = _get(parts, f"{parts.path}/healthz")
    except (OSError, HTTPException) as error:
        yield False, f"{url} can't be reached: {error}"
        return
    if status != 200 or not body.startswith("alive"):
        yield False, f"{url}/healthz answers with {status}; pass the whole path on, as FOGLINE_BASE_PATH says it."
        return
    yield True, f"{url} is reached"
    yield from _forwarded(str(origin), body)
    yield _socket(parts, str(origin))


def _get(parts: SplitResult, path: str) -> tuple[int, str]:
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(parts.netloc, timeout=TIMEOUT)
    try:
        connection.request("GET", path)
        response: HTTPResponse = connection.getresponse()
        return response.status, response.read(1000).decode(errors="replace")
    finally:
        connection.close()


def _forwarded(origin: str, body: str) -> Iterator[Found]:
    """Compare the address that the site was asked for, by its first line `alive at ADDRESS`."""
    if "not trusted" in body:
        yield (
            False,
            "its headers are not trusted, so all visitors seem to be one: set FOGLINE_TRUSTED_PROXIES to its address.",
        )
    elif body.splitlines()[0] == f"alive at {origin}":
        yield True, "host and scheme are passed on"
    else:
        yield False, "host or scheme are not passed on; let it set Host, X-Forwarded-Proto and X-Forwarded-For."


def _socket(parts: SplitResult, origin: str) -> Found:
    """Open a socket to a room that does not exist: the refusal tells how far the handshake came."""
    address = f"{parts.scheme.replace('http', 'ws', 1)}://{parts.netloc}{parts.path}/ws/v1/rooms/{NO_ROOM}"
    try:
        with connect(address, origin=Origin(origin), open_timeout=TIMEOUT, proxy=None):
            return False, "something else answers to WebSockets."
    except InvalidStatus as error:
        return _refusal(error.response.status_code, (error.response.body or b"").decode(errors="replace"))
    except (InvalidHandshake, OSError, ssl.SSLError, TimeoutError) as error:
        return False, f"it does not let WebSockets through ({error}); pass the Upgrade and Connection headers on."


def _refusal(status: int, body: str) -> Found:
    if "unknown_room" in body:
        return True, "WebSockets come through"
    if "other sites" in body:
        fix = "let it pass on Host and X-Forwarded-Proto, or set FOGLINE_PUBLIC_URL."
        return False, f"the site takes its own pages for foreign ones; {fix}"
    return False, f"it does not let WebSockets through (status {status}); pass the Upgrade and Connection headers on."
