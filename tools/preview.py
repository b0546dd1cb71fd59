"""Makes the picture of link previews, a game in progress beside the name: `.venv/bin/python -m tools.preview`."""

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.async_api import ViewportSize, async_playwright

from harness.browser import find_chromium
from harness.callers import serving, settings_in
from harness.page_player import sit_down
from harness.paths import ROOT

from .pictures import is_picturesque

FILE = ROOT / "static" / "icons" / "preview.jpg"
SIZE = ViewportSize(width=1200, height=630)
QUALITY = 78

ARRANGE = """() => {
    for (const other of document.querySelectorAll('.top, .side, .map-tools, .hint')) other.remove();
    const map = document.getElementById('map');
    Object.assign(map.style, { marginInlineStart: '352px', flex: 'none', width: '848px' });
    const sign = document.createElement('div');
    Object.assign(sign.style, {
        position: 'fixed', inset: '0 848px 0 0', display: 'grid', placeContent: 'center', justifyItems: 'center',
        gap: '18px', background: 'var(--paper)', color: 'var(--accent)', font: '800 66px/1 var(--face)',
    });
    const car = document.querySelector('.brand-car') ?? document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    car.innerHTML = '<use href="#ui-fogline"/>';
    Object.assign(car.style, { width: '190px', height: '190px' });
    sign.append(car, 'Fogline');
    document.body.append(sign);
}"""


async def take(address: str) -> None:
    """Play up to a game worth looking at, and take its picture."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_chromium())
        page = await browser.new_page(viewport=SIZE)
        player = await sit_down(page, address)
        await player.play(is_picturesque)
        await page.emulate_media(color_scheme="light", reduced_motion="reduce")
        await page.goto(f"{address}/t/{player.code}")
        await page.wait_for_selector("body[data-state=playing][data-version]")
        await page.evaluate(ARRANGE)
        await page.screenshot(path=FILE, type="jpeg", quality=QUALITY)
        await browser.close()


async def main() -> None:
    """Take it of a server on a new database."""
    with TemporaryDirectory() as folder:
        async with serving(settings_in(Path(folder))) as client:
            await take(str(client.base_url).rstrip("/"))


if __name__ == "__main__":
    asyncio.run(main())
