"""Several people on one device: a curtain between two of them, behind which the page holds nobody's cards."""

import pytest
from httpx import AsyncClient
from playwright.async_api import Error

from harness.browser import FoglineServer
from harness.callers import Json
from tests.browser.api_moves import call, headers_of, token_of
from tests.browser.clicker import Clicker
from tests.browser.visitor import PHONE, Enter, Visitor

NEXT = """() => {
    if (document.readyState !== 'complete' || document.body.hidden) return null;
    if (document.getElementById('curtain')?.open) return 'curtain';
    const { state } = document.body.dataset;
    if (state === 'over') return 'over';
    const mine = document.getElementById('banner').dataset.tone === 'you' && state === 'playing';
    return mine && !document.querySelector('[aria-busy="true"]') ? 'act' : null;
}"""

HELD = """() => {
    const page = document.documentElement.cloneNode(true);
    page.querySelector('#curtain').remove();
    page.querySelector('#connection').remove();
    return page.outerHTML.replaceAll(/ data-(connection|key)="[^"]*"/g, '');
}"""
"""All that the page holds besides the curtain, and what it says of its connection."""

PRIVATE = "#tickets li, #ask-choices li, #chooser-payments label, #log li:not(.log-more), #live span, #hint:not(:empty)"
MARKED = ".claimable, .placeable, .goal, [data-held], #hand button[aria-pressed=true]"


async def next_of(person: Visitor) -> str:
    """What the device waits for: somebody to come to it, a move, or nothing any more."""
    found = await person.page.wait_for_function(NEXT, polling=40, timeout=90_000)
    return str(await found.json_value())


async def come_to_the_curtain(person: Visitor, name: str) -> None:
    """Says to be the one the curtain asks for."""
    title, button = person.page.locator("#curtain h2"), person.page.locator("#curtain button")
    assert await title.inner_text() == f"Pass the device to \u2068{name}\u2069"
    assert await button.inner_text() == f"I am \u2068{name}\u2069: show my cards"
    await button.click()
    await person.page.wait_for_selector("#curtain", state="hidden")


async def asked_for(person: Visitor) -> str:
    title = await person.page.inner_text("#curtain h2")
    return "Ana" if "Ana" in title else "Ben"


async def views_of(person: Visitor, code: str) -> list[Json]:
    """What the two people of a device may know."""
    async with AsyncClient(base_url=f"{person.address}/api/v1/rooms/{code}", timeout=20) as client:
        headers = headers_of(await token_of(person))
        return [(await client.get(f"/view?seat={seat}", headers=headers)).json() for seat in (0, 1)]


async def check_that_nothing_is_held(person: Visitor) -> str:
    """All that is in the page behind the curtain, which has no place for anybody's cards."""
    page = person.page
    await person.drawn()
    assert await page.locator(PRIVATE).count() == 0
    assert await page.locator(MARKED).count() == 0
    assert await page.title() == f"Table {page.url.rpartition('/')[2]} – Fogline"
    assert await page.evaluate("document.elementFromPoint(innerWidth / 2, 20).id") == "curtain"
    return str(await page.evaluate(HELD))


async def shared_table(person: Visitor, board: str = "flood", bots: int = 1) -> str:
    """A table with a second person on the device, who was added in the lobby."""
    await call(person, "players", name=person.name)
    made = await call(person, "rooms", seats=2 + bots, board=board, pass_and_play=True)
    await person.page.goto(f"{person.address}/t/{made['code']}")
    await person.page.fill("#guest-name", "Ben")
    await person.page.click("#guest-add")
    await person.page.wait_for_selector(".seat[data-seat='1'] bdi:text-is('Ben')")
    await person.add_bots(*range(2, 2 + bots))
    return str(made["code"])


async def act(player: Clicker) -> None:
    """One move, after which the page may come anew."""
    try:
        await player.act()
    except Error as error:
        if "context was destroyed" not in str(error):
            raise


@pytest.mark.slow
async def test_two_on_one_device_and_a_bot_play_a_whole_game(come: Enter, own_server: FoglineServer) -> None:
    ana = await come("Ana", address=own_server.address, viewport=PHONE)
    code = await shared_table(ana)
    await ana.page.click("#start")
    player, shown, held = Clicker(ana, 2), "", set[str]()
    curtains, restarted = 0, False
    while (state := await next_of(ana)) != "over":
        if state == "act":
            assert shown
            await act(player)
            continue
        curtains += 1
        now = await check_that_nothing_is_held(ana)
        if curtains > 1:  # before the first one the page showed the lobby
            held.add(now)
        asked = await asked_for(ana)
        assert asked != shown or restarted
        if curtains == 4:
            ana.network_may_fail = restarted = True
            own_server.kill()
            own_server.start()
            await ana.page.wait_for_selector("body[data-connection=live]", state="attached")
            assert await ana.page.locator("#curtain[open]").count() == 1
        await come_to_the_curtain(ana, asked)
        shown = asked
        view = (await views_of(ana, code))[shown == "Ben"]
        await ana.page.wait_for_selector(f"#panel-hand h2:has-text('{sum(view['hand'].values())}')", state="attached")
        assert await ana.page.locator("#tickets .ticket").count() == len(view["tickets"])
    assert curtains > 6
    first, *others = [set(each.splitlines()) for each in held]
    differ = [first ^ each for each in others]
    assert differ == [], "whatever was in the hands, the page behind the curtain is the same to the letter"
    await ana.page.wait_for_selector("#panel-scores:not([hidden]) .result")
    await ana.page.wait_for_selector("#shuffle-news[data-verdict=right]", state="attached")


async def test_a_curtain_stays_until_the_right_person_comes(come: Enter) -> None:
    ana = await come("Ana", viewport=PHONE, color_scheme="dark")
    code = await shared_table(ana, bots=0)
    await ana.page.click("#start")
    page = ana.page
    assert await next_of(ana) == "curtain"
    await check_that_nothing_is_held(ana)
    for key in ("Escape", "Escape", "Enter", " "):
        await page.keyboard.press(key)
    assert await page.evaluate("document.activeElement.closest('#curtain') !== null")
    assert await page.locator("#curtain[open]").count() == 1, "who presses a key once too often shows nobody's cards"
    for _ in range(5):
        await page.keyboard.press("Tab")
        assert await page.evaluate("document.activeElement.matches('body, #curtain *, #curtain')")
    assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    await page.reload()
    assert await next_of(ana) == "curtain"
    await check_that_nothing_is_held(ana)
    await page.focus("#curtain button")
    await page.keyboard.press("Enter")
    await page.wait_for_selector("#ask-choices li")
    assert await page.evaluate("document.body.dataset.state") == "playing"
    await page.goto(f"{ana.address}/rules")
    await page.go_back()
    assert await next_of(ana) == "curtain", "the way back shows no cards"
    await check_that_nothing_is_held(ana)
    await come_to_the_curtain(ana, "Ana")
    await act(Clicker(ana, 2))
    assert await next_of(ana) == "curtain"
    assert await asked_for(ana) == "Ben"
    await check_that_nothing_is_held(ana)
    ana_view, ben_view = await views_of(ana, code)
    assert ana_view["tickets"]
    assert ben_view["offer"]
    await come_to_the_curtain(ana, "Ben")
    keys = await page.locator("#ask-choices > li").evaluate_all("all => all.map(each => each.dataset.key)")
    assert set(keys) == set(ben_view["offer"])


@pytest.mark.slow
async def test_the_lobby_of_a_shared_table(come: Enter) -> None:
    ana, cal = await come("Ana", viewport=PHONE), await come("Cal", viewport=PHONE)
    await ana.open_home()
    await ana.page.check("#pass-and-play")
    link = await ana.open_table(4, keep=True)
    await ana.page.click("#guest-add")
    await ana.page.wait_for_selector("#guest-trouble:visible")
    await ana.page.fill("#guest-name", "Ben")
    await ana.page.keyboard.press("Enter")
    ben = ".seat[data-seat='1']"
    await ana.page.wait_for_selector(f"{ben} .seat-device:text-is('on the device of \u2068Ana\u2069')")
    await cal.sit_down(link)
    await cal.page.fill("#guest-name", "Dan")
    await cal.page.click("#guest-add")
    free = ".seat[data-seat='3'] .guest-free"
    await cal.page.wait_for_selector(f"{free}:visible")
    assert not await cal.page.is_visible(f"{ben} :is(.seat-free, .guest-free)"), "only one's own guests"
    assert not await cal.page.is_visible("#guest"), "no seat is left"
    assert await cal.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    await cal.page.click(free)
    await cal.page.wait_for_selector("#guest:visible")
    await ana.page.click(f"{ben} .seat-free")
    await ana.page.wait_for_selector(f"{ben}[data-kind=free]")


async def test_at_other_tables_nothing_is_said_of_guests(come: Enter) -> None:
    ana = await come("Ana")
    await ana.open_table(2)
    assert await ana.page.locator("#guest, #curtain").count() == 0
