"""What the page of a table loads without any cache, as it goes over the wire: from the lobby to moves of every kind."""

import pytest
from playwright.async_api import Response

from harness.browser import FoglineServer
from tests.browser.clicker import Clicker
from tests.browser.visitor import Enter, Visitor

MOST, MOST_SCRIPT = 90 * 1024, 40 * 1024


async def open_cold(person: Visitor, link: str) -> list[Response]:
    """Comes to a page as one who was never there. Gives what is loaded from then on."""
    devices = await person.page.context.new_cdp_session(person.page)
    await devices.send("Network.setCacheDisabled", {"cacheDisabled": True})
    await person.page.goto("about:blank")
    loaded: list[Response] = []

    def note(answer: Response) -> None:
        loaded.append(answer)

    person.page.on("response", note)
    await person.page.goto(link)
    return loaded


async def play_moves_of_every_kind(person: Visitor) -> None:
    """Against a bot, with a look at tickets and at a route that can't be claimed."""
    await person.page.click(".seat[data-seat='1'] .seat-bot")
    await person.page.wait_for_selector(".seat[data-kind=bot]")
    await person.page.click("#start")
    player = Clicker(person, 2)
    while not {"keep", "draw", "claim", "tickets"} <= set(player.done):
        assert await person.next_turn() == "act"
        await player.act()
    await person.next_turn()
    await person.page.locator("#tickets .ticket").first.click()
    await person.page.locator(".route:not(.claimable) .space").first.click()
    await person.page.wait_for_selector("#hint:visible")


def weights_of(loaded: list[Response]) -> dict[str, int]:
    """The bytes of each answer as they are sent."""
    return {answer.url: int(answer.headers["content-length"]) for answer in loaded}


@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.slow), "cs"])
async def test_the_table_page_is_light_and_asks_no_other_host(
    come: Enter, server: FoglineServer, language: str
) -> None:
    person = await come("Ana", locale=language)
    loaded = await open_cold(person, await person.open_table(2))
    await play_moves_of_every_kind(person)
    weights = weights_of(loaded)
    assert all(url.startswith(server.address) for url in weights)
    scripts = {url: weight for url, weight in weights.items() if url.endswith(".js")}
    assert {"lobby.js", "claim-chooser.js", f"{language}.js"} <= {url.rpartition("/")[2] for url in scripts}
    assert sum(scripts.values()) <= MOST_SCRIPT
    assert sum(weights.values()) <= MOST
