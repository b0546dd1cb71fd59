"""Every screen in every size, and at a zoom of 200 %: nothing is lost, covered, small, cut off, or off the screen."""

import pytest

from harness.browser import FoglineServer
from harness.callers import Json
from tests.browser.api_moves import begin_with_bot, close_talk, open_talk, retold
from tests.browser.measures import BOARD_FAULTS, FAULTS, advance
from tests.browser.visitor import PHONE, READY, Enter, Visitor

SIZES = [(360, 640), (390, 844), (844, 390), (768, 1024), (1280, 720), (1920, 1080)]
ZOOMED = [(384, 512), (640, 360), (960, 540)]
"""The larger ones at 200 %."""


async def faults(person: Visitor, place: str) -> list[str]:
    """Those of the page as it stands, in each size; of a turn with all that can be opened."""
    found = []
    for width, height in [*SIZES, *ZOOMED]:
        await person.page.set_viewport_size({"width": width, "height": height})
        here = f"{width}x{height} {place}"
        found += await measured(person, here)
        if place == "turn":
            found += await faults_of_panels(person, here)
    return found


async def measured(person: Visitor, place: str, what: str = FAULTS) -> list[str]:
    await person.drawn()
    return [f"{place}: {fault}" for fault in await person.page.evaluate(what)]


async def faults_of_panels(person: Visitor, place: str) -> list[str]:
    page = person.page
    found = await measured(person, place, BOARD_FAULTS)
    for tab in reversed(await page.locator(".tab:visible").all()):
        await tab.click()
        found += await measured(person, f"{place} {await tab.get_attribute('data-tab')}")
    await open_talk(person)
    found += await measured(person, f"{place} phrases")
    await page.click(".say-open")
    found += await measured(person, f"{place} talk")
    await close_talk(person)
    await page.click("#menu summary")
    await page.wait_for_selector("#theme[aria-label]")
    found += await measured(person, f"{place} menu")
    await page.keyboard.press("Escape")
    await page.focus(".route.claimable")
    await page.keyboard.press("Enter")
    await page.wait_for_selector("#chooser:visible")
    found += await measured(person, f"{place} chooser")
    await page.keyboard.press("Escape")
    await page.click("#draw-tickets")
    found += await measured(person, f"{place} asked to draw tickets")
    await page.keyboard.press("Escape")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "it"])
async def test_nothing_is_lost_in_any_size(come: Enter, server: FoglineServer, language: str) -> None:
    """Of the five languages, Italian says it at the greatest length."""
    person = await come("Wilhelmina von und zu X", locale=language)
    page = person.page
    found = []
    for path in ("", "rules"):
        await page.goto(f"{server.address}/{path}")
        await page.wait_for_selector(READY)
        found += await faults(person, path or "home")
    await person.open_table(4)
    found += await faults(person, "lobby")
    await person.add_bots(1, 2, 3)
    found += await faults(person, "lobby with bots")
    await page.click("#start")
    await page.wait_for_selector("#ask:visible")
    found += await faults(person, "first tickets")
    await advance(person, 9)
    found += await faults(person, "turn")
    await page.click("#draw-tickets")
    await person.settle(page.click("#ask-confirm"))
    found += await faults(person, "tickets to keep")
    await advance(person, -1)
    await page.wait_for_selector(".result")
    found += await faults(person, "over")
    assert found == [], "\n".join(found)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "ro", "da", "it", "cs"])
async def test_the_last_turns_leave_room_for_what_is_to_be_done(come: Enter, language: str) -> None:
    person = await come("Ana", locale=language, viewport=PHONE)
    await begin_with_bot(person)
    await person.page.route_web_socket("**/ws/v1/**", retold(bring_the_last_turns))
    await person.page.reload()
    await person.page.wait_for_selector("#last-by:has-text('Karl')")
    found = await faults(person, "last turns")
    await person.page.click("#draw-tickets")
    await person.settle(person.page.click("#ask-confirm"))
    found += await faults(person, "tickets to keep in the last turns")
    assert found == [], "\n".join(found)


def bring_the_last_turns(told: Json) -> None:
    """The second player has brought them."""
    told["view"]["last_turns"] = 2
    told["events"].append({"version": told["view"]["version"], "seat": 1, "turns": 2, "type": "last_turns_began"})


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "ro"])
async def test_whoever_wins_is_told_whole(come: Enter, language: str) -> None:
    person = await come("Ana", locale=language, viewport=PHONE)
    await begin_with_bot(person)
    await advance(person, -1)
    await person.page.route_web_socket("**/ws/v1/**", retold(lengthen_names))
    await person.page.reload()
    await person.page.wait_for_selector("#banner-title:has-text('Wilhelmina')")
    found = await faults(person, "over")
    assert found == [], "\n".join(found)


def lengthen_names(told: Json) -> None:
    """As long as names may be."""
    for seat in told["room"]["seats"]:
        seat["name"] = "Wilhelmina von und zu XY"


async def test_a_wheel_over_the_sheet_scrolls_it_to_its_end(come: Enter) -> None:
    person = await come("Ana", viewport={"width": 640, "height": 360})
    await person.open_table(4)
    side = await person.page.locator(".side").bounding_box()
    assert side is not None
    await person.page.mouse.move(side["x"] + side["width"] / 2, side["y"] + side["height"] / 2)
    for _ in range(10):
        await person.page.mouse.wheel(0, 300)
    await person.page.wait_for_function(
        "() => document.getElementById('leave').getBoundingClientRect().bottom <= document.documentElement.clientHeight"
    )
