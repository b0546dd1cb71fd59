"""Browsers of spring 2022, simulated by removing newer features: the game can be played."""

import re
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from playwright.async_api import Page, Route

from harness.browser import FoglineServer
from tests.browser.clicker import Clicker
from tests.browser.visitor import PHONE, Enter, Visitor
from tests.web.test_baseline import FEATURES

REMOVABLE = [feature for feature in FEATURES if "remove" in feature]
STRIPPED = [feature for feature in FEATURES if "strip" in feature]
PAGES = ("", "rules", "t/00000000")

Answer = Callable[[Route], Awaitable[None]]


async def take_away(page: Page, features: list[dict[str, Any]]) -> None:
    """From the scripts and the styles of a page that is still to come."""
    removals = [f"try {{ {feature['remove']} }} catch {{}}" for feature in features if "remove" in feature]
    await page.add_init_script(";\n".join(removals))
    await page.route("**/*.css", changed([feature["strip"] for feature in features if "strip" in feature]))


def changed(changes: list[list[str]]) -> Answer:
    """Answers with each of the patterns replaced."""

    async def answer(route: Route) -> None:
        response = await route.fetch()
        text = await response.text()
        for pattern, other in changes:
            text = re.sub(pattern, other, text)
        await route.fulfill(response=response, body=text)

    return answer


async def play_some_moves(person: Visitor) -> None:
    """With a control in focus at each: what happened is written, and read out."""
    page = person.page
    await person.open_table(2)
    await person.add_bots(1)
    await page.click("#start")
    player = Clicker(person, 1)
    for _ in range(4):
        assert await person.next_turn() == "act"
        await page.focus("#menu summary")
        await player.act()
    await person.next_turn()
    await page.wait_for_function("() => document.getElementById('log').childElementCount > 4")
    assert await page.locator("#live span").count() > 0
    assert await page.evaluate("document.activeElement !== document.body")


async def test_a_game_goes_without_anything_that_came_later(come: Enter) -> None:
    person = await come("Ana")
    await take_away(person.page, FEATURES)
    await play_some_moves(person)


@pytest.mark.slow
@pytest.mark.parametrize("feature", REMOVABLE, ids=lambda feature: str(feature["name"]))
async def test_a_game_goes_without_each_thing_that_came_later(come: Enter, feature: dict[str, Any]) -> None:
    person = await come("Ana")
    await take_away(person.page, [feature])
    await play_some_moves(person)


async def test_a_phone_shows_board_and_hand_without_newer_styles(come: Enter) -> None:
    person = await come("Ana", viewport=PHONE)
    await take_away(person.page, STRIPPED)
    await play_some_moves(person)
    for area in ("#map", "#banner", "#hand"):
        box = await person.page.locator(area).bounding_box()
        assert box is not None
        assert box["width"] > 100
        assert box["y"] + box["height"] <= PHONE["height"] + 1
    assert await person.page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


@pytest.mark.parametrize("language", ["en", "cs"])
async def test_a_browser_that_is_too_old_says_so(come: Enter, server: FoglineServer, language: str) -> None:
    person = await come("Ana", locale=language)
    await person.page.goto(f"{server.address}/rules")
    assert not await person.page.locator(".outdated").is_visible()
    await person.page.route("**/page.css", changed([["accent-color: ?auto", "nothing: auto"]]))
    for path in PAGES:
        await person.page.goto(f"{server.address}/{path}")
        assert "15.4" in await person.page.locator(".outdated").inner_text()
        assert await person.page.locator(".outdated").is_visible()
    person.errors = [error for error in person.errors if "404" not in error]


async def test_pages_say_that_they_need_scripts(come: Enter, server: FoglineServer) -> None:
    host = await come("Ana")
    link = await host.open_table(2)
    person = await come("Bo", java_script_enabled=False)
    for address in (server.address, link):
        await person.page.goto(address)
        box = await person.page.locator("noscript p").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < 200
