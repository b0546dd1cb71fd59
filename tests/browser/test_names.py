"""The players' names can be read in full, and one's own car is marked."""

import pytest

from harness.callers import Json
from tests.browser.api_moves import begin_with_bot, retold
from tests.browser.measures import advance
from tests.browser.test_sizes import SIZES, ZOOMED, faults, measured
from tests.browser.visitor import Enter

ONE_S_OWN_CAR = """() => {
    const [car, words, home] = ['#banner-car', '#banner-title', '.brand'].map((each) =>
        document.querySelector(each).getBoundingClientRect());
    const beside = car.right <= words.left && car.left >= 0 && car.bottom <= home.bottom;
    return car.width >= 24 && beside && document.elementFromPoint(car.left + 9, car.top + 9).closest('.brand') !== null;
}"""
"""Whether it is seen beside the words; what is there is the way home."""


@pytest.mark.parametrize(("width", "height"), [(320, 568), (360, 640), (390, 844)])
async def test_on_a_phone_one_s_own_car_is_seen_at_one_s_turn(come: Enter, width: int, height: int) -> None:
    person = await come("Ana", viewport={"width": width, "height": height})
    await begin_with_bot(person)
    await person.page.wait_for_selector("#banner[data-tone=you]")
    assert await person.page.get_attribute("#banner-car use", "href") == "#car-0"
    assert await person.page.evaluate(ONE_S_OWN_CAR)


CUT_NAMES = """() => [...document.querySelectorAll('.player-name')]
    .filter((name) => name.scrollHeight > name.clientHeight + 1 || name.scrollWidth > name.clientWidth)
    .map((name) => name.textContent)"""


@pytest.mark.slow
async def test_a_name_of_twelve_letters_is_read_whole_in_every_size(come: Enter) -> None:
    person = await come("Ana")
    await person.open_table(4)
    await person.add_bots(1, 2, 3)
    await person.page.click("#start")
    await person.page.wait_for_selector("#ask:visible")
    await advance(person, 9)
    await person.page.route_web_socket("**/ws/v1/**", retold(give_twelve_letters))
    await person.page.reload()
    await person.page.wait_for_selector(".player-name:text-is('Maximiliana3')", state="attached")
    await person.page.evaluate("document.querySelector('.tab[data-tab=players]').click()")
    found = await faults(person, "players")
    for width, height in [*SIZES, *ZOOMED]:
        await person.page.set_viewport_size({"width": width, "height": height})
        found += await measured(person, f"{width}x{height}", CUT_NAMES)
    assert found == [], "\n".join(found)


def give_twelve_letters(told: Json) -> None:
    """Each of a breadth that is usual, beside points of two digits."""
    for player in told["view"]["players"]:
        player["points"] = 30
    for seat, name in zip(
        told["room"]["seats"], ("Wilhelmine12", "Konstantina5", "Christoph 77", "Maximiliana3"), strict=True
    ):
        seat["name"] = name
