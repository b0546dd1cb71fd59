"""Automatic checks of what may stand in the way of people who hear or see otherwise: each page, phase and panel."""

from typing import Any

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page

from harness.browser import FoglineServer
from harness.routes import PAGE_PATHS
from tests.browser.api_moves import close_talk, open_talk
from tests.browser.clicker import Clicker
from tests.browser.test_by_keys import on_board
from tests.browser.visitor import PHONE, TURN, Enter, Visitor

PHASES = {"first_tickets", "tokens", "turn", "second_card", "keep_tickets", "panels"}
BY_NIGHT = {"runOnly": ["color-contrast"]}
"""What else there is to find doesn't change with the colors."""
BUT_THE_MAP = {"exclude": [["#map-sheet"]]}
"""The map is looked at once: it is the same in each phase, and its colors have tests of their own."""


async def obstacles(person: Visitor, place: str, *, within: dict[str, Any] | None = BUT_THE_MAP) -> list[str]:
    """What axe finds, by day and by night."""
    by_day = await violations(person.page, within, {})
    await person.page.emulate_media(color_scheme="dark")
    by_night = await violations(person.page, BUT_THE_MAP, BY_NIGHT)
    await person.page.emulate_media(color_scheme="light")
    return [
        f"{place}: {violation['id']} {node['target']} {node.get('failureSummary', '')}"
        for violation in by_day + by_night
        for node in violation["nodes"]
    ]


async def violations(page: Page, within: dict[str, Any] | None, wish: dict[str, Any]) -> list[Any]:
    """Those that axe finds, which is brought to a page once."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(Axe().axe_script)
    find = "async ([within, wish]) => (await axe.run(within ?? document, wish)).violations"
    return list(await page.evaluate(find, [within, {"resultTypes": ["violations"], **wish}]))


@pytest.mark.parametrize("path", [*PAGE_PATHS, "/nowhere"])
async def test_pages_without_a_game_are_open_to_all(come: Enter, server: FoglineServer, path: str) -> None:
    person = await come("Ana")
    await person.page.goto(server.address + path.format(code="00000000"))
    assert await obstacles(person, path, within=None) == []
    person.errors = [error for error in person.errors if "Failed to load resource" not in error]


@pytest.mark.slow
async def test_no_phase_or_panel_of_a_table_shuts_anybody_out(come: Enter) -> None:
    host, guest, passer_by = await come("Ana"), await come("Bo", viewport=PHONE), await come("Cy", viewport=PHONE)
    await on_board(host.page, "flood")
    link = await host.open_table(2)
    found = await obstacles(host, "lobby of the host")
    await guest.page.goto(link)
    await guest.page.wait_for_selector("#sit:visible")
    found += await obstacles(guest, "lobby of a visitor")
    await guest.sit_down(link)
    found += await obstacles(guest, "lobby of a guest")
    await host.page.click("#start")
    await passer_by.page.goto(link)
    await passer_by.page.wait_for_selector("body[data-state=playing]")
    found += await obstacles(passer_by, "spectator")
    found += await obstacles_of_a_game(Clicker(host, 0), Clicker(guest, 2))
    for person in (host, guest):
        await person.page.wait_for_selector(".result")
        found += await obstacles(person, "over")
    assert found == []


async def obstacles_of_a_game(*players: Clicker) -> list[str]:
    """Those that each of the players meets."""
    found = []
    met: dict[Clicker, set[str]] = {player: set() for player in players}
    while await players[0].page.evaluate("document.body.dataset.state") != "over":
        for player in players:
            if await player.page.evaluate(TURN) == "act":
                found += await obstacles_of_a_turn(player, met[player])
                await player.act()
    assert set.union(*met.values()) == PHASES
    return found


async def obstacles_of_a_turn(player: Clicker, met: set[str]) -> list[str]:
    """Those of a phase that was not met before, and of what can be opened in it."""
    phase = await player.visitor.phase()
    if phase == "turn" and "panels" not in met and await player.page.locator(".route.claimable").count():
        met |= {"turn", "panels"}
        return await obstacles_of_panels(player.visitor)
    if phase in met or phase == "turn":
        return []
    met.add(phase)
    return await obstacles(player.visitor, phase)


async def obstacles_of_panels(person: Visitor) -> list[str]:
    """Those of all that can be opened during a turn, one after the other."""
    page = person.page
    found = await obstacles(person, "turn", within=None)
    await page.click("#menu summary")
    await page.wait_for_selector("#theme[aria-label]")
    found += await obstacles(person, "menu")
    await page.keyboard.press("Escape")
    for route, opened in ((".route.claimable", "#chooser"), (".route:not(.claimable)", "#hint")):
        await page.locator(route).first.focus()
        await page.keyboard.press("Enter")
        await page.wait_for_selector(f"{opened}:visible")
        found += await obstacles(person, opened)
        await page.keyboard.press("Escape")
        await page.wait_for_selector(opened, state="hidden")
    await page.click("#draw-tickets")
    await page.wait_for_selector("#ask:visible")
    found += await obstacles(person, "asked to draw tickets")
    await page.click("#ask-cancel")
    await page.wait_for_selector("#ask", state="hidden")
    for tab in reversed(await page.locator(".tab:visible").all()):
        await tab.click()
        found += await obstacles(person, await tab.inner_text())
    await open_talk(person)
    found += await obstacles(person, "talk")
    await close_talk(person)
    return found + await obstacles_without_network(person)


async def obstacles_without_network(person: Visitor) -> list[str]:
    person.network_may_fail = True
    await person.page.context.set_offline(True)
    await person.page.wait_for_selector("#connection:visible")
    found = await obstacles(person, "lost connection")
    await person.page.context.set_offline(False)
    await person.page.wait_for_selector("#connection", state="hidden")
    return found
