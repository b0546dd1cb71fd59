"""Devices: the list and signing out on the page, what the other device sees, and a browser without cookies."""

import json
import re

import pytest
from playwright.async_api import BrowserContext, Page, Route, expect

from harness.browser import FoglineServer
from tests.browser.test_access import obstacles
from tests.browser.test_joining import hand_over
from tests.browser.visitor import PHONE, READY, Enter, Visitor

ANDROID = "Mozilla/5.0 (Android 14; Mobile; rv:132.0) Gecko/132.0 Firefox/132.0"
LANGUAGES = ("en", "ro", "da", "it", "cs")
NO_COOKIE = {
    "en": "Allow cookies for this site",
    "ro": "Permite cookie-urile",
    "da": "Tillad cookies",
    "it": "Consenti i cookie",
    "cs": "Povol pro ni soubory cookie",
}
API_WORDING = re.compile(r"POST|/api/|[Tt]oken\b.*gives")


async def continued(come: Enter, person: Visitor, **context: object) -> Visitor:
    """The same player on another device."""
    link = await hand_over(person)
    other = await come(f"{person.name}'s other", **context)
    await other.page.goto(link)
    async with other.page.expect_navigation():
        await other.page.click("#go")
    await other.page.wait_for_selector(READY)
    return other


async def test_another_device_is_seen_and_signed_out(come: Enter, server: FoglineServer) -> None:
    ana = await come("Ana")
    table = await ana.open_table(2)
    phone = await continued(come, ana, user_agent=ANDROID, viewport=PHONE)
    phone.network_may_fail = True
    await phone.page.goto(table)
    await phone.page.wait_for_selector("#start:visible")
    page = ana.page
    await page.goto(f"{server.address}/")
    await page.get_by_role("link", name="Your devices").click()
    listed = page.locator("#devices > li")
    await expect(listed).to_have_count(2)
    await expect(listed.filter(has_text="This device")).to_have_count(1)
    assert await obstacles(ana, "devices") == []
    await page.get_by_role("button", name="Sign out: Firefox on Android", exact=True).click()
    await expect(listed).to_have_count(1)
    await expect(page.get_by_role("status")).to_have_text("Signed out: Firefox on Android")
    await expect(page.locator("#title")).to_be_focused()
    await expect(page.locator("#others")).to_be_hidden()
    await phone.page.wait_for_url("**/signed-out?table=*")
    await expect(phone.page.locator("h1")).to_have_text("Signed out")
    assert await obstacles(phone, "signed out") == []
    await phone.page.click(".main-action")
    await phone.page.wait_for_selector("#sit-down:visible")
    phone.errors = [error for error in phone.errors if "401" not in error]


@pytest.mark.slow
async def test_all_other_devices_are_signed_out_by_keyboard(come: Enter, server: FoglineServer) -> None:
    ana = await come("Ana")
    await ana.open_table(2)
    others = [await continued(come, ana, user_agent=ANDROID) for _ in range(2)]
    await ana.page.goto(f"{server.address}/devices")
    await expect(ana.page.locator("#devices > li")).to_have_count(3)
    await ana.page.focus("#others")
    await ana.page.keyboard.press("Enter")
    await expect(ana.page.locator("#devices > li")).to_have_count(1)
    for other in others:
        await other.page.goto(f"{server.address}/devices")
        await expect(other.page.locator("#devices")).to_have_count(0)


@pytest.mark.slow
async def test_a_device_that_is_gone_already_leaves_the_list(come: Enter, server: FoglineServer) -> None:
    ana = await come("Ana")
    await ana.open_table(2)
    await continued(come, ana, user_agent=ANDROID)
    second = await ana.page.context.new_page()
    for page in (ana.page, second):
        await page.goto(f"{server.address}/devices")
    ana.network_may_fail = True
    await second.click("button[data-device]")
    await expect(second.locator("#devices > li")).to_have_count(1)
    await ana.page.click("button[data-device]")
    await expect(ana.page.locator("#devices > li")).to_have_count(1)
    assert not await ana.page.locator("#trouble").is_visible()
    ana.errors = [error for error in ana.errors if "404" not in error]


@pytest.mark.parametrize("language", [*(pytest.param(each, marks=pytest.mark.slow) for each in LANGUAGES[:-1]), "cs"])
async def test_the_list_of_devices_fits_a_small_screen(come: Enter, server: FoglineServer, language: str) -> None:
    ana = await come("Wilhelmina-Konstantina", viewport={"width": 360, "height": 640}, locale=language)
    await ana.open_table(2)
    await continued(come, ana, user_agent=ANDROID)
    for path in ("devices", "signed-out", "phone", ""):
        await ana.page.goto(f"{server.address}/{path}")
        assert await ana.page.evaluate("document.documentElement.scrollWidth") <= 360


async def block_cookies(context: BrowserContext) -> None:
    """As a browser does that takes none and does not say so."""

    async def without_cookies(route: Route) -> None:
        answer = await route.fetch()
        headers = {name: value for name, value in answer.headers.items() if name != "set-cookie"}
        await context.clear_cookies()  # those that the fetch has kept
        await route.fulfill(response=answer, headers=headers)

    await context.route("**/api/v1/**", without_cookies)


def players_made(page: Page) -> list[str]:
    """The requests that make players, noted from now on."""
    made: list[str] = []

    def note(url: str, method: str) -> None:
        if method == "POST" and url.endswith("/api/v1/players"):
            made.append(url)

    page.on("request", lambda request: note(request.url, request.method))
    return made


@pytest.mark.parametrize("language", [*(pytest.param(each, marks=pytest.mark.slow) for each in LANGUAGES[1:]), "en"])
async def test_a_browser_that_drops_cookies_is_told_so_and_makes_one_player(come: Enter, language: str) -> None:
    host, eve = await come("Host"), await come("Eve", locale=language)
    link = await host.open_table(2)
    await block_cookies(eve.page.context)
    eve.network_may_fail = True
    made = players_made(eve.page)
    await eve.open_home()
    for _ in range(3):
        await eve.page.fill("#name", "Eve")
        async with eve.page.expect_response("**/api/v1/players/me"):
            await eve.page.click("#create-go")
        await expect(eve.page.locator("#create-trouble")).to_contain_text(NO_COOKIE[language])
        assert not API_WORDING.search(await eve.page.inner_text("body"))
    assert len(made) == 1
    await eve.page.goto(link)
    await eve.page.fill("#sit-name", "Eve")
    await eve.page.click("#sit-down")
    await expect(eve.page.locator("#lobby-trouble")).to_contain_text(NO_COOKIE[language])
    eve.errors = [error for error in eve.errors if "401" not in error]


async def test_a_browser_that_says_it_takes_no_cookies_makes_no_player(come: Enter) -> None:
    eve = await come("Eve")
    await eve.page.add_init_script("Object.defineProperty(navigator, 'cookieEnabled', { value: false })")
    made = players_made(eve.page)
    await eve.open_home()
    await eve.page.fill("#name", "Eve")
    await eve.page.click("#create-go")
    await expect(eve.page.locator("#create-trouble")).to_contain_text(NO_COOKIE["en"])
    assert made == []


async def test_who_allows_cookies_then_goes_on_with_the_same_player(come: Enter) -> None:
    eve = await come("Eve")
    await block_cookies(eve.page.context)
    eve.network_may_fail = True
    made = players_made(eve.page)
    await eve.open_home()
    await eve.page.fill("#name", "Eve")
    await eve.page.click("#create-go")
    await expect(eve.page.locator("#create-trouble")).to_be_visible()
    await eve.page.context.unroute_all()
    await eve.page.click("#create-go")
    await eve.page.wait_for_selector("#seats > li")
    assert len(made) == 1
    eve.errors = [error for error in eve.errors if "401" not in error]


async def refuse(context: BrowserContext, status: int, told: str) -> None:
    """Nobody becomes a player from now on."""

    async def answer(route: Route) -> None:
        await route.fulfill(status=status, body=told)

    await context.route("**/api/v1/players", answer)


async def test_the_server_s_sentences_for_programs_reach_no_page(come: Enter) -> None:
    eve = await come("Eve")
    eve.network_may_fail = True
    await eve.open_home()
    told = {"code": "of_tomorrow", "detail": "Say who you are first: POST /api/v1/players.", "reason": "of_tomorrow"}
    for status in (400, 401, 403, 404, 409, 413, 429, 500, 503):
        await eve.page.context.unroute_all()
        await refuse(eve.page.context, status, json.dumps(told))
        await eve.page.fill("#name", "Eve")
        await eve.page.click("#create-go")
        await eve.page.wait_for_selector("#create-go:not([aria-busy])")
        await expect(eve.page.locator("#create-trouble")).to_have_text(
            "That didn't work just now. Try again in a moment."
        )
    eve.errors = [error for error in eve.errors if "status of" not in error]
