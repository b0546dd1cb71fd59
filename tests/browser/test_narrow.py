"""Low windows, phones with a notch, and letters larger than usual: everything can be read and reached."""

import pytest

from harness.browser import FoglineServer
from harness.callers import Json
from tests.browser.api_moves import begin_with_bot, open_talk, retold
from tests.browser.measures import advance
from tests.browser.test_sizes import bring_the_last_turns, measured
from tests.browser.visitor import PHONE, READY, Enter, Visitor

LOW = [(412, 400), (360, 330), (320, 256)]
"""A split screen, a phone with its keyboard open, and a zoom of 400 %."""

NOTCHED = {
    (844, 390): {"top": 0, "right": 47, "bottom": 21, "left": 47},
    (390, 844): {"top": 47, "right": 0, "bottom": 34, "left": 0},
    (700, 390): {"top": 0, "right": 47, "bottom": 34, "left": 47},
}
"""The insets of screens."""

IN_INSETS = """insets => {
    const { clientWidth: width, clientHeight: height } = document.documentElement;
    const found = [];
    const controls = [...document.querySelectorAll('button, a, input, select, summary, .card, .banner-title')];
    const panels = [...document.querySelectorAll('#chooser, #menu[open], .phrases')];
    const open = panels.find((each) => each.offsetHeight > 0);
    for (const control of controls.filter((each) => (open ?? document).contains(each))) {
        const target = control.closest('label') ?? control;
        if (!target.checkVisibility({ visibilityProperty: true }) || target.closest('.unseen')) continue;
        target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
        const { left, top, right, bottom } = target.getBoundingClientRect();
        const out = left < insets.left - 1 || top < insets.top - 1
            || right > width - insets.right + 1 || bottom > height - insets.bottom + 1;
        const name = control.id || control.className || control.textContent;
        if (out) found.push(`${name} at ${[left, top, right, bottom]}`);
    }
    return found;
}"""

BOARD_WIDTH = "document.querySelector('.board').getBoundingClientRect().width"
SIDEWAYS = """[...document.querySelectorAll('html, .side, .log, .lines, .chooser, .ask, .leaflet, .front')]
    .filter((box) => box.scrollWidth > box.clientWidth && box.clientHeight > 0)
    .map((box) => `${box.className || box.tagName} scrolls sideways`)"""


SCROLLED_AWAY = ("banner-title is covered", "is out of sight")
"""A low window doesn't show everything at once."""


async def faults_in_low_windows(person: Visitor, place: str) -> list[str]:
    """Those in each size, from the top of the page."""
    found = []
    for width, height in LOW:
        await person.page.set_viewport_size({"width": width, "height": height})
        await person.page.evaluate("scrollTo(0, 0)")
        found += await faults_of_scrolled(person, f"{width}x{height} {place}")
        found += await measured(person, f"{width}x{height} {place}", SIDEWAYS)
        if await person.page.locator("#map").count() and await person.page.evaluate(BOARD_WIDTH) < 0.9 * width:
            found.append(f"{width}x{height} {place}: the board is {await person.page.evaluate(BOARD_WIDTH)} wide")
    return found


async def faults_of_scrolled(person: Visitor, place: str) -> list[str]:
    return [fault for fault in await measured(person, place) if not fault.endswith(SCROLLED_AWAY)]


async def test_a_low_window_scrolls_one_way_and_shows_the_board(come: Enter, server: FoglineServer) -> None:
    person = await come("Ana", viewport={"width": 412, "height": 400})
    page = person.page
    found = []
    for path in ("", "rules"):
        await page.goto(f"{server.address}/{path}")
        await page.wait_for_selector(READY)
        found += await faults_in_low_windows(person, path or "home")
    await person.open_table(2)
    found += await faults_in_low_windows(person, "lobby")
    await person.add_bots(1)
    await page.click("#start")
    await page.wait_for_selector("#ask:visible")
    found += await faults_in_low_windows(person, "first tickets")
    await begin_with_bot(person)
    found += await faults_in_low_windows(person, "turn")
    await open_talk(person)
    await page.click(".say-open")
    found += await faults_in_low_windows(person, "talk")
    assert found == [], "\n".join(found)


async def test_a_wheel_scrolls_a_low_window_over_the_board(come: Enter) -> None:
    person = await come("Ana", viewport={"width": 320, "height": 256})
    await begin_with_bot(person)
    await person.page.mouse.move(160, 180)
    await person.page.mouse.wheel(0, 200)
    await person.page.wait_for_function("() => scrollY > 50")
    assert await person.page.get_attribute("#map", "data-zoomed") is None


async def lie_in_insets(person: Visitor, place: str, size: tuple[int, int]) -> list[str]:
    await person.drawn()
    return [f"{place}: {fault}" for fault in await person.page.evaluate(IN_INSETS, NOTCHED[size])]


@pytest.mark.parametrize("size", NOTCHED)
async def test_nothing_to_touch_lies_beside_a_notch(come: Enter, server: FoglineServer, size: tuple[int, int]) -> None:
    person = await come("Ana", viewport={"width": size[0], "height": size[1]})
    page = person.page
    devices = await page.context.new_cdp_session(page)
    await devices.send("Emulation.setSafeAreaInsetsOverride", {"insets": NOTCHED[size]})
    await page.goto(server.address)
    await page.wait_for_selector(READY)
    assert await page.evaluate("parseFloat(getComputedStyle(document.body).paddingBottom)") == NOTCHED[size]["bottom"]
    found = await lie_in_insets(person, "home", size)
    await person.open_table(2)
    found += await lie_in_insets(person, "lobby", size)
    await person.add_bots(1)
    await page.click("#start")
    await page.wait_for_selector("#ask:visible")
    found += await lie_in_insets(person, "first tickets", size)
    await begin_with_bot(person)
    found += await lie_in_insets(person, "turn", size)
    await page.click("#menu summary")
    await page.wait_for_selector(READY)
    found += await lie_in_insets(person, "menu", size)
    await page.keyboard.press("Escape")
    await open_talk(person)
    found += await lie_in_insets(person, "phrases", size)
    assert found == [], "\n".join(found)


def last_turn_of_another(told: Json) -> None:
    """It is the other's turn, who has brought the last turns, and both names are as long as names may be."""
    bring_the_last_turns(told)
    for seat in told["room"]["seats"]:
        seat["name"] = "Wilhelmina von und zu XY"
    told["view"]["to_act"] = [1]


TITLE = """() => {
    const [title, banner] = ['banner-title', 'banner'].map((id) => document.getElementById(id).getBoundingClientRect());
    const { scrollHeight, clientHeight } = document.getElementById('banner-title');
    return [title.top >= 0, title.bottom <= banner.bottom, scrollHeight <= clientHeight + 2, title.width > 100];
}"""


@pytest.mark.parametrize("language", ["en", "it", "cs", "ro", "da"])
async def test_whose_turn_it_is_can_be_read_in_the_last_turns(come: Enter, language: str) -> None:
    person = await come("Ana", locale=language, viewport=PHONE)
    await begin_with_bot(person)
    await person.page.route_web_socket("**/ws/v1/**", retold(last_turn_of_another))
    await person.page.reload()
    await person.page.wait_for_selector("#last-by:has-text('Wilhelmina')")
    for width in (320, 360, 390):
        await person.page.set_viewport_size({"width": width, "height": 640})
        await person.drawn()
        assert await person.page.evaluate(TITLE) == [True] * 4, width


async def larger_letters(person: Visitor) -> None:
    """As in a browser whose usual letters have 24 pixels instead of 16."""
    devices = await person.page.context.new_cdp_session(person.page)
    await devices.send("Page.setFontSizes", {"fontSizes": {"standard": 24}})


FONTS = """() => [...document.querySelectorAll('body *')]
    .filter((each) => !each.closest('svg, noscript') && each.checkVisibility() && [...each.childNodes].some(
        (node) => node.nodeType === 3 && node.data.trim()))
    .map((each) => parseFloat(getComputedStyle(each).fontSize))"""


@pytest.mark.parametrize("width", [360, 1280])
async def test_letters_follow_the_size_that_the_browser_is_set_to(
    come: Enter, server: FoglineServer, width: int
) -> None:
    person = await come("Ana", viewport={"width": width, "height": 720})
    page = person.page
    await page.goto(f"{server.address}/rules")
    before = min(await page.evaluate(FONTS))
    await larger_letters(person)
    await page.reload()
    assert min(await page.evaluate(FONTS)) == pytest.approx(before * 1.5, abs=0.1)
    await page.goto(server.address)
    await page.wait_for_selector(READY)
    assert min(await page.evaluate(FONTS)) > 16
    found = await measured(person, "home")
    await person.open_table(2)
    assert min(await page.evaluate(FONTS)) > 16
    found += await measured(person, "lobby")
    await begin_with_bot(person)
    assert min(await page.evaluate(FONTS)) > 16
    found += await measured(person, "turn")
    assert found == [], "\n".join(found)


@pytest.mark.slow
async def test_the_end_of_a_game_with_larger_letters(come: Enter) -> None:
    person = await come("Ana", viewport=PHONE)
    await larger_letters(person)
    await begin_with_bot(person)
    await advance(person, -1)
    await person.page.wait_for_selector(".result")
    found = await faults_of_scrolled(person, "over")
    assert found == [], "\n".join(found)
