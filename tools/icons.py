"""Makes the icons of the site and of the installed app from their drawings: `.venv/bin/python -m tools.icons`."""

import asyncio
import shutil
import struct
from typing import NamedTuple

from playwright.async_api import Page, async_playwright

from app.web.site import ROOT

STATIC = ROOT / "static"


class Icon(NamedTuple):
    """A picture to make: its file, what it is drawn from, and how large it is."""

    file: str
    drawing: str
    size: int


ICONS = (
    Icon("icons/round-192.png", "icon.svg", 192),
    Icon("icons/round-512.png", "icon.svg", 512),
    Icon("icons/maskable-512.png", "icons/app.svg", 512),
    Icon("icons/apple-touch.png", "icons/app.svg", 180),
)
"""Maskable icons fill the square with the content in the middle, since phones cut them to their own shape."""

FAVICON, FAVICON_SIZES = "icons/favicon.ico", (16, 32, 48)
"""For browsers that request it by themselves, or that can't show SVG icons."""

SHOW = """([drawing, size]) => {
    document.body.style.margin = 0;
    document.body.innerHTML = drawing;
    Object.assign(document.querySelector('svg').style, { display: 'block', width: `${size}px`, height: `${size}px` });
}"""


async def make(page: Page, icon: Icon) -> None:
    """Draw one icon into its file."""
    (STATIC / icon.file).write_bytes(await draw(page, icon.drawing, icon.size))


async def draw(page: Page, drawing: str, size: int) -> bytes:
    """A drawing as PNG."""
    await page.set_viewport_size({"width": size, "height": size})
    await page.evaluate(SHOW, [(STATIC / drawing).read_text("utf-8"), size])
    return await page.screenshot(omit_background=True)


def pack_ico(pictures: dict[int, bytes]) -> bytes:
    """PNGs by their sizes in one ICO: a header, an entry of 16 bytes for each, and the PNGs as they are."""
    header = struct.pack("<HHH", 0, 1, len(pictures))
    at = len(header) + 16 * len(pictures)
    entries = b""
    for size, png in pictures.items():
        entries += struct.pack("<BBBBHHII", size, size, 0, 0, 1, 32, len(png), at)
        at += len(png)
    return header + entries + b"".join(pictures.values())


async def main() -> None:
    """Make all icons."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"))
        page = await browser.new_page()
        for icon in ICONS:
            await make(page, icon)
        favicon = {size: await draw(page, "icon.svg", size) for size in FAVICON_SIZES}
        (STATIC / FAVICON).write_bytes(pack_ico(favicon))
        await browser.close()


if __name__ == "__main__":
    asyncio.run(main())
