"""A player's sixth tab at a table takes the place of the first, which waits until the player comes back to it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from harness.forked import ForkedSite
from tests.browser.api_moves import begin_with_bot
from tests.browser.visitor import DRAWN, Enter

MOST = 5
LONG = 60_000
"""Milliseconds after which any page that tries again has done so."""

RETURN = {
    "by focus": "dispatchEvent(new Event('focus'))",
    "by sight": "document.dispatchEvent(new Event('visibilitychange'))",
}


@pytest.fixture
def limited_site(tmp_path: Path) -> Iterator[ForkedSite]:
    site = ForkedSite(tmp_path / "data", rate_limits="on")
    yield site
    site.stop()


@pytest.mark.parametrize("returning", RETURN)
async def test_a_tab_that_is_one_too_many_waits_until_the_player_returns(
    come: Enter, limited_site: ForkedSite, returning: str
) -> None:
    person = await come("Ana", address=limited_site.address)
    await begin_with_bot(person)
    link, context = person.page.url, person.page.context
    await person.page.goto("about:blank")
    await context.add_init_script("document.hasFocus = () => false")
    opened: list[Page] = []

    async def open_tab() -> Page:
        page = await context.new_page()
        await page.clock.install()
        page.on("websocket", lambda _: opened.append(page))
        await page.goto(link)
        await expect(page.locator("body")).to_have_attribute("data-connection", "live")
        return page

    tabs = [await open_tab() for _ in range(MOST + 1)]
    first = tabs[0]
    await expect(first.locator("#connection")).to_contain_text("too many tabs")
    await first.clock.fast_forward(LONG)
    await first.evaluate("dispatchEvent(new Event('online'))")
    await first.evaluate(DRAWN)
    assert opened == tabs
    await first.evaluate(RETURN[returning])
    await expect(first.locator("body")).to_have_attribute("data-connection", "live")
    await expect(first.locator("#connection")).to_be_hidden()
    await expect(tabs[1].locator("body")).to_have_attribute("data-connection", "waiting")
    assert opened == [*tabs, first]
