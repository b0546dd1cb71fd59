"""Unread chat messages are marked, also after the page was loaded again."""

import pytest
from playwright.async_api import expect

from tests.browser.test_talk import game_of_two, open_talk, write
from tests.browser.visitor import Enter, Visitor

UNREAD = "#sides .side-tab[data-side=players] .unread"
"""The mark on the tab of the players' talk."""


async def come_again(person: Visitor) -> None:
    await person.page.reload()
    await person.page.wait_for_selector("body[data-state=playing]")


@pytest.mark.slow
async def test_what_was_not_read_stays_marked_when_the_page_comes_anew(come: Enter) -> None:
    ana, bo = await game_of_two(come)
    mark = bo.page.locator(UNREAD)
    await open_talk(ana)
    await write(ana, "One")
    await expect(mark).to_have_text("1")
    await come_again(bo)
    await expect(mark).to_have_text("1")
    await open_talk(bo)
    await expect(mark).to_be_hidden()
    await bo.page.click(".side-tab[data-side=log]")
    await write(ana, "Two")
    await expect(mark).to_have_text("1")
    await bo.page.click("#menu summary")
    await bo.page.wait_for_selector("#theme[aria-label]")
    await bo.page.select_option("#language", "da")
    await bo.page.wait_for_selector("html[lang=da] body[data-state=playing]")
    await expect(mark).to_have_text("1")
    await come_again(ana)
    await expect(ana.page.locator(".side-tab[data-side=players]")).to_be_visible()
    await open_talk(ana)
    await expect(ana.page.locator(".lines:not([hidden]) li")).to_have_count(2)
    assert await ana.page.locator(".unread:visible").count() == 0


@pytest.mark.slow
async def test_who_only_comes_to_watch_has_missed_nothing(come: Enter) -> None:
    ana, _ = await game_of_two(come)
    await open_talk(ana)
    await write(ana, "One")
    cal = await come("Cal")
    await cal.page.goto(ana.page.url)
    mark = cal.page.locator(UNREAD)
    await expect(cal.page.locator(".lines li")).to_have_count(1)
    await cal.drawn()
    await expect(mark).to_be_hidden()
    await write(ana, "Two")
    await expect(mark).to_have_text("1")
    await come_again(cal)
    await expect(mark).to_have_text("1")
