"""Plays a game with bots in Chromium and takes the pictures of the documents: `.venv/bin/python -m tools.pictures`."""

import asyncio
import base64
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.async_api import Page, ViewportSize, async_playwright

from harness.browser import find_chromium
from harness.callers import serving, settings_in
from harness.page_player import Json, PagePlayer, is_over, sit_down
from harness.paths import ROOT

FOLDER = ROOT / "docs" / "pictures"
DESKTOP = ViewportSize(width=1280, height=720)
PHONE = ViewportSize(width=390, height=640)
QUALITY = 0.85

ROUTES, CARDS = 12, 5
"""Routes claimed, and cards in the hand, when the pictures of the game are taken."""

TO_WEBP = """async ([png, quality]) => {
    const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    canvas.getContext('2d').drawImage(picture, 0, 0);
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/webp', quality })).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}"""


def is_picturesque(view: Json) -> bool:
    """Whether it is this player's turn, with something on the board and in the hand."""
    mine = view["phase"] == "turn" and view["to_act"] == [view["seat"]]
    return mine and len(view["owners"]) >= ROUTES and sum(view["hand"].values()) >= CARDS


async def take(page: Page, converter: Page, name: str, size: ViewportSize, scheme: Any = "light") -> None:
    """Take a picture of the page. The converter is an empty page, whose canvas makes WebP of it."""
    await page.set_viewport_size(size)
    await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    await page.mouse.move(0, 0)
    await asyncio.sleep(0.5)
    await page.wait_for_function("() => !document.querySelector('.flying')")
    png = base64.b64encode(await page.screenshot()).decode()
    webp = await converter.evaluate(TO_WEBP, [png, QUALITY])
    (FOLDER / f"{name}.webp").write_bytes(base64.b64decode(webp))


async def take_pictures(address: str) -> None:
    """Play a game and take all pictures."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_chromium())
        page, converter = await browser.new_page(viewport=DESKTOP), await browser.new_page()
        player: PagePlayer = await sit_down(page, address)
        await player.play(is_picturesque)
        await take(page, converter, "table", DESKTOP)
        await take(page, converter, "night", DESKTOP, "dark")
        await take(page, converter, "phone", PHONE)
        await player.play(is_over)
        await take(page, converter, "score", DESKTOP)
        await browser.close()


async def main() -> None:
    """Take them of a server on a new database."""
    with TemporaryDirectory() as folder:
        async with serving(settings_in(Path(folder))) as client:
            await take_pictures(str(client.base_url).rstrip("/"))


if __name__ == "__main__":
    asyncio.run(main())
