"""QR codes as SVG."""

import asyncio
import io
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

import segno

from .files import Sent, pack

BORDER = 4
"""The quiet zone that scanners want, in modules."""

MOST_KEPT = 256
"""Invitations whose QR code is kept, some 5 KB each."""

_DRAWING = ThreadPoolExecutor(1, "qr")
"""One at a time: several threads that draw would leave the event loop too little of the interpreter."""


async def draw_qr(text: str) -> str:
    """The QR code of a text, drawn beside the event loop."""
    return await asyncio.get_running_loop().run_in_executor(_DRAWING, _draw, text)


async def invitation_qr(url: str) -> Sent:
    """The QR code of an invitation, ready to be sent. It is kept, since everybody at a table asks for the same."""
    return await asyncio.get_running_loop().run_in_executor(_DRAWING, _invitation, url)


@lru_cache(maxsize=MOST_KEPT)
def _invitation(url: str) -> Sent:
    return pack(_draw(url))


def _draw(text: str) -> str:
    """Dark on light at any time of day: scanners want it so."""
    drawn = io.BytesIO()
    code = segno.make(text, error="m", micro=False)
    code.save(drawn, kind="svg", border=BORDER, dark="#12222f", light="#fff", xmldecl=False, omitsize=True, nl=False)
    return drawn.getvalue().decode()
