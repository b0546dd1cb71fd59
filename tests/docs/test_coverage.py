"""Clauses of `docs/rules.md` and cases of `docs/pitfalls.md` are cited as they stand, and each has a test naming it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.documents import document
from harness.paths import ROOT

CLAUSES = re.findall(r'^- <a id="(\w+)"></a>\*\*\1\*\* ', document("docs/rules.md"), re.MULTILINE)
CASES = re.findall(r"^\| (BUG\d{3,4}) \|", document("docs/pitfalls.md"), re.MULTILINE)

CITED_CLAUSE = re.compile(r"(?<![\w-])([CSTDRKF][1-9])(?![\w-])")
CITED_CASE = re.compile(r"(BUG\d+)")


def named_tests(folder: Path) -> Iterator[tuple[str, str]]:
    """The name of each test below a folder, and the text that may cite a case: its name and its docstring."""
    for file in folder.rglob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                yield node.name, f"{node.name} {ast.get_docstring(node) or ''}"


NAMED_CLAUSES = {
    found[1] for name, _ in named_tests(ROOT / "tests" / "rules") if (found := re.match(r"test_([A-Z]\d)_", name))
}
NAMED_CASES = {case for _, text in named_tests(ROOT / "tests") for case in CITED_CASE.findall(text)}


def test_clauses_are_numbered_without_gaps_and_stand_once() -> None:
    assert len(CLAUSES) == len(set(CLAUSES))
    for letter in "CSTDRKF":
        numbers = [int(clause[1:]) for clause in CLAUSES if clause[0] == letter]
        assert numbers == list(range(1, len(numbers) + 1))
        assert numbers


def test_every_clause_that_code_cites_exists() -> None:
    cited = {
        clause for file in (ROOT / "app").rglob("*.py") for clause in CITED_CLAUSE.findall(file.read_text("utf-8"))
    }
    assert {"R6", "D4"} <= cited <= set(CLAUSES)


@pytest.mark.parametrize("clause", CLAUSES)
def test_every_clause_has_a_test(clause: str) -> None:
    assert clause in NAMED_CLAUSES


@pytest.mark.parametrize("case", CASES)
def test_every_case_has_a_test(case: str) -> None:
    assert case in NAMED_CASES


def test_no_test_names_a_clause_or_case_that_is_not_there() -> None:
    assert set(CLAUSES) >= NAMED_CLAUSES
    assert set(CASES) >= NAMED_CASES
    assert len(CASES) == len(set(CASES))
