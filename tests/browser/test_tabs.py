"""Tabs say what they show, on a phone and beside the log."""

from playwright.async_api import Locator, expect

from tests.browser.api_moves import begin_with_bot
from tests.browser.visitor import DESKTOP, PHONE, Enter, Visitor


async def check_tabs(person: Visitor, tablist: str) -> None:
    """By clicks, and by arrow keys: each shows the panels that it says it controls, and no other of them."""
    page = person.page
    tabs = await page.locator(f"{tablist} [role=tab]:visible").all()
    await tabs[0].click()
    for tab in tabs:
        await expect(tab).to_have_attribute("aria-selected", "true")
        await expect(tab).to_be_focused()
        for other in tabs:
            shown = await panels_of(person, tab)
            for panel in await panels_of(person, other):
                if panel not in shown:
                    await expect(page.locator(f"#{panel}")).to_be_hidden()
        for panel in await panels_of(person, tab):
            await expect(page.locator(f"#{panel}[role=tabpanel]")).to_be_visible()
        await page.keyboard.press("ArrowRight")
    await expect(tabs[0]).to_be_focused()
    await page.keyboard.press("ArrowLeft")
    await expect(tabs[-1]).to_be_focused()


async def panels_of(person: Visitor, tab: Locator) -> list[str]:
    return str(await tab.get_attribute("aria-controls")).split()


async def test_a_tab_shows_the_panels_that_it_controls(come: Enter) -> None:
    person = await come("Ana", viewport=PHONE)
    await begin_with_bot(person)
    await check_tabs(person, "#tabs")
    await person.page.click("#tabs [data-tab=log]")
    await check_tabs(person, "#sides")
    await expect(person.page.get_by_role("tabpanel", name="Talk")).to_have_id("talk")


async def test_where_all_panels_are_in_sight_they_belong_to_no_tabs(come: Enter) -> None:
    person = await come("Ana", viewport=DESKTOP)
    await begin_with_bot(person)
    await expect(person.page.get_by_role("region", name="Market")).to_be_visible()
    await expect(person.page.locator(".panel[role]")).to_have_count(0)
    await person.page.set_viewport_size({"width": 360, "height": 640})
    await expect(person.page.get_by_role("tabpanel", name="Market")).to_be_visible()
    await person.page.set_viewport_size({"width": 1280, "height": 720})
    await expect(person.page.get_by_role("region", name="Market")).to_be_visible()
