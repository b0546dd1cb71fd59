"""The way to a table: those that take anybody, invitations, and the same player on another device."""

import asyncio
import re

import pytest
from playwright.async_api import Page, WebSocketRoute, expect

from harness.browser import FoglineServer
from tests.browser.test_access import obstacles
from tests.browser.visitor import PHONE, READY, Enter, Visitor

BACK_HERE = "() => dispatchEvent(new Event('focus'))"
REFUSED = {"code": "already_started", "detail": "The game has begun."}
KEEP_SHARED = "navigator.share = async (told) => { window.shared = told; };"


async def offer(host: Visitor) -> str:
    """A table of the host for everybody; its code."""
    await host.open_home()
    await host.page.fill("#name", host.name)
    await host.page.check("#public")
    await host.page.click("#create-go")
    await host.page.wait_for_selector("#seats > li")
    return host.page.url.rsplit("/", 1)[1]


async def hand_over(person: Visitor) -> str:
    """Makes a one-time link by what the page offers."""
    await person.page.goto(person.address)
    await person.page.click(".to-phone")
    return await made_link(person.page)


async def made_link(page: Page) -> str:
    await page.wait_for_selector("#handover[data-state=good]")
    return await page.input_value("#link")


async def test_a_table_for_everybody_is_seen_without_a_reload_and_joined_with_one_tap(come: Enter) -> None:
    host, guest = await come("Host"), await come("Guest", viewport=PHONE)
    await guest.open_home()
    code = await offer(host)
    await guest.page.evaluate(BACK_HERE)
    join = guest.page.locator(f"[data-join='{code}']")
    await join.click()
    assert await guest.page.is_visible("#name-trouble")
    await guest.page.fill("#name", "Guest")
    await join.click()
    await guest.page.wait_for_selector("#leave:visible")
    await host.page.wait_for_selector(".seat[data-seat='1'] bdi:text-is('Guest')")


async def test_a_tab_finds_the_seat_that_this_browser_takes_in_another(come: Enter, server: FoglineServer) -> None:
    """Both tabs were opened when it was no player yet; the start page takes the name over as well."""
    host, guest = await come("Host"), await come("Guest")
    link = await host.open_table(3)
    await guest.page.goto(link)
    await guest.page.wait_for_selector("#sit-down:visible")
    start, other = await guest.page.context.new_page(), await guest.page.context.new_page()
    await start.goto(server.address)
    await start.wait_for_selector(READY)
    await other.goto(link)
    await other.fill("#sit-name", "Guest")
    await other.click("#sit-down")
    await guest.page.wait_for_selector("#leave:visible")
    await expect(guest.page.locator("#sit-name")).to_have_value("Guest")
    await expect(guest.page.locator("#sit")).to_be_hidden()
    await expect(start.locator("#name")).to_have_value("Guest")
    assert await guest.page.locator(".seat[data-kind=human]").count() == 2


@pytest.mark.slow
async def test_a_table_that_fills_up_meanwhile_is_watched(come: Enter) -> None:
    host, late = await come("Host"), await come("Late")
    code = await offer(host)
    await late.open_home()
    await late.page.fill("#name", "Late")
    await host.add_bots(1, 2, 3)
    late.network_may_fail = True
    await late.page.click(f"[data-join='{code}']")
    await late.page.wait_for_selector("#lobby[data-role=visitor]")
    late.errors = [error for error in late.errors if "409" not in error]


async def test_the_host_lists_the_table_and_takes_it_off_in_the_lobby(come: Enter) -> None:
    host, reader = await come("Host"), await come("Reader")
    code = (await host.open_table(3)).rsplit("/", 1)[1]
    await reader.open_home()
    for listed in (True, False):
        async with host.page.expect_response(lambda answer: answer.request.method == "PATCH"):
            await host.page.set_checked("#public", listed)
        await reader.page.evaluate(BACK_HERE)
        await reader.page.wait_for_selector(f"[data-join='{code}']", state="attached" if listed else "detached")
    await host.page.reload()
    await host.page.wait_for_selector("#public:visible")
    assert not await host.page.is_checked("#public")


async def test_the_switch_stands_as_it_was_set_before_the_room_tells_it_and_as_it_was_when_refused(come: Enter) -> None:
    host = await come("Host")
    page, silent = host.page, asyncio.Event()

    def fall_silent(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda message: None if silent.is_set() else socket.send(message))

    await page.route_web_socket("**/ws/v1/**", fall_silent)
    await host.open_table(3)
    silent.set()
    async with page.expect_response(lambda answer: answer.request.method == "PATCH"):
        await page.click("#public")
    await page.wait_for_selector("#public:not([aria-busy])")
    await host.drawn()
    assert await page.is_checked("#public")
    await page.route("**/api/v1/rooms/*", lambda call: call.fulfill(status=409, json=REFUSED))
    await page.click("#public")
    await page.wait_for_selector("#lobby-trouble:visible")
    await host.drawn()
    assert await page.is_checked("#public")
    host.errors = [error for error in host.errors if "409" not in error]


@pytest.mark.slow
async def test_the_list_stays_under_the_finger_and_the_focus_on_it(come: Enter) -> None:
    first, second, reader = await come("First"), await come("Second"), await come("Reader")
    code = await offer(first)
    await reader.open_home()
    await reader.page.focus(f"[data-join='{code}']")
    other = await offer(second)
    await reader.page.evaluate(BACK_HERE)
    await reader.page.wait_for_selector(f"[data-join='{other}']")
    assert await reader.page.evaluate("document.activeElement.dataset.join") == code


async def test_my_tables_say_whose_turn_it_is_when_i_come_back(come: Enter, server: FoglineServer) -> None:
    host, guest = await come("Host"), await come("Guest", viewport=PHONE)
    link = await host.open_table(2)
    await guest.sit_down(link)
    tab = await guest.page.context.new_page()
    await tab.goto(server.address)
    await tab.wait_for_selector(READY)
    assert "all are here" in await tab.inner_text("#mine")
    await host.page.click("#start")
    await guest.page.wait_for_selector("#ask-choices button")
    await tab.evaluate(BACK_HERE)
    await tab.wait_for_selector(".entry[data-turn] >> text=Your turn")
    await guest.page.locator("#ask-choices button").first.click()
    await guest.settle(guest.page.click("#ask-confirm"))
    await tab.evaluate(BACK_HERE)
    await tab.wait_for_selector(".entry-state >> text=waiting for Host")
    await tab.click("#mine .entry")
    await tab.wait_for_selector("body[data-state=playing]")


@pytest.mark.slow
async def test_another_name_keeps_my_tables(come: Enter) -> None:
    person = await come("Ana")
    table = await person.open_table(2)
    await person.open_home()
    await person.page.fill("#name", "Anna")
    await person.page.click("#create-go")
    await person.page.wait_for_selector(".seat[data-seat='0'] bdi:text-is('Anna')")
    await person.open_home()
    assert await person.page.input_value("#name") == "Anna"
    assert await person.page.locator("#mine .entry").count() == 2
    await person.page.goto(table)
    await person.page.wait_for_selector("#start:visible")


async def test_the_invitation_is_shared_by_the_system_where_it_can_be(come: Enter) -> None:
    host = await come("Host")
    link = await host.open_table(2)
    assert not await host.page.is_visible("#share")
    await host.page.add_init_script(KEEP_SHARED)
    await host.page.reload()
    await host.page.click("#share")
    assert (await host.page.evaluate("window.shared"))["url"] == link


async def test_the_qr_code_of_the_invitation_comes_when_it_is_wanted(come: Enter) -> None:
    host = await come("Host", color_scheme="dark", viewport=PHONE)
    asked: list[str] = []
    host.page.on("request", lambda request: asked.append(request.url))
    await host.open_table(2)
    assert not any(url.endswith("qr.svg") for url in asked)
    await host.page.click(".scan summary")
    picture = host.page.get_by_role("img", name="QR code of the link to this table")
    await host.page.wait_for_function("() => document.querySelector('.scan img').naturalWidth > 0")
    await host.drawn()
    box = await picture.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE["width"]
    start = await host.page.locator("#start").bounding_box()
    assert start is not None
    assert box["y"] + box["height"] <= start["y"]
    assert box["width"] >= 200


@pytest.mark.slow
async def test_a_phone_goes_on_by_a_link_that_works_once(come: Enter, server: FoglineServer) -> None:
    person, phone = await come("Ana"), await come("phone", viewport=PHONE, has_touch=True)
    table = await person.open_table(2)
    link = await hand_over(person)
    asked: list[str] = []
    phone.page.on("request", lambda request: asked.append(request.url))
    await phone.page.goto(link)
    await phone.page.wait_for_selector("#takeover[data-state=new]")
    assert await phone.page.inner_text("#owner") == "Ana"
    await phone.page.tap("#go")
    await phone.page.wait_for_url(f"{server.address}/")
    secret = link.partition("#")[2]
    assert not any(secret in url.partition("#")[0] for url in asked)
    await phone.page.tap("#mine .entry")
    await phone.page.wait_for_selector("#start:visible")
    await person.page.goto(table)
    await person.page.click(".seat[data-seat='1'] .seat-bot")
    await phone.page.wait_for_selector(".seat[data-kind=bot]")
    await phone.page.tap("#start")
    for page in (person.page, phone.page):
        await page.wait_for_selector("#ask-choices button")
    await assert_gone(await come("third"), link)


async def assert_gone(visitor: Visitor, link: str) -> None:
    await visitor.page.goto(link)
    await visitor.page.wait_for_selector("#takeover[data-state=gone]")
    assert "no longer works" in await visitor.page.inner_text("#takeover")
    assert await visitor.page.locator("#takeover button:visible").count() == 0
    visitor.errors = [error for error in visitor.errors if "404" not in error and "400" not in error]


@pytest.mark.parametrize("secret", ["", "#", "#wrong", "#%E0%A4%A"])
async def test_a_link_without_a_good_secret_is_told_so(come: Enter, server: FoglineServer, secret: str) -> None:
    await assert_gone(await come("lost"), f"{server.address}/continue{secret}")


@pytest.mark.slow
async def test_from_a_table_the_phone_goes_to_the_table(come: Enter) -> None:
    person, phone = await come("Ana"), await come("phone", viewport=PHONE)
    table = await person.open_table(2)
    await person.page.click("#menu summary")
    async with person.page.expect_popup() as opened:
        await person.page.click("#menu a[href*=phone]")
    link = await made_link(await opened.value)
    await phone.page.goto(link)
    await phone.page.click("#go")
    await phone.page.wait_for_url(table)
    await phone.page.wait_for_selector("#start:visible")
    await phone.open_home()
    assert await phone.page.input_value("#name") == "Ana"


@pytest.mark.slow
async def test_a_device_that_is_another_player_has_to_say_that_it_wants_to_forget_it(come: Enter) -> None:
    ana, bo = await come("Ana"), await come("Bo")
    await ana.open_table(2)
    own = await bo.open_table(3)
    link = await hand_over(ana)
    await bo.page.goto(link)
    await bo.page.wait_for_selector("#takeover[data-state=other]")
    assert "you are now Bo" in await bo.page.inner_text("#takeover")
    assert not await bo.page.is_visible("#go")
    tab = await bo.page.context.new_page()
    await tab.goto(own)
    await tab.wait_for_selector("#start:visible")
    await bo.page.goto(link)
    await bo.page.click("#switch")
    await tab.wait_for_selector("#sit-down:visible")
    await bo.page.wait_for_url(re.compile("/$"))
    await bo.page.wait_for_selector(READY)
    assert await bo.page.input_value("#name") == "Ana"
    await ana.page.goto(await hand_over(ana))
    await ana.page.wait_for_selector("#takeover[data-state=same]")


@pytest.mark.slow
async def test_a_link_past_its_time_is_made_anew(come: Enter) -> None:
    person = await come("Ana")
    await person.open_table(2)
    await person.page.clock.install()
    link = await hand_over(person)
    await person.page.clock.run_for(121_000)
    await person.page.wait_for_selector("#handover[data-state=over]")
    await person.page.click("#anew")
    assert await made_link(person.page) != link


async def test_who_is_no_player_yet_is_told_so(come: Enter, server: FoglineServer) -> None:
    stranger = await come("Nobody")
    await stranger.page.goto(f"{server.address}/phone")
    assert "not a player yet" in await stranger.page.inner_text("#slip")


@pytest.mark.slow
async def test_the_pages_of_the_door_are_open_to_all(come: Enter) -> None:
    host, other = await come("Host"), await come("Other", viewport=PHONE)
    await offer(host)
    await host.page.click(".scan summary")
    found = await obstacles(host, "lobby with its code")
    link = await hand_over(host)
    found += await obstacles(host, "link")
    await host.page.goto(host.address)
    found += await obstacles(host, "start page with tables")
    await other.page.goto(link)
    await other.page.wait_for_selector("#takeover[data-state=new]")
    found += await obstacles(other, "new player")
    await other.open_table(2)
    await other.page.goto(link)
    await other.page.wait_for_selector("#takeover[data-state=other]")
    found += await obstacles(other, "another player")
    await assert_gone(other, f"{host.address}/continue#wrong")
    found += await obstacles(other, "no good link")
    assert found == []


async def test_who_can_not_start_or_sit_down_yet_is_told_why_where_it_is_seen(come: Enter) -> None:
    host, guest = await come("Ana", viewport=PHONE), await come("", viewport=PHONE)
    link = await host.open_table(4)
    await host.page.click("#start", force=True)
    assert await seen_trouble(host) == "Two or more seats have to be taken before the game can start."
    await guest.page.goto(link)
    await guest.page.click("#sit-down")
    assert await seen_trouble(guest) == "Tell us your name first."
    assert await guest.page.evaluate("document.activeElement.id") == "sit-name"
    await guest.page.keyboard.type("Bo")
    await guest.page.wait_for_selector("#lobby-trouble", state="hidden")


async def seen_trouble(person: Visitor) -> str:
    """What went wrong, once it is on the screen."""
    trouble = person.page.locator("#lobby-trouble")
    await trouble.wait_for()
    await person.page.wait_for_function(
        "() => document.getElementById('lobby-trouble').getBoundingClientRect().bottom <= innerHeight"
    )
    return await trouble.inner_text()
