"""QR codes as SVG."""

import asyncio
import io
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

import segno

from .files import Sent, pack

BORDER = 4
"""The quiet zone that scanners need, in modules."""

MOST_KEPT = 256
"""Maximum invitations whose QR code is cached, some 5 KB each."""

_DRAWING = ThreadPoolExecutor(1, "qr")
"""A single thread, because several would take too much of the interpreter from the event loop."""


async def draw_qr(text: str) -> str:
    """The QR code of a text, drawn in a thread."""
    return await asyncio.get_running_loop().run_in_executor(_DRAWING, _draw, text)


async def invitation_qr(url: str) -> Sent:
    """The QR code of an invitation. It is cached, because everybody at a table asks for the same one."""
    return await asyncio.get_running_loop().run_in_executor(_DRAWING, _invitation, url)


@lru_cache(maxsize=MOST_KEPT)
def _invitation(url: str) -> Sent:
    return pack(_draw(url))


def _draw(text: str) -> str:
    """Always dark on light, as scanners need it."""
    drawn = io.BytesIO()
    code = segno.make(text, error="m", micro=False)
    code.save(drawn, kind="svg", border=BORDER, dark="#12222f", light="#fff", xmldecl=False, omitsize=True, nl=False)
    return drawn.getvalue().decode()
