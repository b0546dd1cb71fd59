"""The end on a phone, and a log that says when it does not go back to the start."""

import pytest

from harness.browser import FoglineServer
from harness.callers import Json
from harness.page_player import is_over, sit_down
from tests.browser.api_moves import begin_with_bot, retold
from tests.browser.visitor import PHONE, Enter

IN_SIGHT = """(selector) => {
    const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2)?.closest(selector) !== null;
}"""

NETWORK_LIT = """seat => {
    const lit = document.querySelectorAll('.route[data-owner]:not(.dimmed)');
    return document.querySelector('.route.dimmed') && [...lit].every(({ dataset }) => dataset.owner === seat);
}"""


@pytest.mark.slow
async def test_the_end_on_a_phone(come: Enter, server: FoglineServer) -> None:
    person = await come("Emma", viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="no-preference")
    page = person.page
    player = await sit_down(page, server.address)
    await player.play(is_over)
    await page.wait_for_function("() => document.querySelectorAll('.turned').length > 3")
    assert await page.evaluate(IN_SIGHT, "#reveal-skip")
    await page.keyboard.press("Escape")
    await page.wait_for_selector(".result tfoot:visible")
    await person.drawn()
    assert await page.evaluate(IN_SIGHT, ".winner")
    for place in (0, 1):
        result = page.locator(".result").nth(place)
        seat = await result.get_attribute("data-seat")
        await result.scroll_into_view_if_needed()
        await result.tap()
        await page.wait_for_function(NETWORK_LIT, arg=seat)
    await page.tap("#banner")
    await page.wait_for_selector(".route.dimmed", state="detached")


async def test_a_log_that_begins_late_says_so(come: Enter) -> None:
    person = await come("Ana")
    await begin_with_bot(person)
    assert "no longer listed" not in await person.page.inner_text("#log")
    await person.page.route_web_socket("**/ws/v1/**", retold(leave_out_the_beginning))
    await person.page.reload()
    await person.page.wait_for_selector("#log li:has-text('no longer listed')")
    await person.settle(person.page.click("#deck"))
    assert await person.page.locator("#log li:has-text('no longer listed')").count() == 1


def leave_out_the_beginning(told: Json) -> None:
    told["events"] = [event for event in told["events"] if event["version"] > 2]
