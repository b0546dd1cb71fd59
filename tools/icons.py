"""Makes the icons of the installed app from their drawings: `.venv/bin/python -m tools.icons`."""

import asyncio
import shutil
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
"""Maskable ones fill the square, and what matters stands in the middle; a phone cuts them to its own shape."""

SHOW = """([drawing, size]) => {
    document.body.style.margin = 0;
    document.body.innerHTML = drawing;
    Object.assign(document.querySelector('svg').style, { display: 'block', width: `${size}px`, height: `${size}px` });
}"""


async def make(page: Page, icon: Icon) -> None:
    """Draw one icon into its file."""
    await page.set_viewport_size({"width": icon.size, "height": icon.size})
    await page.evaluate(SHOW, [(STATIC / icon.drawing).read_text("utf-8"), icon.size])
    await page.screenshot(path=STATIC / icon.file, omit_background=True)


async def main() -> None:
    """Make all icons."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"))
        page = await browser.new_page()
        for icon in ICONS:
            await make(page, icon)
        await browser.close()


if __name__ == "__main__":
    asyncio.run(main())
