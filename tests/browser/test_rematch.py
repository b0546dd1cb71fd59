"""The rematch in browsers: one player asks, everybody sees it, and all get to the same table."""

import pytest

from tests.browser.api_moves import play_to_the_end, play_to_the_last_turns
from tests.browser.visitor import PHONE, Enter

pytestmark = pytest.mark.slow


async def test_one_wants_another_game_and_the_others_join_with_one_tap(come: Enter) -> None:
    ana, bo, cal = await come("Ana"), await come("Bo", viewport=PHONE), await come("Cal")
    link = await ana.open_table(2)
    await bo.sit_down(link)
    await cal.page.goto(link)
    await ana.page.click("#start")
    await play_to_the_last_turns([ana, bo])
    await play_to_the_end([ana, bo])
    await bo.page.click("#again")
    await bo.page.wait_for_url(lambda url: url not in (link, ana.address))
    await bo.page.wait_for_selector("#start:visible")
    for person, control in ((ana, "#again"), (cal, "#watch-next")):
        await person.page.wait_for_selector("#next-asked:has-text('Bo')")
        await person.page.wait_for_selector("#banner-help:has-text('Bo wants another game')")
        await person.page.click(control)
        await person.page.wait_for_url(bo.page.url)
    await ana.page.wait_for_selector(".seat[data-seat='0'] bdi:text-is('Ana')")
    await bo.page.click("#start")
    for person in (ana, bo, cal):
        await person.page.wait_for_selector("body[data-state=playing]")
