"""The board is panned and zoomed by mouse, fingers and keys, none of which claims a route."""

from typing import Any, Literal

import pytest
from playwright.async_api import Mouse

from tests.browser.api_moves import begin_with_bot, play_while
from tests.browser.visitor import PHONE, Enter, Visitor

PLACE = """() => {
    const { a: scale, e: x, f: y } = new DOMMatrix(document.getElementById('map-sheet').style.transform || 'none');
    return { scale, x, y };
}"""
SEA = (150, 90)
"""Where nothing lies, closer or not."""

INSIDE = """() => {
    const glass = document.getElementById('map').getBoundingClientRect();
    const { left, right, top, bottom } = document.activeElement.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    return x > glass.left && x < glass.right && y > glass.top && y < glass.bottom;
}"""


async def place(person: Visitor) -> Any:
    """How the board lies under the glass."""
    return await person.page.evaluate(PLACE)


async def check_nothing_was_picked(person: Visitor, version: str) -> None:
    """Nor played since the table had this version."""
    assert await person.has_stayed_at(version)
    assert await person.page.locator("#chooser:visible, #hint:visible, .route.selected").count() == 0


async def test_a_mouse_brings_closer_by_its_wheel_and_pans_by_dragging(come: Enter) -> None:
    person = await come("Ana")
    await begin_with_bot(person)
    mouse, version = person.page.mouse, await person.version()
    box = await person.page.locator(".route.claimable .space").first.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    await mouse.move(x, y)
    await mouse.wheel(0, -400)
    await person.page.wait_for_selector(".map[data-zoomed]")
    close = await place(person)
    await mouse.down()
    await mouse.move(x - 60, y - 40, steps=4)
    await mouse.up()
    moved = await place(person)
    assert close["scale"] == moved["scale"] > 2
    assert (moved["x"], moved["y"]) == pytest.approx((close["x"] - 60, close["y"] - 40), abs=1)
    await mouse.move(x, y)
    await mouse.wheel(0, 2000)
    await person.page.wait_for_selector(".map:not([data-zoomed])")
    await check_nothing_was_picked(person, version)


async def test_the_map_can_be_moved_while_a_chooser_is_open_and_a_tap_on_it_puts_the_choice_back(come: Enter) -> None:
    person = await come("Ana")
    await begin_with_bot(person)
    page, mouse = person.page, person.page.mouse
    await page.locator(".route.claimable .space").first.click()
    await page.wait_for_selector("#chooser:visible")
    await page.click("#zoom-in")
    before = await place(person)
    await drag(mouse, "left")
    assert (await place(person))["x"] == pytest.approx(before["x"] - 60, abs=1)
    await person.drawn()
    assert await page.is_visible("#chooser")
    await mouse.click(*SEA)
    await page.wait_for_selector("#chooser", state="hidden")


async def test_only_the_first_button_of_a_mouse_moves_the_map(come: Enter) -> None:
    person = await come("Ana")
    await begin_with_bot(person)
    await person.page.click("#zoom-in")
    before = await place(person)
    await drag(person.page.mouse, "right")
    assert await place(person) == before


async def drag(mouse: Mouse, button: Literal["left", "right"]) -> None:
    """From the sea to the left."""
    x, y = SEA
    await mouse.move(x, y)
    await mouse.down(button=button)
    await mouse.move(x - 60, y, steps=4)
    await mouse.up(button=button)


async def test_K15_fingers_pinch_and_pan_and_never_claim(come: Enter) -> None:
    person = await come("Ana", viewport=PHONE, has_touch=True, is_mobile=True)
    await begin_with_bot(person)
    version = await person.version()
    touch = await person.page.context.new_cdp_session(person.page)

    async def send(kind: str, *points: tuple[float, float]) -> None:
        fingers = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(points)]
        await touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})

    await send("touchStart", (170, 180))
    await send("touchStart", (170, 180), (190, 200))
    for step in range(1, 7):
        await send("touchMove", (170 - 8 * step, 180 - 8 * step), (190 + 8 * step, 200 + 8 * step))
    await send("touchEnd", (122, 132))
    await send("touchEnd")
    close = await place(person)
    assert close["scale"] > 2
    await send("touchStart", (180, 200))
    for step in range(1, 7):
        await send("touchMove", (180 - 10 * step, 200))
    await send("touchEnd")
    moved = await place(person)
    assert moved["scale"] == close["scale"]
    assert moved["x"] < close["x"] - 40
    await check_nothing_was_picked(person, version)


async def test_why_a_route_can_not_be_claimed_is_said_no_longer_when_somebody_has_moved(come: Enter) -> None:
    person = await come("Ana", viewport=PHONE, has_touch=True, is_mobile=True)
    await begin_with_bot(person)
    await person.page.locator(".route:not(.claimable) .space").first.tap()
    await person.page.wait_for_selector("#hint:visible")
    await person.settle(person.page.tap("#deck"))
    await person.page.wait_for_selector("#hint", state="hidden")


async def test_what_the_board_has_said_goes_with_the_next_touch(come: Enter) -> None:
    person = await come("Ana", viewport=PHONE, has_touch=True, is_mobile=True)
    await begin_with_bot(person)
    for away in ("#map-sheet .compass", "#hand .card[data-held]"):
        await person.page.locator(".route:not(.claimable) .space").first.tap()
        await person.page.wait_for_selector("#hint:visible")
        await person.page.locator(away).first.tap(force=True)
        await person.page.wait_for_selector("#hint", state="hidden")


@pytest.mark.slow
async def test_a_location_says_what_it_takes_to_place_a_stack(come: Enter) -> None:
    """Of two players, the last one places both stacks."""
    ana, bo = await come("Ana"), await come("Bo")
    await bo.sit_down(await ana.open_table(2))
    await ana.page.click("#start")
    await ana.page.wait_for_selector("#ask:visible")
    await play_while([ana, bo], lambda view: view["phase"] != "tokens")
    last = ana if await places(ana) else bo
    await last.page.locator(".location.placeable .hit").first.click()
    await last.page.wait_for_selector("#hint:has-text('Pick one')")
    await last.page.locator("#ask-choices button").first.click()
    await last.settle(last.page.locator(".location.placeable .hit").first.click())
    await last.page.wait_for_selector("#banner-help:text-is('Tap a free location on the map.')")
    await last.page.locator(".location:not(.placeable) .mark").first.click()
    await last.page.wait_for_selector("#hint:has-text('Tap a free location')")
    await last.settle(last.page.locator(".location.placeable .hit").first.click())


async def places(person: Visitor) -> bool:
    """Whether it is this one who places the stacks."""
    await person.page.wait_for_selector("body[data-phase=tokens]")
    return await person.page.get_attribute("#banner", "data-tone") == "you"


async def test_keys_zoom_and_pan_and_what_they_reach_comes_into_view(come: Enter) -> None:
    person = await come("Ana")
    await begin_with_bot(person)
    keyboard, version = person.page.keyboard, await person.version()
    await person.page.focus(".route[tabindex='0']")
    for _ in range(3):
        await keyboard.press("+")
    close = await place(person)
    assert close["scale"] == pytest.approx(1.6**3)
    await keyboard.press("Shift+ArrowRight")
    await keyboard.press("Shift+ArrowDown")
    moved = await place(person)
    assert (moved["x"], moved["y"]) == pytest.approx((close["x"] - 80, close["y"] - 80))
    for _ in range(12):
        await keyboard.press("ArrowRight")
        assert await person.page.evaluate(INSIDE)
    assert await person.page.evaluate("document.getElementById('map').scrollTop") == 0
    await keyboard.press("0")
    await person.page.wait_for_selector(".map:not([data-zoomed])")
    await check_nothing_was_picked(person, version)
