"""The page in each language: chosen, switched without losing anything, played to the end, and fitting a phone."""

import re
from typing import Any

import pytest
from babel import Locale

from app.boards import load_board
from app.web.words import LANGUAGES, TRANSLATED, entries, read_catalog
from harness.browser import FoglineServer
from tests.browser.clicker import Clicker
from tests.browser.measures import advance
from tests.browser.visitor import PHONE, READY, Enter, Visitor
from tools.words import english_messages

SAID = """() => {
    const said = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const others = 'bdi, svg, script, noscript, option, .brand, h1:not([id])';
    for (let node = walker.nextNode(); node; node = walker.nextNode())
        if (!node.parentElement.closest(others)) said.push(node.data);
    for (const element of document.querySelectorAll('[aria-label], [title]'))
        if (!element.matches('bdi')) said.push(element.getAttribute('aria-label'), element.getAttribute('title'));
    return said.filter(Boolean).map((text) => text.replace(/\\u2068.*?\\u2069/g, ''));
}"""
"""What the page says in texts and labels; names of players are their own."""

UNFIT = """() => {
    const width = document.documentElement.clientWidth;
    const found = [];
    if (document.documentElement.scrollWidth > width) found.push(`page ${document.documentElement.scrollWidth}`);
    const controls = 'button, a, summary, select, input:not([readonly]), [data-tone=you] .banner-title, legend, h2, th';
    for (const element of document.querySelectorAll(controls)) {
        if (!element.checkVisibility() || element.closest('.unseen, svg, .choice, .card')) continue;
        const { left, right } = element.getBoundingClientRect();
        const full = element.clientWidth <= 1 || element.tagName === 'INPUT';
        const cut = !full && element.scrollWidth > element.clientWidth + 1;
        if (left < -1 || right > width + 1 || cut)
            found.push(`${element.id || element.className || element.tagName}: ${element.textContent.trim()}`);
    }
    return found;
}"""
"""What is cut off, or not on the screen."""


PHASES = {"first_tickets", "turn", "second_card", "keep_tickets"}
"""In which everybody has something to do."""


def english_left(language: str) -> set[str]:
    """Words that stand in the English of the page, but neither in this language's words nor on the board."""
    english = words_of(entries("en").values())
    english |= words_of(message.id for message in english_messages() if not message.context)
    board = load_board("san-francisco")
    translated = words_of(message.string for message in read_catalog(language) if message.id)
    return english - translated - words_of([board.name, *(place.name for place in board.locations)])


def words_of(texts: Any) -> set[str]:
    plain = re.sub(r"\{\w+\}", " ", " ".join(map(str, texts)).replace("Fogline", ""))
    return {word.lower() for word in re.findall(r"[^\W\d_]{3,}", plain)}


async def check(person: Visitor, english: set[str], place: str) -> None:
    """Nothing on the screen is English, cut off, or beside the screen."""
    said: list[str] = await person.page.evaluate(SAID)
    assert [text for text in said if words_of([text]) & english] == [], place
    assert await person.page.evaluate(UNFIT) == [], place


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_whole_game_in_each_language_on_a_phone(come: Enter, server: FoglineServer, language: str) -> None:
    """Clicked until all has been seen that there is to see before the end, and then played on by calls."""
    english = english_left(language) if language in TRANSLATED else set()
    person = await come("77", viewport=PHONE, locale=language, has_touch=True, is_mobile=True)
    page = person.page
    await person.open_home()
    assert await page.get_attribute("html", "lang") == language
    await check(person, english, "home")
    await page.goto(f"{server.address}/rules")
    await page.wait_for_selector(READY)
    await check(person, english, "rules")
    await person.open_table(2)
    await check(person, english, "lobby")
    await page.click(".seat[data-seat='1'] .seat-bot")
    await page.wait_for_selector(".seat[data-kind=bot]")
    await check(person, english, "lobby with a bot")
    await page.click("#start")
    player = Clicker(person, 2)
    seen: set[tuple[str, str]] = set()
    closer = False
    while not closer or PHASES - {phase for phase, _ in seen}:
        assert await person.next_turn() == "act"
        phase = await person.phase()
        for tab in ("tickets", "players", "log", "hand"):
            if (phase, tab) not in seen and await page.locator(f".tab[data-tab={tab}]").is_visible():
                seen.add((phase, tab))
                await page.click(f".tab[data-tab={tab}]")
                await check(person, english, f"{phase} {tab}")
        if phase == "turn" and not closer:
            closer = await look_closer(person, english)
        await player.act()
    await advance(person, -1)
    assert await person.next_turn() == "over"
    await page.wait_for_selector(".result", state="attached")
    for tab in ("log", "scores"):
        await page.click(f".tab[data-tab={tab}]")
        await check(person, english, f"over {tab}")


async def look_closer(person: Visitor, english: set[str]) -> bool:
    """What is asked before tickets are drawn or a route is claimed, and why another can't be; whether all was met."""
    page = person.page
    claimable = page.locator(".route.claimable .space")
    if await page.locator("#draw-tickets[aria-disabled]").count() or not await claimable.count():
        return False
    await page.click("#draw-tickets")
    await page.wait_for_selector("#ask:visible")
    await check(person, english, "drawing tickets")
    await page.click("#ask-cancel")
    await claimable.first.click()
    await page.wait_for_selector("#chooser:visible")
    await check(person, english, "chooser")
    await page.keyboard.press("Escape")
    await page.wait_for_selector("#chooser", state="hidden")
    await page.locator(".route:not(.claimable)[data-length='5'] .space").first.click()
    await page.wait_for_selector("#hint:visible")
    await check(person, english, "why not")
    return True


async def test_a_language_is_chosen_and_remembered(come: Enter, server: FoglineServer) -> None:
    person = await come("Ana", locale="da-DK")
    await person.open_home()
    assert await person.page.inner_text("#create-go") == "Åbn bordet"
    await switch(person, "cs")
    assert await person.page.inner_text("#create-go") == "Otevřít stůl"
    await person.page.goto(f"{server.address}/rules")
    assert await person.page.inner_text("h1") == "Pravidla hry"


async def test_what_was_typed_comes_back_in_the_other_language(come: Enter) -> None:
    person = await come("Ana")
    await person.open_home()
    await person.page.fill("#name", "Zoë")
    await person.page.fill("#code", "7k3m")
    await person.page.locator(".seat-choice label").first.click()
    await person.page.check("#public")
    await person.page.uncheck("#spectators")
    await person.page.uncheck("#planner")
    await switch(person, "it")
    await person.page.wait_for_selector(READY)
    assert await person.page.input_value("#name") == "Zoë"
    assert await person.page.input_value("#code") == "7k3m"
    assert await person.page.is_checked("input[name=seats][value='2']")
    switches = ("#public", "#spectators", "#planner")
    assert [await person.page.is_checked(switch) for switch in switches] == [True, False, False]
    assert await person.page.evaluate("document.activeElement.id") == "language"


@pytest.mark.slow
async def test_the_language_is_switched_in_a_turn_and_nothing_is_lost(come: Enter) -> None:
    person = await come("Ana")
    page = person.page
    await person.open_table(2)
    await page.click(".seat[data-seat='1'] .seat-bot")
    await page.wait_for_selector(".seat[data-kind=bot]")
    await page.click("#start")
    await page.locator("#ask-choices button").first.click()
    await page.wait_for_selector("body[data-version='1']")
    lines = await page.locator("#log li").count()
    await page.click("#menu summary")
    await switch(person, "ro")
    await page.wait_for_selector("#ask-choices button[aria-pressed=true]")
    await person.drawn()
    assert await page.locator("#log li").count() == lines
    assert await page.inner_text("#ask-confirm") == "Păstrează 1 bilet"
    await person.settle(page.click("#ask-confirm"))
    await page.click("#menu summary")
    await page.mouse.click(300, 400)
    await page.wait_for_selector(READY, state="attached")
    await person.drawn()
    assert await page.get_attribute("#menu", "open") is None


async def switch(person: Visitor, language: str) -> None:
    await person.page.select_option("#language", language)
    await person.page.wait_for_selector(f"html[lang={language}]")
    await person.page.wait_for_load_state()


async def test_a_browser_picks_plurals_by_the_categories_of_the_catalogs(come: Enter, server: FoglineServer) -> None:
    """What Babel calls a number's category, the browser calls it too."""
    person = await come("Ana")
    await person.page.goto(server.address)
    numbers = [*range(131), 1_000_000]
    for language in LANGUAGES:
        picked = await person.page.evaluate(
            "([language, numbers]) => numbers.map((n) => new Intl.PluralRules(language).select(n))", [language, numbers]
        )
        assert picked == [Locale.parse(language).plural_form(n) for n in numbers]


async def test_the_rules_open_beside_the_game_and_lead_back_to_it(come: Enter) -> None:
    person = await come("Ana", locale="it")
    link = await person.open_table(2)
    await person.page.click("#menu summary")
    async with person.page.context.expect_page() as opened:
        await person.page.click(".rules-link")
    rules = await opened.value
    await rules.wait_for_selector(READY)
    assert await rules.inner_text("h1") == "Regole del gioco"
    assert await person.page.locator("#seats > li").count() == 2
    assert await person.page.get_attribute("#menu", "open") is None
    async with rules.expect_event("close"):
        await rules.click("#back")
    await person.page.goto(f"{person.address}/rules?table={link.rpartition('/')[2]}")
    await person.page.click("#back")
    await person.page.wait_for_url(link)


REFUSE = "async (told) => (await import('/static/js/lib/refusals.js')).whyRefused(told)"


async def test_a_refusal_is_said_in_the_language_of_the_page(come: Enter, server: FoglineServer) -> None:
    """From its reason, else from its code; the server's own sentence is for those who write programs."""
    short = {"code": "illegal_action", "detail": "English.", "reason": "cars_short", "facts": {"n": 2}}
    said = {
        "en": [
            "You are 2 cable cars short for this route.",
            "The rules don't allow this now.",
            "That didn't work just now. Try again in a moment.",
        ],
        "cs": [
            "Na tuto trasu ti chybí 2 lanové tramvaje.",
            "Tohle teď pravidla nedovolují.",
            "Teď se to nepovedlo. Zkus to za chvíli znovu.",
        ],
    }
    for language, sentences in said.items():
        person = await come("Ana", locale=language)
        await person.page.goto(server.address)
        told = [short, {**short, "reason": "a_new_one"}, {**short, "reason": None, "code": "a_new_one"}]
        assert [await person.page.evaluate(REFUSE, each) for each in told] == sentences
