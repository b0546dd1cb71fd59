"""The words of the pages in all languages.

English is written in the templates, and for scripts in `locales/en.json` and `locales/en-more.json`, by keys. The other
languages are gettext catalogs, `locales/<language>/LC_MESSAGES/fogline.po`, in which the words of scripts have their
key as context.
"""

from collections.abc import Iterator
from functools import cache
from gettext import NullTranslations
from io import BytesIO
from itertools import chain
from typing import Any

import orjson
from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations
from starlette.requests import HTTPConnection, Request

from .cookies import OLD_LANGUAGE
from .files import Sent, pack
from .site import ROOT, site_of

LANGUAGES = {"en": "English", "ro": "Română", "da": "Dansk", "it": "Italiano", "cs": "Čeština"}
TRANSLATED = tuple(language for language in LANGUAGES if language != "en")
FOLDER = ROOT / "locales"
PARTS = ("", "-more")
"""How the names of the scripts with words end: what is needed to play a move, and the rest."""

Entry = str | dict[str, str]
"""A sentence, or one for each plural category of the language. A missing category is like `other`."""


@cache
def read_catalog(language: str) -> Catalog:
    with (FOLDER / language / "LC_MESSAGES" / "fogline.po").open("rb") as file:
        return read_po(file, locale=language, domain="fogline")


@cache
def translations(language: str) -> NullTranslations:
    """The compiled catalog of a language. English is what gettext translates from."""
    if language not in TRANSLATED:
        return NullTranslations()
    compiled = BytesIO()
    write_mo(compiled, read_catalog(language))
    compiled.seek(0)
    return Translations(compiled, domain="fogline")


@cache
def module_of(language: str, part: str) -> Sent:
    """The script with a part of a language's words."""
    known = entries(language)
    words = {key: known[key] for key in english(part)}
    return pack(f"export const words = {orjson.dumps(words).decode()};\n")


@cache
def english(part: str) -> dict[str, Entry]:
    """A part of the English words by their keys."""
    words: dict[str, Entry] = orjson.loads((FOLDER / f"en{part}.json").read_bytes())
    return words


def entries(language: str) -> dict[str, Entry]:
    """The words of all scripts by their keys."""
    if language == "en":
        return {key: entry for part in PARTS for key, entry in english(part).items()}
    return {message.context: _entry(language, message) for message in read_catalog(language) if message.context}


def _entry(language: str, message: Message) -> Entry:
    known, key = translations(language), str(message.context)
    if isinstance(message.id, str):
        return known.pgettext(key, message.id)
    one, other = message.id
    forms = {category: known.npgettext(key, one, other, n) for category, n in samples(language).items()}
    return {category: form for category, form in forms.items() if category == "other" or form != forms["other"]}


@cache
def samples(language: str) -> dict[str, int]:
    """A whole number for each plural category, as browsers choose them."""
    locale = Locale.parse(language)
    return {locale.plural_form(n): n for n in chain([1_000_000], range(200))}


def language_of(connection: HTTPConnection) -> str:
    """The chosen language, else the first known one that the browser accepts, else English."""
    cookies = site_of(connection).identities.cookies
    chosen = [connection.cookies.get(name, "") for name in (cookies.language, OLD_LANGUAGE)]
    asked = wishes(connection.headers.get("accept-language", ""))
    return next((language for language in chain(chosen, asked) if language in LANGUAGES), "en")


def wishes(header: str) -> Iterator[str]:
    """The languages of an Accept-Language header, without countries, the most preferred first."""
    weighed = [_weigh(part) for part in header.split(",")[:20]]
    for language, weight in sorted(weighed, key=lambda wish: -wish[1]):
        if weight > 0:
            yield language


def _weigh(part: str) -> tuple[str, float]:
    language, _, weight = part.replace(" ", "").partition(";q=")
    try:
        return language.split("-")[0].lower(), float(weight or 1)
    except ValueError:
        return language, 0.0


def words_of_page(request: Request) -> dict[str, Any]:
    """The context of templates for the reader's language."""
    language = language_of(request)
    known = translations(language)
    return {
        "language": language,
        "languages": LANGUAGES,
        "language_cookie": site_of(request).identities.cookies.language,
        "gettext": known.gettext,
        "ngettext": known.ngettext,
    }
