"""Table codes as people type and paste them. The page reads the same examples."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rooms import parse_code
from app.rooms.codes import LENGTH, LONGEST, SIGNS

PASTED: dict[str, list[str]] = json.loads((Path(__file__).parent.parent / "codes.json").read_text("utf-8"))
"""Texts by the code that is meant; by an empty text those that hold none."""

CODES = st.text(SIGNS, min_size=LENGTH, max_size=LENGTH)


@pytest.mark.parametrize(("meant", "text"), [(meant, text) for meant, texts in PASTED.items() for text in texts])
def test_the_code_in_what_was_pasted(meant: str, text: str) -> None:
    assert parse_code(text) == (meant or None)


def test_a_code_in_an_endless_text_is_not_looked_for() -> None:
    assert parse_code("7K3M9XQ2".rjust(LONGEST)) == "7K3M9XQ2"
    assert parse_code("7K3M9XQ2".rjust(LONGEST + 1)) is None


@given(CODES, st.text("().,;!?<>[]*_`\"'\u201c\u201d\u00ab\u00bb\u300c \n\t\u200b\u2069\ufeff-\u2013", max_size=6))
def test_what_stands_round_a_code_or_a_link_changes_nothing(code: str, round_it: str) -> None:
    for text in (code, code.lower(), f"{code[:4]} {code[4:]}", f"https://fog.example/t/{code}"):
        assert parse_code(f"{round_it}{text}{round_it}") == code


@given(st.text(max_size=60))
def test_what_is_found_is_a_code(text: str) -> None:
    found = parse_code(text)
    assert found is None or parse_code(found) == found
