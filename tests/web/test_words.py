"""Which language a page comes in, and the words its scripts ask for."""

import re
from pathlib import Path

import pytest
from httpx import AsyncClient

from app.web.cookies import OLD_LANGUAGE
from app.web.words import LANGUAGES, wishes
from harness.callers import open_client, settings_in

TITLES = {
    "en": "Rules of the game",
    "ro": "Regulile jocului",
    "da": "Spillets regler",
    "it": "Regole del gioco",
    "cs": "Pravidla hry",
}


WISHES = {
    "": [],
    "cs": ["cs"],
    "ro-RO,ro;q=0.9,en-US;q=0.8,en;q=0.7": ["ro", "ro", "en", "en"],
    "en;q=0.2, da;q=0.9 , it;q=0.5": ["da", "it", "en"],
    "cs;q=0, IT": ["it"],
    "*;q=0.5, ;;;, da;q=much": [";;;", "*"],
}


@pytest.mark.parametrize(("header", "languages"), WISHES.items())
def test_wishes_are_heard_in_their_order(header: str, languages: list[str]) -> None:
    assert [language for language in wishes(header) if language] == languages


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_page_comes_in_the_language_the_browser_asks_for(client: AsyncClient, language: str) -> None:
    page = (await client.get("/rules", headers={"accept-language": f"xx, {language}-XX;q=0.9, en;q=0.5"})).text
    assert f'<html lang="{language}">' in page
    assert f"<h1>{TITLES[language]}</h1>" in page
    assert f'<option value="{language}" lang="{language}" selected>' in page


async def test_a_choice_goes_before_the_browsers_wish_if_it_is_a_language(client: AsyncClient) -> None:
    asked = {"accept-language": "it"}
    for chosen, language in (("cs", "cs"), ("xx", "it"), ("../../etc", "it")):
        for name in (await language_cookie(client), OLD_LANGUAGE):
            page = (await client.get("/", headers={**asked, "cookie": f"{name}={chosen}"})).text
            assert f'<html lang="{language}">' in page


async def test_the_choice_of_another_installation_on_this_host_counts_for_less(client: AsyncClient) -> None:
    name = await language_cookie(client)
    assert name != OLD_LANGUAGE
    for cookie in (f"{name}=cs; {OLD_LANGUAGE}=da", f"{OLD_LANGUAGE}=da; {name}=cs", f"{name}x=da; {name}=cs"):
        assert '<html lang="cs">' in (await client.get("/", headers={"cookie": cookie})).text


async def language_cookie(client: AsyncClient) -> str:
    """The name of the cookie that the page sets."""
    (name,) = re.findall(r'data-cookie="([^"]+)"', (await client.get("/rules")).text)
    return str(name)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_words_of_a_language_are_a_script_beside_the_others(tmp_path: Path, language: str) -> None:
    async with open_client(settings_in(tmp_path, base_path="/fog")) as client:
        answer = await client.get(f"/fog/static/js/words/{language}.js")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
        assert answer.headers["content-encoding"] == "gzip"
        assert "do.turn" in answer.text
        again = {"if-none-match": answer.headers["etag"]}
        assert (await client.get(f"/fog/static/js/words/{language}.js", headers=again)).status_code == 304


async def test_other_languages_have_no_words(client: AsyncClient) -> None:
    assert (await client.get("/static/js/words/xx.js")).status_code == 404
    assert (await client.get("/static/js/words/..%2Fcs.js")).status_code == 404


async def test_words_are_the_same_for_all_who_take_them_plain(client: AsyncClient) -> None:
    for language in LANGUAGES:
        answer = await client.get(f"/static/js/words/{language}.js", headers={"accept-encoding": "identity"})
        assert "content-encoding" not in answer.headers
        assert answer.text.startswith("export const words = {")


async def test_a_refused_name_says_why_in_every_language(client: AsyncClient) -> None:
    for name, reason in (("   ", "name_length"), ("Admin", "name_reserved"), ("a\u202eb", "name_hidden")):
        refused = (await client.post("/api/v1/players", json={"name": name})).json()
        assert (refused["reason"], refused["facts"]) == (reason, {})
