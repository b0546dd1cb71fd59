"""Reads examples and tables of the documents, and the names of fields in a JSON value."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from harness.paths import ROOT

OPEN = {"discard", "stacks", "owners", "hand", "claims", "payment", "payments"}
"""Fields whose names inside are ids and cards, so that `*` stands for them."""

WHOLE = {"board", "messages"}
"""Fields that are a file of its own, or messages, both told elsewhere."""


def document(name: str) -> str:
    """The text of a document."""
    return (ROOT / name).read_text("utf-8")


def examples(text: str, kind: str) -> Iterator[tuple[str, str]]:
    """The JSON blocks of a kind, each with what stands behind the kind in its first line."""
    for found in re.finditer(rf"^```json {kind}(?: ([^\n]+))?\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield found[1] or "", found[2]


def rows(text: str, heading: str, table: int = 1) -> Iterator[list[str]]:
    """The cells of a table after a heading, the first by default, without backticks, from its third line."""
    section = f"\n{text}".split(f"\n{heading}\n", 1)[1]
    tables = re.findall(r"^\|.*\n\|[-| ]+\n((?:\|.*\n)+)", section, re.MULTILINE)
    assert len(tables) >= table, heading
    for line in tables[table - 1].splitlines():
        yield [cell.strip().replace("`", "") for cell in line.strip("|").split("|")]


def field_names(value: Any, place: str = "") -> set[str]:
    """Every field in a value by its way from the outside: `view.players[].seat`."""
    if isinstance(value, list):
        return set().union(*(field_names(item, f"{place}[]") for item in value))
    if not isinstance(value, dict):
        return set()
    names: set[str] = set()
    for name, inner in value.items():
        step = f"{place}.{'*' if _is_open(place) else name}".lstrip(".")
        names |= {step} | (set() if name in WHOLE else field_names(inner, step))
    return names


def fields_of_all(values: Iterable[Any], place: str = "") -> set[str]:
    """Every field in any of the values."""
    return set().union(*(field_names(value, place) for value in values))


def under(value: Any, way: str) -> Any:
    """The value at a way from the outside, None where it does not lead anywhere."""
    for step in filter(None, way.split(".")):
        value = value.get(step) if isinstance(value, dict) else None
    return value


def called(calls: Iterable[str], call: str) -> str:
    """A call as the document names it: `GET /api/v1/rooms/{code}` for that of a room."""
    return next((name for name in calls if re.fullmatch(re.sub(r"{\w+}", "[^/]+", name), call)), call)


def parsed(block: str) -> Any:
    """The JSON of an example."""
    return json.loads(block)


def _is_open(place: str) -> bool:
    return place.replace("[]", "").rpartition(".")[2] in OPEN
