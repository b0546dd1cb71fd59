"""The files of the client as they go over the wire: scripts without what is said to their readers only, and packed."""

import gzip
import hashlib
import os
import re
from functools import cache
from pathlib import Path
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
REMARK = re.compile(r"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*\n", re.MULTILINE | re.DOTALL)
"""A comment that has its lines to itself."""


class ClientFiles(StaticFiles):
    """Text is packed once, not for each reader; everything else goes as it is."""

    def file_response(
        self, full_path: Any, stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        path = Path(full_path)
        if path.suffix not in TYPES:
            return super().file_response(full_path, stat_result, scope, status_code)
        asked = Headers(scope=scope)
        plain, packed, tag = sent_as(path, stat_result.st_mtime_ns)
        zipped = "gzip" in asked.get("accept-encoding", "")
        headers = {"etag": f'"{tag}{"z" * zipped}"', "vary": "accept-encoding"}
        if zipped:
            headers["content-encoding"] = "gzip"
        answer = Response(packed if zipped else plain, status_code, headers, TYPES[path.suffix])
        return NotModifiedResponse(answer.headers) if self.is_not_modified(answer.headers, asked) else answer


@cache
def sent_as(path: Path, changed: int) -> tuple[bytes, bytes, str]:
    """The text of a file as of a moment, the same packed, and what tells it from others."""
    text = path.read_text("utf-8")
    plain = (REMARK.sub("", text) if path.suffix == ".js" else text).encode()
    return plain, gzip.compress(plain, mtime=0), hashlib.sha256(plain + str(changed).encode()).hexdigest()[:32]
