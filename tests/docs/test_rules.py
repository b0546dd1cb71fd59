"""The rule book has every clause that code and tests cite, and tests cover every clause."""

import re
from pathlib import Path

from tests.docs.paths import ROOT, document

CLAUSES = re.findall(r'^- <a id="(\w+)"></a>\*\*\1\*\* ', document("docs/rules.md"), re.MULTILINE)
CITED = re.compile(r"(?<![\w-])([CSTDRKF][1-9])(?![\w-])")
TESTED = re.compile(r"def test_([CSTDRKF]\d+)_")
CODE = list((ROOT / "app").rglob("*.py"))
TESTS = list((ROOT / "tests" / "rules").rglob("*.py"))


def found(pattern: re.Pattern[str], files: list[Path]) -> set[str]:
    return {clause for file in files for clause in pattern.findall(file.read_text("utf-8"))}


def test_clauses_are_numbered_without_gaps_and_stand_once() -> None:
    assert len(CLAUSES) == len(set(CLAUSES)) == 34
    for letter in "CSTDRKF":
        numbers = [int(clause[1:]) for clause in CLAUSES if clause[0] == letter]
        assert numbers == list(range(1, len(numbers) + 1))


def test_every_clause_that_code_cites_exists() -> None:
    cited = found(CITED, CODE)
    assert {"R6", "D4"} <= cited
    assert cited <= set(CLAUSES)


def test_every_clause_has_a_test() -> None:
    assert set(CLAUSES) - found(TESTED, TESTS) == set()
