"""A color of the hand: picked, or dragged onto a route."""

from tests.browser.api_moves import begin_with_bot
from tests.browser.test_page import open_chooser
from tests.browser.visitor import PHONE, Enter, Visitor

PLAYABLE = ".hand .card:not([aria-disabled])"


async def test_a_color_of_the_hand_lights_what_it_can_claim(come: Enter) -> None:
    person = await come("Ana")
    player = await begin_with_bot(person)
    while await person.next_turn() == "act" and not await person.page.locator(PLAYABLE).count():
        await player.act()
    card = person.page.locator(PLAYABLE).first
    before = await person.page.locator(".route.claimable").count()
    await card.click()
    await person.page.wait_for_selector(".hand .card[aria-pressed=true]")
    assert 0 < await person.page.locator(".route.claimable").count() <= before
    color = await card.get_attribute("data-color")
    await open_chooser(person)
    checked = person.page.locator(f".choice:has(input:checked) .chip[data-color='{color}']")
    assert await checked.count() == 1


async def middle(person: Visitor, selector: str) -> dict[str, float]:
    """A point inside the first space of a route, or inside a card."""
    box = await person.page.locator(selector).first.bounding_box()
    assert box is not None
    return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}


async def drag_color(person: Visitor) -> tuple[str, dict[str, float], dict[str, float]]:
    """A color of the hand with a route it can claim: the color, where it is, and where the route is."""
    player = await begin_with_bot(person)
    while not await person.page.locator(PLAYABLE).count():
        await player.act()
        await person.next_turn()
    card = person.page.locator(PLAYABLE).first
    await card.click()
    await person.page.wait_for_selector(".hand .card[aria-pressed=true]")
    there = await middle(person, ".route.claimable .space")
    await card.click()
    await person.drawn()
    return str(await card.get_attribute("data-color")), await middle(person, PLAYABLE), there


async def test_a_color_is_dragged_onto_a_route_and_put_back_elsewhere(come: Enter) -> None:
    person = await come("Ana")
    color, here, there = await drag_color(person)
    mouse = person.page.mouse
    for put_back in (False, True):
        await mouse.move(here["x"], here["y"])
        await mouse.down()
        await mouse.move(there["x"], there["y"], steps=5)
        await person.page.wait_for_selector(".route.aimed")
        if put_back:
            await person.page.keyboard.press("Escape")
        await mouse.up()
        await person.drawn()
        assert await person.page.is_visible("#chooser") is not put_back
        if not put_back:
            assert await person.page.locator(f".choice:has(input:checked) .chip[data-color='{color}']").count() == 1
            await person.page.click("#chooser-close")
            await person.page.keyboard.press("Escape")
            await person.drawn()
    assert await person.page.locator(".dragged, [aria-pressed=true].card").count() == 0


async def test_a_finger_drags_a_color_and_nothing_scrolls_or_pans(come: Enter) -> None:
    person = await come("Ana", viewport=PHONE, has_touch=True, is_mobile=True)
    _, here, there = await drag_color(person)
    touch = await person.page.context.new_cdp_session(person.page)

    async def send(kind: str, *points: dict[str, float]) -> None:
        await touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    await send("touchStart", here)
    for step in range(1, 9):
        await send("touchMove", {side: here[side] + (there[side] - here[side]) * step / 8 for side in here})
    await send("touchEnd")
    await person.page.wait_for_selector("#chooser:visible")
    await person.drawn()
    assert await person.page.evaluate("document.querySelector('.side').scrollTop + scrollY") == 0
    assert not await person.page.locator(".map[data-zoomed]").count()
