"""The result as a picture: a real PNG of the stated size, in the page's language and colors, with everything on it."""

import base64
from pathlib import Path

import pytest

from harness.browser import FoglineServer
from harness.page_player import sit_down
from tests.browser.api_moves import play_unseen
from tests.browser.visitor import Enter

SEATS = ("#b02a1c", "#1a7880", "#a87300", "#33232e")
SEA, LAND, PAPER = "#9bcac6", "#f6edd8", "#fffaf0"

DEVELOP = """async () => {
    const { toPng, draw } = await import('/static/js/end/svg-to-png.js');
    const drawn = draw('svg', { width: 40, height: 20, viewBox: '0 0 40 20' },
        draw('g', { class: 'space', 'data-color': 'red' }, draw('rect', { width: 40, height: 20 })),
        draw('g', { class: 'car' }, draw('rect', { width: 40, height: 20, fill: 'lime' })));
    document.body.append(drawn);
    const picture = await createImageBitmap(await toPng(drawn, 40, 20));
    const canvas = new OffscreenCanvas(40, 20);
    const pen = canvas.getContext('2d');
    pen.drawImage(picture, 0, 0);
    return [picture.width, picture.height, ...pen.getImageData(20, 10, 1, 1).data];
}"""

LOOK_AT = """async (png) => {
    const picture = Object.assign(new Image(), { src: `data:image/png;base64,${png}` });
    await picture.decode();
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const pen = canvas.getContext('2d');
    pen.drawImage(picture, 0, 0);
    const { data } = pen.getImageData(0, 0, picture.width, picture.height);
    const found = {};
    for (let at = 0; at < data.length; at += 4) {
        const color = '#' + [0, 1, 2].map((k) => data[at + k].toString(16).padStart(2, '0')).join('');
        found[color] = (found[color] ?? 0) + 1;
    }
    return { size: [picture.width, picture.height], found };
}"""


async def test_a_drawing_keeps_the_looks_its_style_sheets_gave_it(come: Enter, server: FoglineServer) -> None:
    person = await come("Ana")
    await person.page.goto(server.address)
    assert await person.page.evaluate(DEVELOP) == [40, 20, 0xAC, 0x26, 0x1D, 255]


@pytest.mark.slow
async def test_the_result_is_saved_as_a_picture(come: Enter, server: FoglineServer, tmp_path: Path) -> None:
    person = await come("Emma", locale="it", color_scheme="light")
    page = person.page
    player = await sit_down(page, server.address)
    await play_unseen(player)
    async with page.expect_download(timeout=60_000) as saving:
        await page.click("#save-picture")
    saved = await saving.value
    assert saved.suggested_filename == f"fogline-{player.code.lower()}.png"
    await saved.save_as(tmp_path / "result.png")
    png = base64.b64encode((tmp_path / "result.png").read_bytes()).decode()
    seen = await page.evaluate(LOOK_AT, png)
    assert seen["size"] == [1200, 1226]
    assert all(seen["found"].get(color, 0) > 1_000 for color in (*SEATS, SEA, LAND, PAPER))
    await page.wait_for_selector("#picture-news:has-text('Salvata come fogline-')")
    assert await page.locator("body > .unseen svg").count() == 0


@pytest.mark.slow
async def test_the_picture_goes_to_the_share_sheet_where_there_is_one(come: Enter, server: FoglineServer) -> None:
    person = await come("Emma")
    page = person.page
    player = await sit_down(page, server.address)
    await play_unseen(player)
    await page.evaluate(SHEET)
    await page.click("#save-picture")
    await page.wait_for_function("() => window.shared")
    await page.wait_for_selector("#save-picture:not([aria-busy])")
    assert await page.evaluate("window.shared") == [f"fogline-{player.code.lower()}.png", "image/png"]
    assert await page.inner_text("#picture-news") == ""


SHEET = """() => {
    navigator.canShare = ({ files }) => files.length === 1;
    navigator.share = async ({ files: [file] }) => { window.shared = [file.name, file.type]; };
}"""
