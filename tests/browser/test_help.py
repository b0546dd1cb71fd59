"""The help: the list of keys, and the mode in which everything on the table says what it does."""

import re

import pytest

from app.web.site import ROOT
from app.web.words import TRANSLATED
from harness.browser import FoglineServer
from tests.browser.api_moves import begin_with_bot
from tests.browser.test_access import obstacles
from tests.browser.test_languages import check, english_left
from tests.browser.visitor import PHONE, Enter, Visitor

FOCUS = "document.activeElement.id"


async def ask(person: Visitor) -> None:
    """Begins to ask the table."""
    await person.page.click("#ask-table")
    await person.page.click("#help .main-action")
    await person.page.wait_for_selector(".asking")


async def answer(person: Visitor) -> tuple[str, str]:
    """The first words of the answer, and the clause of the page of rules that tells more, from where one comes back."""
    await person.page.wait_for_selector(".answer:visible")
    words = await person.page.inner_text(".answer p")
    link = str(await person.page.get_attribute(".answer a", "href"))
    assert link.startswith(f"/rules?table={person.page.url.rpartition('/')[2]}#")
    return words.split(":")[0].split(".")[0], link.rpartition("#")[2]


@pytest.mark.slow
async def test_the_sheet_of_keys_opens_by_its_key_and_by_its_button(come: Enter) -> None:
    person = await come("Ana")
    await begin_with_bot(person)
    page = person.page
    await page.keyboard.press("?")
    await page.wait_for_selector("#help[open]")
    assert {"Tab", "→", "PgDn", "Enter", "Esc", "?"} <= set(await page.locator("#help kbd").all_inner_texts())
    assert await obstacles(person, "sheet of help") == []
    await page.keyboard.press("Escape")
    await page.wait_for_selector("#help:not([open])", state="attached")
    await page.click("#ask-table")
    await page.wait_for_selector("#help[open]")
    await page.keyboard.press("?")
    await page.wait_for_selector("#help:not([open])", state="attached")
    assert await page.evaluate(FOCUS) == "ask-table"


async def test_a_question_mark_that_is_typed_stays_one(come: Enter) -> None:
    host, guest = await come("Ana"), await come("Bo")
    await guest.page.goto(await host.open_table(2))
    await guest.page.wait_for_selector("#sit-name:visible")
    await guest.page.press("#sit-name", "?")
    assert await guest.page.input_value("#sit-name") == "?"
    await guest.page.locator("#sit-name").blur()
    await guest.page.keyboard.press("?")
    await guest.page.wait_for_selector("#help[open]")


@pytest.mark.slow
async def test_what_is_touched_says_what_it_does_and_nothing_is_played(come: Enter) -> None:
    person = await come("Ana", color_scheme="dark")
    await begin_with_bot(person)
    page, version = person.page, await person.version()
    await ask(person)
    await page.click("#deck")
    assert await answer(person) == ("The deck", "cards")
    assert await obstacles(person, "an answer") == []
    await page.locator(".route.claimable .space").first.click()
    assert await answer(person) == ("A route", "claim")
    await page.locator("#hand .card").first.click(force=True)
    assert await answer(person) == ("Your cards of one color", "claim")
    await page.hover("#tickets .ticket")
    assert await answer(person) == ("Your ticket, seen by nobody else", "scoring")
    assert (await person.has_stayed_at(version), await page.is_visible("#chooser")) == (True, False)
    await page.click(".asking button")
    assert await page.locator(".answer, .asking").count() == 0
    await person.settle(page.click("#deck"))


async def test_the_table_is_asked_by_keys_alone(come: Enter) -> None:
    person = await come("Ana")
    await begin_with_bot(person)
    page, version = person.page, await person.version()
    await page.keyboard.press("?")
    await page.locator("#help .main-action").focus()
    await page.keyboard.press("Enter")
    await page.wait_for_selector(".asking")
    await page.focus("#draw-tickets")
    assert await answer(person) == ("Draw two destination tickets and keep one or both", "tickets")
    await page.keyboard.press("Enter")
    assert await page.evaluate("document.activeElement.closest('.answer') !== null")
    assert (await person.has_stayed_at(version), await page.is_visible("#ask")) == (True, False)
    await page.keyboard.press("Escape")
    assert await page.locator(".asking").count() == 0
    assert await page.evaluate(FOCUS) == "ask-table"


async def test_answers_stay_on_the_screen_of_a_phone_and_off_the_button_that_ends_them(come: Enter) -> None:
    person = await come("Ana", viewport=PHONE, has_touch=True, is_mobile=True, locale="cs")
    await begin_with_bot(person)
    await ask(person)
    for subject in ("#banner", "#deck", "#slot-2", ".player", "#hand .card >> nth=6"):
        if subject == ".player":
            await person.page.tap(".tab[data-tab=players]")
        if subject.startswith("#hand"):
            await person.page.tap(".tab[data-tab=hand]")
        await person.page.locator(subject).first.wait_for()
        await person.page.locator(subject).first.tap(force=True)
        await person.page.wait_for_selector(".answer:visible")
        box = await person.page.locator(".answer").bounding_box()
        assert box is not None
        assert box["x"] >= 0, subject
        assert box["x"] + box["width"] <= PHONE["width"], subject
        assert box["y"] >= 0, subject
        bar = await person.page.locator(".asking").bounding_box()
        assert bar is not None
        assert box["y"] + box["height"] <= bar["y"], subject
        await person.page.tap(".answer p")
        await person.page.wait_for_selector(".answer", state="hidden")


@pytest.mark.slow
@pytest.mark.parametrize("language", TRANSLATED)
async def test_help_is_in_the_language_of_the_page_and_fits_a_phone(come: Enter, language: str) -> None:
    english = english_left(language)
    person = await come("77", viewport=PHONE, has_touch=True, is_mobile=True, locale=language)
    await begin_with_bot(person)
    await person.page.click("#menu summary")
    await person.page.wait_for_selector("#theme:visible")
    await check(person, english, "menu")
    await person.page.keyboard.press("Escape")
    await person.page.click("#ask-table")
    await person.page.wait_for_selector("#help[open]")
    await check(person, english, "sheet")
    await person.page.click("#help .main-action")
    await person.page.locator("#deck").tap()
    await answer(person)
    await check(person, english, "answer")


@pytest.mark.parametrize("language", ["en", "ro"])
async def test_every_answer_leads_to_a_place_on_the_page_of_rules(
    come: Enter, server: FoglineServer, language: str
) -> None:
    source = (ROOT / "static" / "js" / "panels" / "help.js").read_text("utf-8")
    clauses = set(re.findall(r'"about\.\w+", "([\w-]+)"\]', source))
    person = await come("Ana", locale=language)
    await person.page.goto(f"{server.address}/rules")
    there = await person.page.eval_on_selector_all(".leaflet [id]", "all => all.map(({ id }) => id)")
    assert clauses
    assert clauses <= set(there)
