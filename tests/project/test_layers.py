"""What the import contracts in pyproject.toml can't say."""

import ast
import sys
from pathlib import Path

import pytest

from harness.paths import ROOT

APP = ROOT / "app"


def imported(module: Path) -> set[str]:
    """The first part of the name of each module that is imported absolutely."""
    nodes = list(ast.walk(ast.parse(module.read_text(encoding="utf-8"))))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    taken = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom) and node.level == 0}
    return {name.partition(".")[0] for name in plain | taken}


def importers(folder: Path, foreign: set[str]) -> dict[str, set[str]]:
    """What the modules of a folder import of a set, by module."""
    found = {module.relative_to(ROOT).as_posix(): imported(module) & foreign for module in folder.rglob("*.py")}
    return {module: names for module, names in found.items() if names}


def test_the_rules_stand_on_the_standard_library() -> None:
    everything = {name for module in APP.rglob("*.py") for name in imported(module)}
    assert not importers(APP / "rules", everything - sys.stdlib_module_names - {"app"})


def test_only_config_boards_and_wire_know_pydantic() -> None:
    known = importers(APP, {"pydantic", "pydantic_core", "pydantic_settings"})
    assert {module.split("/")[1].removesuffix(".py") for module in known} <= {"boards", "config", "wire"}


@pytest.mark.parametrize(
    ("folder", "forbidden"),
    [
        ("app", {"bench", "harness", "tests", "tools"}),
        ("migrations", {"bench", "harness", "tests", "tools"}),
        ("harness", {"bench", "tests", "tools"}),
        ("bench", {"tests", "tools"}),
        ("tools", {"bench", "tests"}),
    ],
)
def test_the_product_stands_alone_and_benchmarks_and_tools_share_only_the_harness(
    folder: str, forbidden: set[str]
) -> None:
    assert not importers(ROOT / folder, forbidden)
