"""README and the documents say what is there: settings, commands, links, names, pictures, the board file."""

import re
import shlex
import subprocess
import sys
import tomllib
from dataclasses import fields
from pkgutil import resolve_name

import pytest

from app.boards import parse_board
from app.cli.command import parser
from app.config import PREFIX, Settings
from app.rules import Board, DestinationTicket, Location, Route
from app.rules.board import Label, TokenStack
from harness.documents import document, examples, parsed, rows
from harness.paths import ROOT

DOCUMENTS = ["README.md", "SECURITY.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))]
ARCHITECTURE = document("docs/architecture.md")
LARGEST_PICTURE = 250_000

WORDS = {"/": "", "none": "", "from the request": "", "a file in the data folder": "", "1": "1.0"}
"""Defaults as people say them."""


def test_readme_lists_every_setting_with_its_default() -> None:
    table = {row[0]: row[1] for row in rows(document("README.md"), "### Settings")}
    code = {f"{PREFIX}{name.upper()}": str(field.default or "") for name, field in Settings.model_fields.items()}
    assert {name: WORDS.get(default, default) for name, default in table.items()} == code


@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_other_settings_are_named(name: str) -> None:
    named = set(re.findall(rf"\b{PREFIX}[A-Z_]+\b", document(name)))
    image = {f"{PREFIX}{word}" for word in ("PUBLISH", "DOMAIN", "DATABASE_PASSWORD")}
    assert named - image <= {f"{PREFIX}{field.upper()}" for field in Settings.model_fields}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_commands_exist(name: str) -> None:
    usage = subprocess.run([ROOT / "run", "help"], capture_output=True, text=True, check=True).stdout
    known = re.findall(r"^\./run (\w+)", usage, re.MULTILINE)
    for words in commands(document(name)):
        assert not words or words[0] in known, words
        if words[:1] == ["bench"]:
            bench = ROOT / "bench" / words[1]
            assert bench.with_suffix(".py").exists() or (bench / "__main__.py").exists()
        if words[:1] == ["fogline"] and "--help" not in words:
            parser().parse_args(words[1:])


def commands(text: str) -> list[list[str]]:
    """The words behind every `./run` of a document."""
    found = re.findall(r"(?:^ {4}|`|^)(?:[A-Z_]+=\S+ )*\./run\b(?!/)([^`\n]*)", text, re.MULTILINE)
    return [shlex.split(rest, comments=True) for rest in found]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_somewhere(name: str) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", document(name)):
        path, _, anchor = target.partition("#")
        if "://" in path:
            continue
        file = (ROOT / name).parent / path if path else ROOT / name
        assert file.exists(), target
        assert not anchor or anchor in anchors(file.read_text("utf-8")), target


def anchors(text: str) -> set[str]:
    """What links may end with: the headings, as they are written in addresses."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_names_in_the_code_exist(name: str) -> None:
    for quoted in re.findall(r"`([^`\n]+)`", document(name)):
        if re.fullmatch(r"app(\.\w+)+", quoted):
            resolve_name(quoted)
        elif re.fullmatch(
            r"(app|static|templates|tests|bench|harness|locales|tools|deploy|migrations|docs)/[\w./-]*", quoted
        ):
            assert (ROOT / quoted).exists(), quoted


def test_the_layers_are_those_that_are_checked() -> None:
    contracts = tomllib.loads(document("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    layers = [contract["layers"] for contract in contracts if contract["type"] == "layers"]
    assert len(layers) == 2
    for each in layers:
        assert f"    {' > '.join(each)}\n" in ARCHITECTURE
    parts = " ".join(row[0] for row in rows(ARCHITECTURE, "## The parts"))
    for part in re.findall(r"\w+", " ".join(layers[0])):
        assert re.search(rf"\bapp/{part}\b", parts), part


def test_the_example_of_the_rules_runs() -> None:
    (block,) = re.findall(r"^```python\n(.*?)^```$", document("README.md"), re.MULTILINE | re.DOTALL)
    done = subprocess.run([sys.executable, "-c", block], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.count("Score(seat=") == 3


def test_the_example_of_a_board_can_be_played() -> None:
    ((_, block),) = examples(document("docs/boards.md"), "board")
    assert parse_board(block, "example").id == parsed(block)["id"]


def test_the_fields_of_a_board_are_all_told() -> None:
    table = {row[0]: " ".join(row) for row in rows(document("docs/boards.md"), "# Boards") if row[0]}
    assert set(table) - {"locations[].label"} == {field.name for field in fields(Board)}
    inner = {"locations": Location, "locations[].label": Label, "routes": Route, "tickets": DestinationTicket}
    for place, kind in {**inner, "token_stacks": TokenStack}.items():
        named = {field.name for field in fields(kind)} - {"twin"}
        assert all(re.search(rf"\b{name}\b", table[place]) for name in named), place


def test_pictures_are_small_and_shown() -> None:
    pictures = sorted((ROOT / "docs" / "pictures").iterdir())
    assert pictures
    for picture in pictures:
        assert picture.stat().st_size < LARGEST_PICTURE
        assert f"docs/pictures/{picture.name}" in document("README.md")
