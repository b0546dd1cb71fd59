"""What the scripts of the client import, and the addresses under which a browser that missed one asks again.

A browser remembers an import that failed, for the address it was asked under. `static/js/late.js` asks for a module
again with `?retry=N`, and so must whatever that module imports. Modules that every page has already keep their
addresses: their state is shared.
"""

import re
from functools import cache

from .site import ROOT

SCRIPTS = ROOT / "static" / "js"
ENTRY = "main.js"
"""What it imports, directly or not, is there before anything is asked for again."""

IMPORTED = re.compile(r"""(\b(?:from|import)\s*["']\./)([\w/]+\.js)(?=["'])""")
RETRY = re.compile(rb"retry=(\d{1,4})")


def retry_of(query: bytes) -> str | None:
    """The number of the retry that an address names."""
    match = RETRY.fullmatch(query)
    return match[1].decode() if match else None


def renew_imports(script: str, retry: str) -> str:
    """A script that imports what may be missing under the addresses of this retry."""

    def renew(match: re.Match[str]) -> str:
        return match[0] if match[2] in shared() else f"{match[0]}?retry={retry}"

    return IMPORTED.sub(renew, script)


@cache
def shared() -> frozenset[str]:
    """The modules that every page of a table has before it is of any use."""
    found, waiting = {ENTRY}, [ENTRY]
    while waiting:
        text = (SCRIPTS / waiting.pop()).read_text("utf-8")
        new = {name for _, name in IMPORTED.findall(text)} - found
        found |= new
        waiting += new
    return frozenset(found)
