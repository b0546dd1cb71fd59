"""The level of each bot: the host picks it in the lobby, and everybody sees it at the seat."""

import pytest

from app.bots import LEVELS
from tests.browser.visitor import PHONE, Enter


@pytest.mark.parametrize("viewport", [None, PHONE])
async def test_each_bot_has_the_level_that_the_host_picked(come: Enter, viewport: dict[str, int] | None) -> None:
    host, guest = await come("Ana", viewport=viewport), await come("Ben", viewport=viewport)
    link = await host.open_table(4)
    page = host.page
    offered = await page.eval_on_selector_all("#bot-level option", "options => options.map(({ value }) => value)")
    assert tuple(offered) == LEVELS
    await host.add_bots(1)
    await page.focus("#bot-level")
    await page.keyboard.press("h")
    await page.focus(".seat[data-seat='2'] .seat-bot")
    await page.keyboard.press("Enter")
    await guest.page.goto(link)
    for person in (host, guest):
        await person.page.wait_for_selector(".seat[data-seat='1'] .presence:text-is('bot · easy')")
        await person.page.wait_for_selector(".seat[data-seat='2'] .presence:text-is('bot · hard')")
    assert not await guest.page.is_visible("#bot-level")
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await host.add_bots(3)
    await page.wait_for_selector("#bot-level", state="hidden")


async def test_the_level_is_named_in_the_readers_language(come: Enter) -> None:
    host = await come("Ana", locale="cs")
    await host.open_table(2)
    assert await host.page.get_by_label("Úroveň nového bota").is_visible()
    await host.page.select_option("#bot-level", label="střední")
    await host.add_bots(1)
    await host.page.wait_for_selector(".seat[data-seat='1'] .presence:text-is('bot · střední')")
