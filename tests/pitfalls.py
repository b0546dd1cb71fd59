"""Which test covers which row of the pitfalls K1 to K7: a test says so in its name or docstring."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parent

NUMBERS = {
    "K1": "01 03 05 06 08 09 10 12 13 15 16 18 20",
    "K2": "01 02 03 04 06 09 12 13 14 15",
    "K3": "01 03 04 05 07 08 10 11 13 14 15",
    "K4": "01 02 05 06 07 08 09 10 12 13 14 15 18 20 21 23 25",
    "K5": "01 03 05 07 08",
    "K6": "01 02 03 05 08 09 11 12 13 15 16 18",
    "K7": "01 03 05 06 07 09 10",
    "K10": "03",
    "K11": "03 04 05 08 10",
    "K16": "10",
}

ROWS = [f"{chapter}-{number}" for chapter, numbers in NUMBERS.items() for number in numbers.split()]

ELSEWHERE = {
    "K3-15": "browser",
    "K5-05": "browser",
    "K7-01": "web",
    "K7-03": "rooms",
    "K7-05": "web",
    "K7-06": "web",
    "K7-10": "browser",
}
"""Rows that no test of the rules can cover, and the folder whose tests do."""

_ROW = re.compile(r"(?<![A-Z\d])(K\d{1,2})[-_](\d\d)(?!\d)")


@cache
def covering() -> dict[str, list[str]]:
    """For each row the tests that name it, as pytest knows them."""
    found: dict[str, list[str]] = {}
    for file in sorted(TESTS.rglob("test_*.py")):
        for name, text in _tests(file):
            for chapter, number in _ROW.findall(f"{name} {text}"):
                found.setdefault(f"{chapter}-{number}", []).append(f"{file.relative_to(TESTS)}::{name}")
    return found


def _tests(file: Path) -> Iterator[tuple[str, str]]:
    """The tests of a file with their docstrings."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield node.name, ast.get_docstring(node) or ""
