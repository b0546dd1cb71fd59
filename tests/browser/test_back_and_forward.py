"""Going back, forward and away in the browser's history: nothing is made twice, skipped or lost."""

import re

import pytest
from playwright.async_api import Page, WebSocketRoute

from harness.browser import FoglineServer
from tests.browser.api_moves import begin_with_bot
from tests.browser.visitor import Enter, Visitor

CHOICES = "#ask-choices button"


async def with_first_tickets(person: Visitor) -> str:
    """A game against one bot, at the choice of the first tickets. Gives its address."""
    link = await person.open_table(2)
    await person.page.click(".seat[data-seat='1'] .seat-bot")
    await person.page.wait_for_selector(".seat[data-kind=bot]")
    await person.page.click("#start")
    await person.page.wait_for_selector(f"{CHOICES} >> nth=1")
    return link


async def offered(page: Page) -> list[str]:
    await page.wait_for_selector(f"{CHOICES} >> nth=1")
    return await page.locator(CHOICES).all_inner_texts()


@pytest.mark.slow
async def test_BUG315_BUG505_a_pending_choice_survives_back_and_reload(come: Enter, server: FoglineServer) -> None:
    person = await come("Ana")
    await with_first_tickets(person)
    before = await offered(person.page)
    await person.page.reload()
    assert await offered(person.page) == before
    await person.page.goto(server.address)
    await person.page.go_back()
    assert await offered(person.page) == before
    assert await person.page.locator("#tickets .ticket").count() == 0
    assert await person.page.get_attribute("#ask-confirm", "aria-disabled") == "true"


async def test_BUG710_back_and_forward_make_no_second_table(come: Enter, server: FoglineServer) -> None:
    person = await come("Ana")
    link = await person.open_table(3)
    await person.page.go_back()
    await person.page.go_forward()
    await person.page.wait_for_selector("#start:visible")
    assert person.page.url == link
    await person.page.goto(server.address)
    await person.page.wait_for_selector("#mine a")
    assert await person.page.locator("#mine a").count() == 1


@pytest.mark.slow
async def test_BUG912_a_line_that_was_closed_as_too_slow_comes_back(come: Enter) -> None:
    person = await come("Ana")
    lines: list[WebSocketRoute] = []

    def pass_on(line: WebSocketRoute) -> None:
        line.connect_to_server()
        lines.append(line)

    await person.page.route_web_socket(re.compile("/ws/v1/"), pass_on)
    await begin_with_bot(person)
    await lines[-1].close(code=1008, reason="too slow")
    await person.page.wait_for_selector("body[data-connection=lost]")
    await person.page.wait_for_selector("body[data-connection=live]")
    await person.settle(person.page.click("#deck"))
