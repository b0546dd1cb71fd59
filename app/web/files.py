"""The client's files as they are sent: minified and compressed."""

import gzip
import hashlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import rcssmin
import rjsmin
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from .address import address_of
from .limits import STATIC_FILE
from .script_imports import renew_imports, retry_of
from .site import site_of

TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
MINIFIERS: dict[str, Callable[[str], str]] = {".js": rjsmin.jsmin, ".css": rcssmin.cssmin}
PAGE_LEVEL = 4


class Sent(NamedTuple):
    """A text as it is sent: plain, compressed, and its ETag."""

    plain: bytes
    packed: bytes
    tag: str


class ClientFiles(StaticFiles):
    """Static files. Texts are compressed once, not for each request; other files are sent as they are."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        connection = HTTPConnection(scope)
        site_of(connection).limits.spend(STATIC_FILE, address_of(connection))
        return await super().get_response(path, scope)

    def file_response(
        self, full_path: Any, stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        path = Path(full_path)
        if path.suffix not in TYPES:
            return super().file_response(full_path, stat_result, scope, status_code)
        sent = sent_as(path, stat_result.st_mtime_ns)
        retry = retry_of(scope["query_string"])
        if path.suffix == ".js" and retry is not None:
            sent = pack(renew_imports(sent.plain.decode(), path.parent, retry))
        return answer_with(sent, TYPES[path.suffix], Headers(scope=scope), status_code)


def answer_with(sent: Sent, kind: str, asked: Headers, status_code: int = 200) -> Response:
    """A response with a text, compressed if the client accepts that, or 304 if the client has it already."""
    zipped = "gzip" in asked.get("accept-encoding", "")
    headers = {"etag": f'"{sent.tag}{"z" * zipped}"', "vary": "accept-encoding"}
    known = [tag.strip().removeprefix("W/") for tag in asked.get("if-none-match", "").split(",")]
    if headers["etag"] in known:
        return Response(status_code=304, headers=headers)
    if zipped:
        headers["content-encoding"] = "gzip"
    return Response(sent.packed if zipped else sent.plain, status_code, headers, kind)


def packed_page(page: Response, asked: Headers) -> Response:
    """A page, compressed if the client accepts that: quickly rather than tightly, as it is made for each request."""
    if "gzip" in asked.get("accept-encoding", ""):
        page.body = gzip.compress(bytes(page.body), PAGE_LEVEL, mtime=0)
        page.headers["content-length"] = str(len(page.body))
        page.headers["content-encoding"] = "gzip"
    return page


@cache
def sent_as(path: Path, changed: int) -> Sent:
    """The text of a file that was changed at this time, minified."""
    text = path.read_text("utf-8")
    minify = MINIFIERS.get(path.suffix)
    return pack(minify(text) if minify else text, changed)


def pack(text: str, changed: int = 0) -> Sent:
    """Compress a text, and make its ETag."""
    plain = text.encode()
    return Sent(plain, gzip.compress(plain, mtime=0), hashlib.sha256(plain + str(changed).encode()).hexdigest()[:32])
