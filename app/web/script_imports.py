"""What the scripts of the client import, and under which addresses a browser asks again for those that failed to load.

Browsers remember a failed import by its address. `static/js/lib/lazy.js` therefore asks for the module again with
`?retry=N`, and whatever that module imports needs the same. Modules that every page has already keep their addresses,
because their state is shared.
"""

import re
from functools import cache
from pathlib import Path

from .site import ROOT

SCRIPTS = (ROOT / "static" / "js").resolve()
ENTRY = SCRIPTS / "pages" / "table.js"
"""What it imports, directly or not, is loaded before anything is asked for again."""

IMPORTED = re.compile(r"""(\b(?:from|import)\s*["'])(\.{1,2}/[\w/.-]+\.js)(?=["'])""")
RETRY = re.compile(rb"retry=(\d{1,4})")


def retry_of(query: bytes) -> str | None:
    """The number of the retry that an address names."""
    match = RETRY.fullmatch(query)
    return match[1].decode() if match else None


def renew_imports(script: str, folder: Path, retry: str) -> str:
    """A script of this folder, changed to ask for modules that may be missing under the addresses of this retry."""

    def renew(match: re.Match[str]) -> str:
        return match[0] if (folder / match[2]).resolve() in shared() else f"{match[0]}?retry={retry}"

    return IMPORTED.sub(renew, script)


@cache
def shared() -> frozenset[Path]:
    """The modules that every page of a table has loaded before it works."""
    found, waiting = {ENTRY}, [ENTRY]
    while waiting:
        script = waiting.pop()
        new = {(script.parent / name).resolve() for _, name in IMPORTED.findall(script.read_text("utf-8"))} - found
        found |= new
        waiting += new
    return frozenset(found)
