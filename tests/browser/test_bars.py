"""The host bars people, in the lobby and during a game."""

import pytest

from tests.browser.test_spectators import name_oneself
from tests.browser.visitor import PHONE, Enter, Visitor


@pytest.mark.slow
@pytest.mark.parametrize("viewport", [None, PHONE])
async def test_a_host_bars_and_lets_in_again_by_keys(come: Enter, viewport: dict[str, int] | None) -> None:
    host, cal = await come("Ana", viewport=viewport), await come("Cal", viewport=viewport)
    link = await host.open_table(2)
    await cal.page.goto(link)
    await cal.page.fill("#sit-name", "Cal")
    await cal.page.click("#sit-down")
    await host.page.wait_for_selector(".seat[data-seat='1'] bdi:text-is('Cal')")
    await host.page.focus("#lobby-bars")
    await host.page.keyboard.press("Enter")
    await host.page.focus("dialog[open] button:text-is('Bar')")
    assert await host.page.get_attribute(":focus", "aria-label") == "Bar \u2068Cal\u2069"
    await host.page.keyboard.press("Enter")
    await cal.page.wait_for_selector("h1:text-is('The host has barred you from this table')")
    lift = "dialog[open] button:text-is('Let in again')"
    await host.page.wait_for_selector(lift)
    box = await host.page.locator("dialog[open]").evaluate("box => [box.scrollWidth - box.clientWidth, innerWidth]")
    assert box[0] <= 0
    await host.page.focus(lift)
    await host.page.keyboard.press("Enter")
    await host.page.wait_for_selector("dialog[open] p:text-is('Nobody is barred.')")
    assert await host.page.evaluate("document.activeElement.closest('dialog') !== null"), "the focus stays in the sheet"
    await host.page.keyboard.press("Escape")
    expect_refusals(cal)
    await cal.page.goto(link)
    await cal.page.wait_for_selector("#sit-down:visible")


@pytest.mark.slow
async def test_a_spectator_of_a_game_is_barred_from_the_menu(come: Enter) -> None:
    host, cal = await come("Ana"), await come("Cal", viewport=PHONE)
    link = await begin(host)
    await name_oneself(cal)
    await cal.page.goto(link)
    await host.page.wait_for_selector("#watchers:has-text('Cal')")
    await host.page.click("#menu summary")
    await host.page.click("#bars")
    await host.page.click("dialog[open] button:text-is('Bar')")
    await cal.page.wait_for_selector("h1:text-is('The host has barred you from this table')")
    await host.page.wait_for_selector("dialog[open] button:text-is('Let in again')")
    expect_refusals(cal)


def expect_refusals(person: Visitor) -> None:
    """A browser notes each answer that is a refusal."""
    person.errors = [error for error in person.errors if "403" not in error]


async def begin(host: Visitor) -> str:
    link = await host.open_table(2)
    await host.page.click(".seat[data-seat='1'] .seat-bot")
    await host.page.click("#start:not([aria-disabled])")
    await host.page.wait_for_selector("body[data-state='playing']")
    return link


@pytest.mark.slow
async def test_a_spectator_with_the_name_of_a_player_does_not_look_like_one(come: Enter) -> None:
    host, other = await come("Ana"), await come("Ana", viewport=PHONE)
    link = await begin(host)
    await name_oneself(other)
    await other.page.goto(link)
    await say(host, "#side-players", "From my seat")
    await say(other, "#side-spectators", "From beside")
    await host.page.click("#side-spectators")
    line = host.page.locator("li:has-text('From beside')")
    assert await line.locator(".watching").inner_text() == "(watching)"
    assert await line.locator(".line-car").count() == 0
    await other.page.click("#side-players")
    seat = other.page.locator("li:has-text('From my seat')")
    assert await seat.locator(".line-car use").get_attribute("href") == "#car-0"
    assert await seat.locator(".watching").inner_text() == ""


async def say(person: Visitor, side: str, text: str) -> None:
    if await person.page.is_visible(".tab[data-tab=log]"):
        await person.page.click(".tab[data-tab=log]")
    await person.page.click(side)
    await person.page.fill(".say-text", text)
    await person.page.keyboard.press("Enter")
    await person.page.wait_for_selector(f"li:has-text('{text}')")
    await person.page.keyboard.press("Escape")


@pytest.mark.slow
async def test_without_spectators_a_stranger_is_offered_no_field_to_write_in(come: Enter) -> None:
    host, cal = await come("Ana"), await come("Cal")
    await host.open_home()
    await host.page.uncheck("#spectators")
    link = await host.open_table(2, keep=True)
    await name_oneself(cal)
    await cal.page.goto(link)
    await cal.page.wait_for_selector("#sit-down:visible")
    await cal.page.click("#side-players")
    await cal.page.wait_for_selector(".talk-note:not(:empty)")
    assert not await cal.page.is_visible("#side-spectators")
    assert not await cal.page.is_visible(".say-text")
    await cal.page.fill("#sit-name", "Cal")
    await cal.page.click("#sit-down")
    await cal.page.wait_for_selector(".say-text:visible")
