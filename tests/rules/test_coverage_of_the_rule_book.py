"""Every clause of the rule book has a test that names it, and so has every row of the pitfalls K1 to K7."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.pitfalls import ELSEWHERE, ROWS, covering

NUMBERS = {"C": 6, "S": 6, "T": 2, "D": 6, "R": 7, "K": 3, "F": 4}

CLAUSES = [f"{part}{number}" for part, most in NUMBERS.items() for number in range(1, most + 1)]


@cache
def names() -> list[str]:
    files = sorted(Path(__file__).parent.glob("test_*.py"))
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in files]
    return [node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


@pytest.mark.parametrize("clause", CLAUSES)
def test_every_clause_is_named_by_a_test(clause: str) -> None:
    assert any(name.startswith(f"test_{clause}_") for name in names())


def test_no_test_names_a_clause_that_is_not_there() -> None:
    named = {match.group(1) for name in names() if (match := re.match(r"test_([A-Z]\d+)_", name))}
    assert named == set(CLAUSES)


@pytest.mark.parametrize("row", ROWS)
def test_every_row_of_the_pitfalls_is_named_by_a_test(row: str) -> None:
    folder = ELSEWHERE.get(row)
    tests = covering().get(row, [])
    assert tests
    assert folder is None or any(test.startswith(f"{folder}/") for test in tests)
