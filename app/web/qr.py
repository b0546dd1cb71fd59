"""QR codes as SVG."""

import io

import segno

BORDER = 4
"""The quiet zone that scanners want, in modules."""


def draw_qr(text: str) -> str:
    """The QR code of a text, dark on light at any time of day: scanners want it so."""
    drawn = io.BytesIO()
    code = segno.make(text, error="m", micro=False)
    code.save(drawn, kind="svg", border=BORDER, dark="#12222f", light="#fff", xmldecl=False, omitsize=True, nl=False)
    return drawn.getvalue().decode()
