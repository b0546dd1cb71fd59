"""Brings the catalogs up to date with the English words: `python -m tools.words`, and `--check` only says if they are.

A word that is new has no translation, one whose English has changed is marked as fuzzy, and one that is gone is
dropped. The tests want every word translated and none fuzzy.
"""

import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from app.web.site import ROOT
from app.web.words import FOLDER, TRANSLATED, entries

PASSING = (b'"POT-Creation-Date', b'"PO-Revision-Date', b'"Generated-By', b'"Report-Msgid-Bugs-To')
"""Lines of a catalog's header that would change with every run."""

HEADER = "# {language} words of Fogline. Kept up to date by: python -m tools.words"


def english_messages() -> Iterator[Message]:
    """Everything to translate: the words of scripts with their keys, then those of templates."""
    for key, entry in entries("en").items():
        forms = entry if isinstance(entry, str) else (entry["one"], entry["other"])
        yield Message(forms, context=key)
    found = extract_from_dir(ROOT / "templates", [("**.html", "jinja2")], {"**.html": {"trimmed": "true"}})
    for message_id in dict.fromkeys(found_id for _, _, found_id, _, _ in sorted(found)):
        yield Message(message_id)


def updated(old: Catalog) -> Catalog:
    """A catalog with the current English words, and the translations that still fit."""
    new = Catalog(
        old.locale,
        "fogline",
        header_comment=HEADER.format(language=old.locale and old.locale.english_name),
        project="Fogline",
        version="1",
        last_translator="The Fogline authors",
        language_team="The Fogline authors",
        fuzzy=False,
    )
    known = {_name(message): message for message in old if message.id}
    for message in english_messages():
        before = known.get(_name(message))
        strings = before.string if before and _counts(before) == _counts(message) else None
        flags = set(before.flags) if before else set()
        if before and before.id != message.id:
            flags.add("fuzzy")
        new.add(message.id, strings, flags=flags, context=message.context)
    return new


def as_text(catalog: Catalog) -> bytes:
    """A catalog as it is stored."""
    file = BytesIO()
    write_po(file, catalog, width=100, no_location=True, ignore_obsolete=True)
    return b"".join(line for line in file.getvalue().splitlines(keepends=True) if not line.startswith(PASSING))


def path_of(language: str) -> Path:
    """The file of a language's catalog."""
    return FOLDER / language / "LC_MESSAGES" / "fogline.po"


def refreshed(language: str) -> bytes:
    """The up-to-date content of a language's catalog; for a new language one without translations."""
    path = path_of(language)
    old = read_po(BytesIO(path.read_bytes() if path.exists() else b""), locale=language, domain="fogline")
    return as_text(updated(old))


def _name(message: Message) -> str:
    """What identifies a word: its key, or else its English."""
    return message.context or (message.id if isinstance(message.id, str) else message.id[0])


def _counts(message: Message) -> bool:
    return not isinstance(message.id, str)


def main() -> None:
    """Write the catalogs, or with `--check` fail if they are out of date."""
    for language in TRANSLATED:
        text = refreshed(language)
        if "--check" not in sys.argv:
            path_of(language).parent.mkdir(parents=True, exist_ok=True)
            path_of(language).write_bytes(text)
        elif path_of(language).read_bytes() != text:
            sys.exit(f"{path_of(language)} is old: python -m tools.words")


if __name__ == "__main__":
    main()
