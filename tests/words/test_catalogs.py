"""Every word in every language: there, up to date, with the same places, the glossary's terms and the right plurals."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from babel import Locale
from babel.messages.catalog import Message

from app.rooms import Code, ReasonName
from app.rules import Event
from app.rules.reasons import FACTS
from app.web.script_imports import IMPORTED, SCRIPTS
from app.web.site import ROOT
from app.web.words import (
    LANGUAGES,
    PARTS,
    TRANSLATED,
    Entry,
    english,
    entries,
    module_of,
    read_catalog,
    samples,
    translations,
)
from harness.documents import document, rows
from tools.words import english_messages, path_of, refreshed

NUMBERS = (*range(131), 1_000_000)

TERMS = {
    r"\btransport cards?\b": {"ro": "transport", "da": "transportkort", "it": "trasporto", "cs": "přepravní"},
    r"\bferr(y|ies)\b": {"ro": "feribot", "da": "færge", "it": "traghett", "cs": "trajekt"},
    r"\btickets?\b": {"ro": "bilet", "da": "rutekort", "it": "bigliett", "cs": "cíl|splněn|karta"},
    r"\btourist tokens?\b": {"ro": "jeto[an]", "da": "turistmarkør", "it": "segnalin", "cs": "turistick"},
    r"\bcable cars?\b": {"ro": "funicular", "da": "sporvogn", "it": r"\btram\b", "cs": "lanov"},
    r"\blocations?\b": {"ro": "locați", "da": "sted", "it": "località", "cs": "lokac"},
    r"\broutes?\b": {"ro": r"\brut[aăe]", "da": "strækning|dobbeltspor", "it": "line[ae]", "cs": "tras|trajekt"},
    r"\bdouble route\b": {"ro": r"rut\w+ dubl", "da": "dobbeltspor", "it": "doppia linea", "cs": "dvojit"},
    r"\bclaim": {"ro": "revendic|rută", "da": "krav|strækning", "it": "controllo|linea", "cs": "obsa|trasu"},
    r"\bdraw": {"ro": r"\btra[gs]", "da": r"tr[æu]k|lod", "it": "pesc|estratto", "cs": "dob[eiířr]|los|druh"},
    r"\bdrew": {"ro": "tras", "da": "trak", "it": "pescato", "cs": "dobírá"},
    r"\bkeep|\bkept": {"ro": "păstr", "da": "behold", "it": r"\bt(i?en|enut)", "cs": "ponech"},
    r"\bdiscarded": {"ro": "depu", "da": "smid", "it": "scart", "cs": "odho"},
    r"\bdeck\b": {"ro": "teanc", "da": "stak", "it": "mazzo", "cs": "balíč"},
    r"\bface up\b": {"ro": "cu fața în sus", "da": "billedsiden opad", "it": "a faccia in su", "cs": "lícem vzhůru"},
    r"\bplayers?\b": {"ro": "jucător", "da": "spiller", "it": "giocator", "cs": "hráč"},
    r"\b(your|last|first) turns?\b": {"ro": r"\btur", "da": r"\btur", "it": "turn", "cs": r"tah"},
    r"\bpoints?\b": {"ro": "punct", "da": "point", "it": "punt", "cs": r"\bbod"},
    r"\bwinner\b": {"ro": "câștigător", "da": "vinder", "it": "vincitore", "cs": "vítěz"},
}
"""The glossary: where the English has the first, each language has its own."""

OTHER_SENSE = {"wait.away", "ask.keep.none"}
"""A seat is kept, and what is marked is not named."""

COLUMNS = ("ro", "da", "it", "cs")

USES = re.compile(r"""["'`]([a-z_]+(?:\.[a-z_-]+|\.\$\{[^}]*\})*(?:_\$\{[^}]*\})?)["'`]""")


def forms(message: Message) -> Sequence[str]:
    return message.string if isinstance(message.string, tuple) else (str(message.string),)


def ids(message: Message) -> Sequence[str]:
    return message.id if isinstance(message.id, tuple) else (str(message.id),)


def all_messages() -> Iterator[tuple[str, Message]]:
    for language in TRANSLATED:
        for message in read_catalog(language):
            if message.id:
                yield language, message


def name(message: Message) -> str:
    return message.context or ids(message)[0]


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_catalog_holds_exactly_the_words_there_are(language: str) -> None:
    assert path_of(language).read_bytes() == refreshed(language), "run: python -m tools.words"


def test_every_word_is_translated_and_none_is_in_doubt() -> None:
    open_words = [f"{language}: {name(message)}" for language, message in all_messages() if not all(forms(message))]
    doubtful = [f"{language}: {name(message)}" for language, message in all_messages() if message.fuzzy]
    assert (open_words, doubtful) == ([], [])


def test_every_language_has_the_same_places_in_a_sentence() -> None:
    wrong = [
        (language, name(message), form)
        for language, message in all_messages()
        for form in forms(message)
        if places(form) - places(*ids(message)) or places(ids(message)[-1]) - places(forms(message)[-1])
    ]
    assert wrong == []


def places(*texts: str) -> set[str]:
    return {place for text in texts for place in re.findall(r"\{\w+\}|%\(\w+\)s", text)}


@pytest.mark.parametrize("term", TERMS)
def test_the_words_of_the_glossary_are_used(term: str) -> None:
    missing = [
        (language, name(message), form)
        for language, message in all_messages()
        for said, form in zip((ids(message)[0], ids(message)[-1]), (forms(message)[0], forms(message)[-1]), strict=True)
        if name(message) not in OTHER_SENSE
        and re.search(term, re.sub(r"\{\w+\}", "", said), re.IGNORECASE)
        and not re.search(TERMS[term][language], form, re.IGNORECASE)
    ]
    assert missing == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_colors_are_those_of_the_glossary(language: str) -> None:
    words, column = entries(language), COLUMNS.index(language) + 1
    glossary = list(rows(document("docs/glossary.md"), "# Glossary", table=2))
    assert len(glossary) == 7
    assert {row[0]: words[f"card.{row[0]}"] for row in glossary} == {row[0]: row[column] for row in glossary}


@pytest.mark.parametrize("term", TERMS)
def test_terms_are_found_in_the_glossary(term: str) -> None:
    """What a translation is searched for is how the glossary says it."""
    glossary = rows(document("docs/glossary.md"), "# Glossary")
    for row in [row for row in glossary if re.search(term, row[0].partition(" (")[0], re.IGNORECASE)]:
        for language, text in zip(COLUMNS, row[1:], strict=True):
            assert re.search(TERMS[term][language], text, re.IGNORECASE), (language, text)


def test_letters_are_the_right_ones() -> None:
    wrong = [
        (language, form)
        for language, message in all_messages()
        for form in forms(message)
        if re.search("[şţŞŢ—]", form)
    ]
    assert wrong == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_each_number_takes_the_same_form_in_browser_and_catalog(language: str) -> None:
    """A browser picks by the category of the number, gettext by the catalog's own rule."""
    known, locale = translations(language), Locale.parse(language)
    for message in read_catalog(language):
        if not message.context or isinstance(message.id, str):
            continue
        one, other = ids(message)
        entry = entries(language)[message.context]
        assert isinstance(entry, dict)
        for n in NUMBERS:
            form = entry.get(locale.plural_form(n), entry["other"])
            assert form == known.npgettext(message.context, one, other, n), (message.context, n)


def test_romanian_and_czech_have_three_forms() -> None:
    assert set(samples("ro")) == set(samples("cs")) == {"one", "few", "other"}
    assert [translations("ro").ngettext("%(n)s seat", "%(n)s seats", n) for n in (1, 2, 20)] == [
        "%(n)s loc",
        "%(n)s locuri",
        "%(n)s de locuri",
    ]
    assert entries("cs")["points"] == {"one": "{n} bod", "few": "{n} body", "other": "{n} bodů"}


def test_every_word_is_used_and_every_word_used_is_there() -> None:
    scripts = "\n".join(read_scripts().values())
    unused = set(entries("en")) - said_in(scripts)
    assert {key for key in unused if not key.startswith(("card.", "symbol."))} == set()
    called = set(re.findall(r"""(?:\bt|\bphrase)\(\s*"([\w.]+)\"""", scripts))
    assert called - set(entries("en")) == set()


def test_each_refusal_has_its_sentence() -> None:
    keys = {key.removeprefix("refused.") for key in entries("en") if key.startswith("refused.")}
    assert keys == {*Code, "unreachable"}


SAID_BY_THE_CODE = {"not_your_turn", "no_such_place"}
"""Reasons without a sentence: the code says as much, or no page can meet it."""

KNOWN_TO_THE_PAGE = {"no_cookie"}
"""Reasons that the page finds by itself."""


def test_each_reason_has_its_sentence_with_its_facts() -> None:
    named = {name for names in get_args(ReasonName) for name in get_args(names)}
    keys = {key.removeprefix("reason.") for key in entries("en") if key.startswith("reason.")}
    assert named - keys == SAID_BY_THE_CODE
    assert keys - named == KNOWN_TO_THE_PAGE
    assert set(FACTS) <= named
    for key in keys:
        used = {place.strip("{}") for place in places(*forms_of(entries("en")[f"reason.{key}"]))}
        assert used == FACTS.get(key, frozenset()), key


def test_every_reason_is_given_somewhere() -> None:
    source = "\n".join(path.read_text("utf-8") for path in (ROOT / "app").rglob("*.py"))
    names = [name for names in get_args(ReasonName) for name in get_args(names)]
    assert len(names) == len(set(names))
    assert [name for name in names if source.count(f'"{name}"') < 2] == []


def forms_of(entry: Entry) -> list[str]:
    return [entry] if isinstance(entry, str) else list(entry.values())


def test_the_script_of_words_changes_its_tag_with_its_words() -> None:
    modules = [module_of(language, part) for language in LANGUAGES for part in PARTS]
    assert len({module.tag for module in modules}) == len(modules)
    assert all(module.plain.startswith(b"export const words = {") for module in modules)


def test_a_word_stands_in_one_place() -> None:
    assert len(entries("en")) == sum(len(english(part)) for part in PARTS)


def test_a_script_that_uses_more_words_imports_them_and_is_loaded_on_demand() -> None:
    scripts = read_scripts()
    using = {script for script, text in scripts.items() if said_in(text) & set(english("-more"))}
    bringing = {
        script for script in scripts if SCRIPTS / "lib" / "more-words.js" in imports_of(script, scripts[script])
    }
    assert using <= bringing
    assert (
        bringing & at_once(scripts, *(SCRIPTS / "pages" / f"{page}.js" for page in ("table", "home", "rules"))) == set()
    )


def said_in(script: str) -> set[str]:
    """The keys of words that a script may say; a key that is made up stands for all it may become."""
    patterns = [re.sub(r"\$\{[^}]*\}", "*", used) for used in USES.findall(script)]
    matchers = [re.compile(re.escape(pattern).replace(r"\*", ".+")) for pattern in patterns]
    return {key for key in entries("en") if any(matcher.fullmatch(key) for matcher in matchers)}


def at_once(scripts: dict[Path, str], *entries: Path) -> set[Path]:
    """The scripts that are loaded together with these."""
    reached: set[Path] = set()
    waiting = set(entries)
    while waiting:
        reached |= waiting
        waiting = {each for script in waiting for each in imports_of(script, scripts[script])} - reached
    return reached


def read_scripts() -> dict[Path, str]:
    return {path: path.read_text("utf-8") for path in SCRIPTS.rglob("*.js")}


def imports_of(script: Path, text: str) -> set[Path]:
    return {(script.parent / name).resolve() for _, name in IMPORTED.findall(text)}


def test_templates_say_nothing_that_is_not_translated() -> None:
    """Text between tags stands in gettext's calls, names of places and the game's own name aside."""
    allowed = {"Fogline", "Alcatraz · Sunset", "Marina · Soma"}
    for template in (ROOT / "templates").glob("*.html"):
        text = re.sub(
            r"\{%-? (macro|trans).*?\{% end(macro|trans) %\}", "", template.read_text("utf-8"), flags=re.DOTALL
        )
        text = re.sub(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", "", text, flags=re.DOTALL)
        said = {piece.strip(" –\n") for piece in re.findall(r">([^<>]*[A-Za-z]{2}[^<>]*)<", text)}
        assert said <= allowed, template.name


def test_the_english_words_are_those_of_the_messages() -> None:
    keyed = {message.context for message in english_messages() if message.context}
    assert keyed == set(entries("en"))


def test_each_kind_of_event_has_its_sentence_or_none_on_purpose() -> None:
    """The type check of the scripts finds a forgotten one too, but runs only where Node is."""
    log = (SCRIPTS / "panels" / "log.js").read_text("utf-8")
    kinds = [get_args(get_type_hints(kind)["type"])[0] for kind in get_args(Event)]
    assert sorted(re.findall(r'case "(\w+)":', log)) == sorted(kinds)
