"""Contrast themes, in which the system's colors replace ours, and the wish for more contrast."""

import pytest
from playwright.async_api import Locator

from harness.browser import FoglineServer
from tests.browser.api_moves import begin_with_bot
from tests.browser.measures import advance
from tests.browser.visitor import PHONE, READY, Enter, Visitor

SHAPE = """element => {
    const told = ['', '::before', '::after'].map((part) => {
        const looks = getComputedStyle(element, part);
        const sides = ['top', 'right', 'bottom', 'left'];
        const border = (side) => [looks[`border-${side}-width`], looks[`border-${side}-style`]];
        return [...sides.map(border), looks.content, looks.textDecorationLine];
    });
    const inside = [...element.querySelectorAll('.icon, .tick > *')].map((each) => getComputedStyle(each).visibility);
    return JSON.stringify([told, inside]);
}"""
"""What an element looks like when no color, no ground and no shadow is seen."""

CONTRAST = """([selector, property]) => {
    const element = document.querySelector(selector);
    const channels = (color) => color.match(/[\\d.]+/g).slice(0, 3).map(Number);
    const part = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    const light = (color) => {
        const [red, green, blue] = channels(color).map(part);
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    let ground = element;
    while (getComputedStyle(ground).backgroundColor === 'rgba(0, 0, 0, 0)') ground = ground.parentElement;
    const looks = [getComputedStyle(element)[property], getComputedStyle(ground).backgroundColor].map(light);
    return (Math.max(...looks) + 0.05) / (Math.min(...looks) + 0.05);
}"""


async def shape(element: Locator) -> str:
    return str(await element.first.evaluate(SHAPE))


async def told_apart(person: Visitor, chosen: str, other: str) -> list[str]:
    """Nothing if two elements, which are both there, differ in more than colors."""
    await person.drawn()
    one, another = (person.page.locator(selector) for selector in (chosen, other))
    return [] if await shape(one) != await shape(another) else [f"{chosen} looks like {other}"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_every_state_has_a_sign_beside_its_color(come: Enter, server: FoglineServer, scheme: str) -> None:
    person = await come("Ana", forced_colors="active", color_scheme=scheme, viewport=PHONE)
    page = person.page
    await page.goto(server.address)
    await page.wait_for_selector(READY)
    found = await told_apart(person, ".seat-choice :checked + span", ".seat-choice input:not(:checked) + span")
    await person.open_table(2)
    await page.wait_for_selector("#start[aria-disabled]")
    found += await told_apart(person, "#start", ".seat-bot")
    await person.add_bots(1)
    await page.click("#start")
    await page.wait_for_selector("#ask:visible")
    await page.locator("#ask-choices .ticket").first.click()
    found += await told_apart(person, "#ask .ticket[aria-pressed=true]", "#ask .ticket[aria-pressed=false]")
    found += await told_apart(person, "[aria-pressed=true] > .tick", "[aria-pressed=false] > .tick")
    found += await told_apart(person, ".tab[aria-selected=true]", ".tab[aria-selected=false]")
    found += await told_apart(person, ".side-tab[aria-selected=true]", ".side-tab[aria-selected=false]")
    assert found == []


@pytest.mark.slow
async def test_every_state_of_a_turn_has_a_sign_beside_its_color(come: Enter) -> None:
    person = await come("Ana", forced_colors="active")
    page = person.page
    await begin_with_bot(person)
    await advance(person, 12)
    found = await told_apart(person, ".player[aria-current=true]", ".player:not([aria-current])")
    await page.locator("#tickets .ticket").first.click()
    await page.locator(".hand .card:not([aria-disabled])").first.click()
    found += await told_apart(person, "#tickets .ticket[aria-pressed=true]", "#tickets .ticket[aria-pressed=false]")
    found += await told_apart(person, ".hand .card[aria-pressed=true]", ".hand .card[aria-pressed=false]")
    await page.keyboard.press("Escape")
    found += await chooser_states(person)
    await advance(person, -1)
    await page.wait_for_selector(".result[data-rank='1']")
    found += await told_apart(person, ".result[data-rank='1']", ".result:not([data-rank='1'])")
    assert found == []


async def chooser_states(person: Visitor) -> list[str]:
    """Of a route that can be paid in two ways, which is made up from one that can't."""
    await person.page.locator(".route.claimable").first.focus()
    await person.page.keyboard.press("Enter")
    await person.page.wait_for_selector("#chooser:visible")
    await person.page.evaluate(
        """() => {
            const choices = document.getElementById('chooser-payments');
            const other = choices.querySelector('.choice').cloneNode(true);
            Object.assign(other.querySelector('input'), { value: '9', checked: true });
            choices.append(other);
        }"""
    )
    chosen, other = ".choice :checked + span", ".choice input:not(:checked) + span"
    return await told_apart(person, f"#chooser-payments {chosen}", f"#chooser-payments {other}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_who_wishes_for_more_contrast_gets_it(come: Enter, server: FoglineServer, scheme: str) -> None:
    person = await come("Ana", color_scheme=scheme)
    await person.page.goto(server.address)
    await person.page.wait_for_selector(READY)
    lines = [".seat-choice input:not(:checked) + span", "borderTopColor"]
    aside = ["#create .aside", "color"]
    assert await person.page.evaluate(CONTRAST, lines) < 3
    await person.page.emulate_media(contrast="more")
    assert await person.page.evaluate(CONTRAST, lines) > 3
    assert await person.page.evaluate(CONTRAST, aside) > 10
