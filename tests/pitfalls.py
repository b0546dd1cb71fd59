"""Which test covers which row of the pitfalls K1 to K7: a test says so in its name or docstring."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parent

ROWS = [
    "K1-01",
    "K1-03",
    "K1-05",
    "K1-06",
    "K1-08",
    "K1-09",
    "K1-10",
    "K1-12",
    "K1-13",
    "K1-15",
    "K1-16",
    "K1-18",
    "K1-20",
    "K2-01",
    "K2-02",
    "K2-03",
    "K2-04",
    "K2-06",
    "K2-09",
    "K2-12",
    "K2-13",
    "K2-14",
    "K2-15",
    "K3-01",
    "K3-03",
    "K3-04",
    "K3-05",
    "K3-07",
    "K3-08",
    "K3-10",
    "K3-11",
    "K3-13",
    "K3-14",
    "K3-15",
    "K4-01",
    "K4-02",
    "K4-05",
    "K4-06",
    "K4-07",
    "K4-08",
    "K4-09",
    "K4-10",
    "K4-12",
    "K4-13",
    "K4-14",
    "K4-15",
    "K4-18",
    "K4-20",
    "K4-21",
    "K4-23",
    "K4-25",
    "K5-01",
    "K5-03",
    "K5-05",
    "K5-07",
    "K5-08",
    "K6-01",
    "K6-02",
    "K6-03",
    "K6-05",
    "K6-08",
    "K6-09",
    "K6-11",
    "K6-12",
    "K6-13",
    "K6-15",
    "K6-16",
    "K6-18",
    "K7-01",
    "K7-03",
    "K7-05",
    "K7-06",
    "K7-07",
    "K7-09",
    "K7-10",
    "K10-03",
    "K11-03",
    "K11-04",
    "K11-05",
    "K11-08",
    "K11-10",
    "K16-10",
]

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
