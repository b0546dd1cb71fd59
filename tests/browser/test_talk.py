"""The chat in browsers: two people in their own languages, spectators apart, mute, keys, and restarts."""

import pytest

from harness.browser import FoglineServer
from tests.browser.test_access import obstacles
from tests.browser.test_spectators import name_oneself
from tests.browser.visitor import PHONE, Enter, Visitor


async def write(person: Visitor, text: str) -> None:
    """Say something in the talk that is open."""
    await person.page.fill(".say-text", text)
    await person.page.press(".say-text", "Enter")
    await person.page.wait_for_function("() => document.querySelector('.say-text').value === ''")


async def open_talk(person: Visitor, side: str = "players") -> None:
    """Look at a talk."""
    if await person.page.is_visible("#tabs .tab[data-tab=log]"):
        await person.page.click("#tabs .tab[data-tab=log]")
    await person.page.click(f".side-tab[data-side={side}]")
    await person.page.wait_for_selector(".lines:not([hidden])")


def lines(person: Visitor, side: str = "Talk") -> str:
    return f".lines[aria-label='{side}'] li"


async def game_of_two(come: Enter, **second: object) -> tuple[Visitor, Visitor]:
    """Ana at a desktop, Bo as wished, in a game that has begun."""
    ana, bo = await come("Ana"), await come("Bo", **second)
    await bo.sit_down(await ana.open_table(2))
    await ana.page.wait_for_selector(".seat[data-seat='1'][data-kind=human]")
    await ana.page.click("#start")
    for person in (ana, bo):
        await person.page.wait_for_selector("body[data-state=playing]")
        await person.drawn()
    return ana, bo


@pytest.mark.slow
async def test_two_talk_and_each_reads_phrases_in_his_language(come: Enter) -> None:
    ana, bo = await game_of_two(come, viewport=PHONE, locale="da")
    await open_talk(ana)
    await write(ana, "Good evening <b>all</b> https://example.org")
    await bo.page.wait_for_selector("#tabs .tab[data-tab=log] .unread:text-is('1')")
    assert "Ana" in await bo.page.inner_text("#talk-news")
    await ana.page.wait_for_selector(lines(ana))
    assert await ana.page.inner_text("#talk-news") == ""
    await open_talk(bo)
    said = bo.page.locator(lines(bo, "Chat"))
    assert await said.inner_text() == "Ana: Good evening <b>all</b> https://example.org"
    assert await said.locator("a, b").count() == 0
    assert await bo.page.locator("#tabs .unread:visible").count() == 0
    await bo.page.click(".say-open")
    await bo.page.click(".phrase:text-is('Tak!')")
    await ana.page.wait_for_selector(f"{lines(ana)}:has-text('Bo: Thank you!')")
    assert await bo.page.evaluate("document.activeElement.tagName") == "BUTTON", "no keyboard comes up"
    told = await ana.page.query_selector("#talk-news > *")
    await bo.page.click(".say-open")
    await bo.page.click(".phrase:text-is('Tak!')")
    await ana.page.wait_for_selector(f"{lines(ana)}:has-text('Bo: Thank you!') >> nth=1")
    assert await ana.page.evaluate("told => told.isConnected", told) is False, "the same words again are read out again"


@pytest.mark.slow
async def test_a_touch_of_anything_else_closes_the_phrases(come: Enter) -> None:
    ana, _ = await game_of_two(come, viewport=PHONE)
    await open_talk(ana)
    await ana.page.click(".say-open")
    await ana.page.wait_for_selector(".phrases:visible")
    await ana.page.mouse.click(8, 640)
    await ana.page.wait_for_selector(".phrases", state="hidden")


@pytest.mark.slow
async def test_nothing_of_the_talk_shuts_anybody_out(come: Enter) -> None:
    ana, bo = await game_of_two(come, viewport=PHONE)
    await open_talk(ana)
    await open_talk(bo)
    await write(ana, "Hello")
    await write(bo, "Good evening")
    await ana.page.click(".say-open")
    await bo.page.click(f"{lines(bo)} .mute")
    assert await obstacles(ana, "phrases") + await obstacles(bo, "talk with one muted") == []
    for person in (ana, bo):
        wide = await person.page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0


@pytest.mark.slow
async def test_by_keyboard_alone(come: Enter) -> None:
    ana, bo = await game_of_two(come)
    await ana.page.focus(".side-tab[data-side=log]")
    await ana.page.keyboard.press("ArrowRight")
    await ana.page.wait_for_selector(".say-text:visible")
    await ana.page.keyboard.press("Tab")
    assert await ana.page.evaluate("document.activeElement.className") == "lines"
    await ana.page.keyboard.press("Tab")
    await ana.page.keyboard.press("Enter")
    assert await ana.page.evaluate("document.activeElement.className") == "action phrase"
    await ana.page.keyboard.press("Escape")
    assert not await ana.page.is_visible(".phrases")
    await ana.page.keyboard.press("Tab")
    await ana.page.keyboard.type("Hello")
    await ana.page.keyboard.press("Enter")
    await open_talk(bo)
    await bo.page.wait_for_selector(f"{lines(bo)}:has-text('Ana: Hello')")


@pytest.mark.slow
async def test_who_is_muted_is_not_heard_until_wanted_again(come: Enter) -> None:
    ana, bo = await game_of_two(come)
    await open_talk(ana)
    await open_talk(bo)
    await write(bo, "One")
    await ana.page.hover(lines(ana))
    await ana.page.click(f"{lines(ana)} .mute")
    await write(bo, "Two")
    await ana.page.reload()
    await ana.page.wait_for_selector("body[data-state=playing]")
    await open_talk(ana)
    await write(ana, "Three")
    await ana.page.wait_for_selector(f"{lines(ana)}:has-text('Three')")
    assert await ana.page.locator(lines(ana)).all_inner_texts() == ["Ana: Three"]
    assert await ana.page.locator(".unread:visible").count() == 0
    await ana.page.click(".muted-person:has-text('Bo')")
    await ana.page.wait_for_selector(f"{lines(ana)} >> nth=2")
    assert [text.split("\n")[0] for text in await ana.page.locator(lines(ana)).all_inner_texts()] == [
        "Bo: One",
        "Bo: Two",
        "Ana: Three",
    ]


@pytest.mark.slow
async def test_spectators_talk_in_their_own_tab_and_tell_their_name_first(come: Enter) -> None:
    ana, _bo = await game_of_two(come)
    cal = await come("Cal", viewport=PHONE)
    await cal.page.goto(ana.page.url)
    await cal.page.wait_for_selector("body[data-state=playing]")
    await open_talk(cal, "spectators")
    await cal.page.fill(".say-text", "Cal")
    await cal.page.press(".say-text", "Enter")
    await cal.page.wait_for_selector(".say-open:visible")
    await write(cal, "Psst")
    await ana.page.wait_for_selector(".side-tab[data-side=spectators] .unread:text-is('1')")
    assert await ana.page.inner_text("#talk-news") == ""
    await open_talk(ana, "spectators")
    await ana.page.wait_for_selector(f"{lines(ana, 'Spectators')}:has-text('Cal(watching): Psst')")
    assert not await ana.page.is_visible(".composer")
    await open_talk(ana)
    await write(ana, "Well")
    await open_talk(cal)
    await cal.page.wait_for_selector(f"{lines(cal)}:has-text('Ana: Well')")


@pytest.mark.slow
async def test_a_lobby_talks_too_and_what_was_refused_stays(come: Enter) -> None:
    ana, cal = await come("Ana"), await come("Cal")
    link = await ana.open_table(2)
    await name_oneself(cal)
    await cal.page.goto(link)
    await cal.page.wait_for_selector("#sit:visible")
    await open_talk(cal, "spectators")
    await write(cal, "May I sit down?")
    await ana.page.wait_for_selector(".side-tab[data-side=spectators] .unread:text-is('1')")
    await open_talk(ana)
    await ana.page.fill(".say-text", "a\u202eb")
    await ana.page.press(".say-text", "Enter")
    await ana.page.wait_for_selector(".composer .trouble:has-text('direction')")
    assert await ana.page.input_value(".say-text") == "a\u202eb"
    await write(ana, "Sit down!")
    await cal.page.click("#sit-down")
    await cal.page.wait_for_selector("#leave:visible")
    await open_talk(cal)
    await cal.page.wait_for_selector(f"{lines(cal)}:has-text('Sit down!')")


@pytest.mark.slow
async def test_what_was_said_while_the_server_was_away_is_said_once(come: Enter, own_server: FoglineServer) -> None:
    ana, bo = await come("Ana", address=own_server.address), await come("Bo", address=own_server.address)
    await bo.sit_down(await ana.open_table(2))
    for person in (ana, bo):
        person.network_may_fail = True
        await open_talk(person)
    await write(ana, "Before")
    own_server.kill()
    await ana.page.fill(".say-text", "Meanwhile")
    await ana.page.press(".say-text", "Enter")
    await ana.page.wait_for_selector(".say-send[aria-busy=true]")
    own_server.start()
    await bo.page.wait_for_selector(f"{lines(bo)}:has-text('Meanwhile')")
    await bo.page.reload()
    await bo.page.wait_for_selector("#seats > li")
    await open_talk(bo)
    await bo.page.wait_for_selector(f"{lines(bo)} >> nth=1")
    texts = [text.split("\n")[0] for text in await bo.page.locator(lines(bo)).all_inner_texts()]
    assert texts == ["Ana: Before", "Ana: Meanwhile"]
