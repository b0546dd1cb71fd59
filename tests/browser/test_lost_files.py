"""A script, a style sheet or a picture that is lost on its way is asked for again; the page says what is missing."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Page, Route

from harness.browser import FoglineServer
from tests.browser.api_moves import begin_with_bot, call, play_to_the_end
from tests.browser.visitor import Enter, Visitor

LOBBY = ("lobby/lobby.js", "lobby/seats.js", "lobby/invitation.js", "lib/copy-link.js")
RESULT = ("end/scores.js", "end/rematch.js", "end/fairness.js", "lib/more-words.js", "words/en-more.js")
CHAT = ("chat/chat.js", "chat/composer.js", "chat/storage.js")
MENU = ("panels/menu-content.js", "lib/preferences.js", "table/notifications.js")
HELP = ("panels/help.js",)
PICTURE = ("end/result-picture.js", "end/svg-to-png.js")


@asynccontextmanager
async def losing(page: Page, file: str, times: int = 1) -> AsyncIterator[list[str]]:
    """Loses the first requests for a file, whatever their query. Gives the addresses of those that were lost."""
    lost: list[str] = []

    async def lose(route: Route) -> None:
        if len(lost) < times:
            lost.append(route.request.url)
            await route.abort()
        else:
            await route.continue_()

    pattern = re.compile(rf"/{re.escape(file)}(\?.*)?$")
    await page.route(pattern, lose)
    yield lost
    await page.unroute(pattern)


async def come_to(come: Enter, name: str = "Ana") -> Visitor:
    person = await come(name)
    person.network_may_fail = True
    return person


async def open_lobby(person: Visitor, *, then: str) -> None:
    await person.page.goto(then)
    await person.page.wait_for_selector("#start:visible")
    assert await person.page.input_value("#link") != ""


async def open_chat(person: Visitor) -> None:
    await person.page.click(".side-tab[data-side=players]")
    await person.page.wait_for_selector("#talk .composer:visible")


async def open_menu(person: Visitor) -> None:
    await person.page.click("#menu summary")
    await person.page.wait_for_selector("#sound[aria-label]")


async def open_help(person: Visitor) -> None:
    await person.page.click("#ask-table")
    await person.page.wait_for_selector("#help[open]")


async def see_result(person: Visitor) -> None:
    await person.page.wait_for_selector(".result:visible")
    await person.page.wait_for_selector("#again:visible")
    assert await person.page.inner_text("#again") not in ("", "again")


async def save_picture(person: Visitor) -> None:
    async with person.page.expect_download() as sent:
        await person.page.click("#save-picture")
    assert (await sent.value).suggested_filename.endswith(".png")


@pytest.mark.slow
async def test_every_part_of_the_lobby_comes_though_it_was_lost_once(come: Enter) -> None:
    person = await come_to(come)
    link = await person.open_table(2)
    for file in LOBBY:
        async with losing(person.page, file) as lost:
            await open_lobby(person, then=link)
        assert len(lost) == 1, file


@pytest.mark.slow
async def test_every_part_of_a_finished_table_comes_though_it_was_lost_once(come: Enter) -> None:
    person, other = await come_to(come), await come("Ben")
    await other.sit_down(await person.open_table(2))
    await person.page.click("#start")
    await play_to_the_end([person, other])
    uses = {RESULT: see_result, CHAT: open_chat, MENU: open_menu, HELP: open_help, PICTURE: save_picture}
    for files, use in uses.items():
        for file in files:
            async with losing(person.page, file) as lost:
                await person.page.goto("about:blank")
                await person.page.go_back()
                await use(person)
            assert len(lost) == 1, file
            assert not await person.page.is_visible("#missing"), file


async def test_the_words_that_come_late_are_asked_for_again(come: Enter) -> None:
    person = await come_to(come)
    async with losing(person.page, "words/en-more.js") as lost:
        await begin_with_bot(person)
        await open_help(person)
        assert await person.page.inner_text("#help-title") == "Help and keys"
    assert len(lost) == 1


async def test_the_page_says_what_is_missing_and_tries_again_when_told_to(come: Enter) -> None:
    person = await come_to(come)
    await begin_with_bot(person)
    page = person.page
    async with losing(page, "chat/composer.js", times=1000) as lost:
        await page.click(".side-tab[data-side=players]")
        await page.wait_for_selector("#missing:visible")
        assert await page.inner_text("#missing span") == "The chat did not load."
        assert len(lost) >= 2
    await page.focus("#missing button")
    await page.keyboard.press("Enter")
    await page.wait_for_selector("#talk .composer:visible")
    assert not await page.is_visible("#missing")
    assert len(set(lost)) == len(lost), "an address that failed is remembered by browsers, and no use"


async def test_a_refusal_is_explained_though_its_words_were_lost_once(come: Enter) -> None:
    person = await come_to(come)
    await person.open_home()
    async with losing(person.page, "lib/refusals.js") as lost:
        await person.page.fill("#name", "<" * 100)
        await person.page.click("#create-go")
        await person.page.wait_for_selector("#create-trouble:visible")
    assert len(lost) == 1
    assert "can't be reached" not in await person.page.inner_text("#create-trouble")
    person.errors = [error for error in person.errors if "400" not in error]


@pytest.mark.slow
async def test_the_picture_of_the_code_is_asked_for_again(come: Enter) -> None:
    person = await come_to(come)
    await person.open_table(2)
    async with losing(person.page, "qr.svg") as lost:
        await person.page.click("#scan summary")
        await person.page.wait_for_function("() => document.getElementById('scan-code').naturalWidth > 0")
    assert len(lost) == 1


async def files_of(person: Visitor, link: str) -> list[str]:
    """The scripts and style sheets that a page asks for, below the folder of the files."""
    await person.page.goto(link)
    await person.page.wait_for_load_state("networkidle")
    names = await person.page.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name)")
    return sorted({name.rpartition("/static/")[2] for name in names if name.endswith((".js", ".css"))})


USABLE = "#seats > li >> visible=true"


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
async def test_every_file_of_the_first_load_may_be_lost_once(come: Enter, part: int) -> None:
    person = await come_to(come)
    link = await person.open_table(2)
    files = [file for file in await files_of(person, link) if file != "js/pages/startup.js"]
    assert {"js/pages/table.js", "js/table/table.js", "js/words/en.js", "css/table.css", "css/page.css"} <= set(files)
    for file in files[part::4]:
        async with losing(person.page, file) as lost:
            await person.page.goto(link)
            await person.page.wait_for_selector(USABLE)
        assert len(lost) == 1, file
        assert not await person.page.is_visible(".lost"), file


async def test_a_table_comes_though_a_script_and_a_style_sheet_were_lost_once(come: Enter) -> None:
    person = await come_to(come)
    link = await person.open_table(2)
    for file in ("table/table.js", "table.css"):
        async with losing(person.page, file) as lost:
            await person.page.goto(link)
            await person.page.wait_for_selector(USABLE)
        assert len(lost) == 1
    assert await person.page.evaluate("getComputedStyle(document.querySelector('.layout')).display") == "flex"


@pytest.mark.parametrize("file", ["table/table.js", "words/en.js", "table.css"])
async def test_a_page_that_does_not_come_whole_says_so_and_offers_to_load_it_again(come: Enter, file: str) -> None:
    person = await come("Ana")
    link = await person.open_table(2)
    person.network_may_fail = True
    async with losing(person.page, file, times=1000) as lost:
        await person.page.goto(link)
        await person.page.wait_for_selector(".lost button")
        assert "did not load" in await person.page.inner_text(".lost")
        assert 2 <= len(lost) <= 4
    person.errors.clear()
    await person.page.focus(".lost button")
    await person.page.keyboard.press("Enter")
    await person.page.wait_for_selector(USABLE)
    await person.page.wait_for_selector(".lost", state="detached")


@pytest.mark.slow
@pytest.mark.parametrize("page", ["", "rules", "phone"])
async def test_the_other_pages_come_though_a_file_was_lost_once(come: Enter, server: FoglineServer, page: str) -> None:
    person = await come_to(come)
    await person.open_home()
    await call(person, "players", name=person.name)
    link = f"{server.address}/{page}"
    for file in [each for each in await files_of(person, link) if each != "js/pages/startup.js"]:
        async with losing(person.page, file) as lost:
            await person.page.goto(link)
            await person.page.wait_for_selector("#theme[aria-label]")
        assert len(lost) == 1, file
