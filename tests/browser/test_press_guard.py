"""A press plays only what could be seen when it began: second taps, long ones and stray ones play nothing."""

from typing import Any

import pytest
from playwright.async_api import CDPSession

from tests.browser.api_moves import begin_with_bot
from tests.browser.visitor import DESKTOP, PHONE, Enter, Visitor

TAP_WHEN_ANSWERED = """async ([control, wait]) => {
    const element = document.querySelector(control);
    const tap = () => {
        element.dispatchEvent(new PointerEvent('pointerdown', { isPrimary: true, bubbles: true }));
        element.click();
    };
    const busy = () => document.querySelector('[aria-busy="true"]') !== null;
    const answered = () => new Promise((done) => {
        const look = () => busy() ? setTimeout(look) : done();
        look();
    });
    tap();
    if (!busy()) await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    await answered();
    if (wait) await new Promise((done) => setTimeout(done, wait));
    tap();
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    await answered();
}"""
"""Taps a control, and taps it again as soon as the answer is drawn, or so many milliseconds after that."""

OPEN_SLOT = "#market [id^=slot]:not([aria-disabled])"
COUNT = "document.querySelectorAll('.count-cards')[document.querySelector('[data-you]').dataset.seat].innerText"


async def cards(person: Visitor) -> int:
    await person.drawn()
    return int(await person.page.evaluate(f"() => {COUNT}"))


@pytest.mark.parametrize("control", ["#deck", OPEN_SLOT])
async def test_the_second_of_two_taps_takes_no_card_that_nobody_has_seen(come: Enter, control: str) -> None:
    person = await come("Ana")
    await begin_with_bot(person)
    before = await cards(person)
    await person.page.evaluate(TAP_WHEN_ANSWERED, [control, 0])
    assert await cards(person) == before + 1


async def test_who_has_had_time_to_look_draws_the_second_card(come: Enter) -> None:
    person = await come("Ana")
    await begin_with_bot(person)
    before = await cards(person)
    await person.page.evaluate(TAP_WHEN_ANSWERED, ["#deck", 320])
    assert await cards(person) == before + 2


async def test_a_key_that_is_held_draws_one_card(come: Enter) -> None:
    person = await come("Ana")
    await begin_with_bot(person)
    before = await cards(person)
    await person.page.focus("#deck")
    for _ in range(20):
        await person.page.keyboard.down("Enter")
        await person.drawn()
    await person.page.keyboard.up("Enter")
    assert await cards(person) == before + 1


async def test_a_screen_reader_presses_without_a_pointer(come: Enter) -> None:
    person = await come("Ana")
    await begin_with_bot(person)
    before = await person.version()
    await person.page.evaluate("document.getElementById('deck').click()")
    await person.page.wait_for_function("before => document.body.dataset.version !== before", arg=before)


@pytest.mark.parametrize(
    ("opening", "confirm"),
    [(".route.claimable .space", "#chooser-claim"), ("#draw-tickets", "#ask-confirm")],
)
async def test_nothing_is_confirmed_by_the_tap_that_asked_for_it(come: Enter, opening: str, confirm: str) -> None:
    person = await come("Ana")
    await begin_with_bot(person)
    before = await person.version()
    both = """async ([opening, confirm]) => {
        const tap = (element) => {
            element.dispatchEvent(new PointerEvent('pointerdown', { isPrimary: true, bubbles: true }));
            element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
        };
        tap(document.querySelector(opening));
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        document.querySelector('#chooser-tokens input')?.click();
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        tap(document.querySelector(confirm));
    }"""
    await person.page.evaluate(both, [opening, confirm])
    assert await person.page.is_visible(confirm)
    assert await person.has_stayed_at(before)
    await person.settle(person.page.click(confirm))


async def touch(session: CDPSession, kind: str, *points: dict[str, float]) -> None:
    await session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})


async def middle_of(person: Visitor, control: str) -> dict[str, float]:
    box = await person.page.locator(control).first.bounding_box()
    assert box is not None
    return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}


@pytest.mark.parametrize("control", ["#deck", OPEN_SLOT])
async def test_a_finger_that_rests_or_is_not_alone_plays_nothing(come: Enter, control: str) -> None:
    person = await come("Ana", viewport=PHONE, has_touch=True, is_mobile=True)
    await begin_with_bot(person)
    before = await person.version()
    await person.page.locator(control).first.click(delay=800)
    assert await person.has_stayed_at(before)
    at = await middle_of(person, control)
    fingers = await person.page.context.new_cdp_session(person.page)
    await touch(fingers, "touchStart", at)
    await person.page.evaluate("() => new Promise((done) => setTimeout(done, 800))")
    await touch(fingers, "touchEnd")
    assert await person.has_stayed_at(before)
    await touch(fingers, "touchStart", at, {"x": at["x"], "y": at["y"] - 60})
    await touch(fingers, "touchEnd")
    assert await person.has_stayed_at(before)
    await person.settle(person.page.locator(control).first.tap())


async def test_the_other_buttons_of_a_mouse_play_nothing_and_a_slow_click_plays(come: Enter) -> None:
    person = await come("Ana", viewport=DESKTOP)
    await begin_with_bot(person)
    before = await person.version()
    for button in ("right", "middle"):
        await person.page.click("#deck", button=button)
    assert await person.has_stayed_at(before)
    await person.settle(person.page.click("#deck", delay=800))


async def test_the_tap_that_adds_a_bot_does_not_remove_it(come: Enter) -> None:
    person = await come("Ana")
    await person.open_table(2)
    await person.page.click(".seat[data-seat='1'] .seat-bot")
    remove: Any = """() => new Promise((done) => {
        const look = () => {
            const free = document.querySelector(".seat[data-kind=bot] .seat-free:not([hidden])");
            if (free) done(free.click());
            else requestAnimationFrame(look);
        };
        look();
    })"""
    await person.page.evaluate(remove)
    await person.drawn()
    assert await person.page.locator("[aria-busy=true]").count() == 0
    assert await person.page.locator(".seat[data-kind=bot]").count() == 1
