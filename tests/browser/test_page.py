"""The pages by themselves: entering, names, choosing, keys, touch, sizes, and what everybody can read."""

import asyncio
import json

import pytest
from playwright.async_api import Route, WebSocketRoute

from tests.browser.api_moves import begin_with_bot
from tests.browser.visitor import DESKTOP, PHONE, Enter, Visitor

AREAS = ("#map", "#market", "#hand", "#tickets", "#players", "#banner")


async def open_chooser(person: Visitor) -> str:
    """Opens the chooser of a claimable route, and gives its id."""
    route = await person.page.locator(".route.claimable").first.get_attribute("id")
    await person.page.locator(f"#{route} .space").first.click()
    await person.page.wait_for_selector("#chooser:visible")
    return str(route)


async def test_what_was_typed_stays_when_it_is_wrong(come: Enter) -> None:
    person = await come("Ana")
    page = person.page
    await person.open_home()
    await page.click("#create-go")
    assert await page.is_visible("#name-trouble")
    await page.fill("#name", "Ana")
    await page.fill("#code", "hello")
    await page.click("#join-go")
    assert "eight" in await page.inner_text("#join-trouble")
    person.network_may_fail = True
    await page.fill("#code", "0000 0000")
    await page.click("#join-go")
    await page.wait_for_selector("#join-trouble:visible")
    assert (await page.input_value("#name"), await page.input_value("#code")) == ("Ana", "0000 0000")
    person.errors = [error for error in person.errors if "404" not in error]


@pytest.mark.slow
async def test_a_name_is_remembered_and_the_way_back_is_one_click(come: Enter) -> None:
    person = await come("Ana")
    link = await person.open_table(3)
    await person.open_home()
    assert await person.page.input_value("#name") == "Ana"
    await person.page.click("#mine a")
    await person.page.wait_for_selector("#start:visible")
    assert person.page.url == link


@pytest.mark.parametrize("name", ["<img src=x onerror=alert(1)>", "</script><svg>", "שלום", "{name} %s", "🚋 Ünal"])
async def test_K13_names_are_shown_as_they_are_everywhere(come: Enter, name: str) -> None:
    person = await come(name[:24])
    await begin_with_bot(person)
    shown = await person.page.locator("bdi", has_text=name[:24]).count()
    assert shown >= 2
    assert await person.page.locator("#players .player bdi").first.inner_text() == name[:24]
    assert await person.page.locator("img:not(.qr), main script").count() == 0


@pytest.mark.slow
async def test_the_lobby_shows_who_comes_and_goes(come: Enter) -> None:
    host, guest = await come("Host"), await come("Guest")
    link = await host.open_table(3)
    await guest.sit_down(link)
    await host.page.wait_for_selector(".seat[data-seat='1'] bdi:text-is('Guest')")
    await guest.page.click("#leave")
    await host.page.wait_for_selector(".seat[data-seat='1'][data-kind=free]")
    await guest.page.click("#sit-down")
    await guest.page.wait_for_selector("#leave:visible")
    await host.look()
    await host.page.click(".seat[data-seat='1'] .seat-free")
    await guest.page.wait_for_selector("#sit:visible")
    assert await guest.page.locator("#start:visible").count() == 0


@pytest.mark.slow
async def test_tabs_of_one_player_have_the_same_seat_in_the_lobby(come: Enter) -> None:
    host, guest = await come("Host"), await come("Guest")
    link = await host.open_table(3)
    await guest.sit_down(link)
    tab = await guest.page.context.new_page()
    await tab.goto(link)
    for leaver, other in ((guest.page, tab), (tab, guest.page)):
        await other.wait_for_selector("#leave:visible")
        await leaver.click("#leave")
        for page in (leaver, other):
            await page.wait_for_selector("#sit:visible")
        await other.click("#sit-down")
        for page in (leaver, other):
            await page.wait_for_selector("#leave:visible")
    await host.look()
    await host.page.click(".seat[data-seat='1'] .seat-free")
    for page in (tab, guest.page):
        await page.wait_for_selector("#sit:visible")


@pytest.mark.slow
async def test_both_tickets_are_on_the_map_and_marks_can_be_taken_back(come: Enter) -> None:
    person, other = await come("Ana"), await come("Bo")
    await other.sit_down(await person.open_table(2))
    await person.page.wait_for_selector(".seat[data-seat='1'][data-kind=human]")
    await person.page.click("#start")
    choices = person.page.locator("#ask-choices button")
    await choices.first.click()
    await person.page.mouse.move(5, 300)
    await person.drawn()
    assert await person.page.locator(".location.ticket-end").count() in (3, 4)
    await choices.first.click()
    await person.page.wait_for_selector("#ask-confirm[aria-disabled=true]")
    await person.page.click("#ask-confirm", force=True)
    await choices.last.click()
    await person.settle(person.page.click("#ask-confirm"))
    assert await person.page.locator("#tickets .ticket").count() == 1
    await other.page.wait_for_selector("#ask:visible")


async def test_escape_and_a_tap_outside_put_the_selection_back(come: Enter) -> None:
    person = await come("Ana")
    await begin_with_bot(person)
    route = await open_chooser(person)
    await person.page.keyboard.press("Escape")
    await person.page.wait_for_selector("#chooser", state="hidden")
    assert await person.page.evaluate("document.activeElement.id") == route
    await open_chooser(person)
    await person.page.mouse.click(8, 640)
    await person.page.wait_for_selector("#chooser", state="hidden")
    await person.settle(person.page.click("#deck"))
    assert (await person.phase(), await person.page.locator(".route.mine").count()) == ("second_card", 0)


async def test_a_route_out_of_reach_says_why(come: Enter) -> None:
    person = await come("Ana")
    await begin_with_bot(person)
    await person.page.locator(".route:not(.claimable)[data-length='5'] .space").first.click()
    await person.page.wait_for_selector("#hint:visible")
    assert "short" in await person.page.inner_text("#hint") or "ferry" in await person.page.inner_text("#hint")
    await person.drawn()
    assert not await person.page.is_visible("#chooser")


async def test_a_refused_action_says_why_and_loses_nothing(come: Enter) -> None:
    person = await come("Ana")
    await person.page.route_web_socket("**/ws/v1/**", refuse_claims)
    await begin_with_bot(person)
    await open_chooser(person)
    if await person.page.locator("#chooser-tokens .choice").count() > 1:
        await person.page.locator("#chooser-tokens .choice").last.click()
    chosen = await person.page.evaluate("[...document.querySelectorAll('#chooser input:checked')].map(e => e.value)")
    await person.look()
    await person.page.click("#chooser-claim")
    await person.page.wait_for_selector("#trouble:visible")
    assert await person.page.inner_text("#trouble") == "The rules don't allow this now."
    assert await person.page.is_visible("#chooser")
    now = await person.page.evaluate("[...document.querySelectorAll('#chooser input:checked')].map(e => e.value)")
    assert now == chosen


def refuse_claims(route: WebSocketRoute) -> None:
    server = route.connect_to_server()

    def answer(message: str | bytes) -> None:
        told = json.loads(message)
        if told.get("action", {}).get("type") != "claim_route":
            server.send(message)
            return
        refusal = {
            "type": "refused",
            "id": told["id"],
            "code": "illegal_action",
            "detail": "The harbor is closed today.",
        }
        route.send(json.dumps({**refusal, "version": told["version"]}))

    route.on_message(answer)


async def test_a_route_is_claimed_by_keys_alone(come: Enter) -> None:
    person = await come("Ana")
    await begin_with_bot(person)
    page = person.page
    await page.locator(".route[tabindex='0']").focus()
    await page.keyboard.press("PageDown")
    name = await page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert name.endswith("free, you can claim it")
    route = await page.evaluate("document.activeElement.id")
    await page.keyboard.press("Enter")
    await page.wait_for_selector("#chooser:visible")
    if await page.locator("#chooser-tokens .choice").count() > 1:
        await page.locator("#chooser-tokens input").first.focus()
        await page.keyboard.press("Space")
    await person.settle(page.keyboard.press("Enter"))
    assert await page.get_attribute(f"#{route}", "data-owner") == "0"


async def test_K15_arrow_keys_belong_to_the_page_outside_the_map(come: Enter) -> None:
    person = await come("Ana")
    await begin_with_bot(person)
    version = await person.version()
    await person.page.locator("#log").focus()
    for key in ("ArrowDown", "Space", "PageDown"):
        await person.page.keyboard.press(key)
    assert await person.page.evaluate("document.activeElement.id") == "log"
    assert await person.has_stayed_at(version)


async def test_K15_all_areas_are_in_view_at_once_on_a_desktop(come: Enter) -> None:
    person = await come("Ana", viewport=DESKTOP)
    await begin_with_bot(person)
    boxes = [await person.page.locator(area).bounding_box() for area in AREAS]
    for area, box in zip(AREAS, boxes, strict=True):
        assert box is not None, area
        assert box["y"] >= 0, area
        assert box["y"] + box["height"] <= DESKTOP["height"], area
        assert box["x"] + box["width"] <= DESKTOP["width"], area


async def test_K15_a_phone_shows_board_banner_and_sheet_and_never_scrolls_sideways(come: Enter) -> None:
    person = await come("Ana", viewport=PHONE, has_touch=True, is_mobile=True)
    await begin_with_bot(person)
    page = person.page
    assert "user-scalable" not in str(await page.get_attribute("meta[name=viewport]", "content"))
    for tab in ("tickets", "players", "log", "hand"):
        await page.click(f".tab[data-tab={tab}]")
        assert await page.locator(f".panel[data-panel={tab}]").is_visible()
        assert await page.is_visible("#banner-title")
        assert await page.is_visible("#map")
    assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


async def test_K15_main_actions_are_large_enough_for_a_finger(come: Enter) -> None:
    person = await come("Ana", viewport=PHONE, has_touch=True, is_mobile=True)
    await begin_with_bot(person)
    small = await person.page.evaluate("""() => [...document.querySelectorAll('button, a, input')]
        .filter((element) => element.checkVisibility() && !element.closest('.choice'))
        .map((element) => [element.id || element.className, element.getBoundingClientRect()])
        .filter(([, box]) => box.width < 40 || box.height < 44)
        .map(([name, box]) => `${name} ${box.width} ${box.height}`)""")
    assert small == []


async def test_the_theme_is_switched_and_remembered(come: Enter) -> None:
    person = await come("Ana", color_scheme="light")
    await person.open_home()
    await person.page.click("#theme")
    await person.page.reload()
    assert await person.page.get_attribute("html", "data-theme") == "dark"


async def test_a_hidden_tab_says_whose_turn_it_is(come: Enter) -> None:
    person = await come("Ana")
    await begin_with_bot(person)
    assert await person.page.title() == "● Your turn – Fogline"
    icon = await person.page.get_attribute("link[rel=icon]", "href")
    assert icon == "/static/icon-turn.svg"
    assert (await person.page.request.get(person.address + icon)).ok


async def test_a_look_at_a_ticket_lights_its_path_and_says_what_it_costs(come: Enter) -> None:
    person = await come("Ana")
    await begin_with_bot(person)
    page = person.page
    await page.focus("#draw-tickets")
    while not await page.locator(".ticket:focus-visible").count():
        await page.keyboard.press("Tab")
    await page.wait_for_selector(".route.on-path")
    spaces = ".route.on-path:not(.mine)"
    cost = await page.eval_on_selector_all(spaces, "all => all.reduce((sum, e) => sum + Number(e.dataset.length), 0)")
    assert await page.inner_text("#plan") == f"{cost} more cable car{'s' * (cost != 1)}"
    assert await page.locator(".location.ticket-end").count() == 2
    await page.focus("#log")
    await page.wait_for_selector(".route.on-path", state="detached")
    assert await page.inner_text("#plan") == ""


@pytest.mark.parametrize("planner", [True, False])
async def test_the_host_says_whether_tickets_show_their_paths(come: Enter, *, planner: bool) -> None:
    """Without the planner only the ends of a ticket are lit."""
    person = await come("Ana")
    page = person.page
    await person.open_home()
    assert await page.is_checked("#planner")
    await page.set_checked("#planner", planner)
    await person.open_table(2, keep=True)
    await page.click(".seat[data-seat='1'] .seat-bot")
    await page.wait_for_selector(".seat[data-kind=bot]")
    await page.click("#start")
    await page.locator("#ask-choices button").first.click()
    await person.settle(page.click("#ask-confirm"))
    await page.hover("#tickets .ticket")
    await page.wait_for_selector(".location.ticket-end")
    assert (await page.locator(".route.on-path").count() > 0) == planner
    assert await page.is_visible("#plan") == planner


async def test_cards_fly_and_are_gone_soon_after(come: Enter) -> None:
    person = await come("Ana", reduced_motion="no-preference")
    await begin_with_bot(person)
    await person.page.evaluate(COUNT_FLIGHTS)
    await person.settle(person.page.click("#deck"))
    async with asyncio.timeout(10):
        await person.page.evaluate(AFTER_A_FLIGHT)
    await person.page.wait_for_selector(".flying", state="detached")
    await person.page.emulate_media(reduced_motion="reduce")
    flown = await person.page.evaluate("window.flown")
    await person.settle(person.page.click("#deck"))
    await person.drawn()
    assert await person.page.evaluate("window.flown") == flown


AFTER_A_FLIGHT = """new Promise(done => {
    const look = () => window.flown ? done() : requestAnimationFrame(look);
    look();
})"""

COUNT_FLIGHTS = """() => {
    window.flown = 0;
    new MutationObserver((changes) => {
        for (const { addedNodes } of changes)
            for (const node of addedNodes) window.flown += Number(node.classList?.contains('flying') ?? false);
    }).observe(document.body, { childList: true });
}"""


async def test_sound_is_switched_and_the_choice_remembered(come: Enter) -> None:
    person = await come("Ana")
    await begin_with_bot(person)
    await person.page.click("#menu summary")
    await person.page.wait_for_selector("#sound:visible")
    assert await person.page.get_attribute("#sound", "aria-label") == "Turn the sound off"
    await person.page.click("#sound")
    await person.page.reload()
    await person.page.click("#menu summary")
    await person.page.wait_for_selector("#sound[aria-label='Turn the sound on']:visible")


async def test_a_menu_that_is_opened_before_the_scripts_have_come_is_filled_when_they_have(come: Enter) -> None:
    person = await come("Ana")
    page, here = person.page, asyncio.Event()

    async def hold(call: Route) -> None:
        await here.wait()
        await call.continue_()

    await person.open_table(2)
    await page.route("**/static/js/panels/menu.js", hold)
    await page.reload(wait_until="commit")
    await page.click("#menu summary")
    await page.wait_for_selector("#sound:visible")
    here.set()
    await page.wait_for_selector("#sound[aria-label]:visible")


async def test_two_tabs_of_one_player_follow_each_other(come: Enter) -> None:
    person = await come("Ana")
    await begin_with_bot(person)
    tab = await person.page.context.new_page()
    await tab.goto(person.page.url)
    await tab.wait_for_selector("#deck:not([aria-disabled])")
    await tab.click("#deck")
    await person.page.wait_for_function("() => document.body.dataset.phase === 'second_card'")
    await person.settle(person.page.click("#deck"))
    await tab.wait_for_function(
        "version => Number(document.body.dataset.version) >= Number(version)", arg=await person.version()
    )
