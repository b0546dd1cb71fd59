"""What the import contracts in pyproject.toml can't say."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RULES = sorted((ROOT / "app" / "rules").rglob("*.py"))


def imported(source: str) -> set[str]:
    """The first part of each module's name that is imported absolutely."""
    nodes = list(ast.walk(ast.parse(source)))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    taken = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom) and node.level == 0}
    return {name.partition(".")[0] for name in plain | taken}


@pytest.mark.parametrize("module", RULES, ids=lambda module: module.stem)
def test_the_rules_stand_on_the_standard_library(module: Path) -> None:
    assert imported(module.read_text(encoding="utf-8")) <= sys.stdlib_module_names | {"app"}
