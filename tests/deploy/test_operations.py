"""The operations page says what is so."""

import re
from pathlib import Path

from app.cli.command import parser
from app.web.metrics import GAUGES

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "operations.md").read_text()


def test_every_figure_is_explained() -> None:
    for name in (*GAUGES, "fogline_moves_total", "fogline_refusals_total", "fogline_stage_seconds"):
        assert f"`{name}" in PAGE


def test_every_command_is_there_and_every_one_named_exists() -> None:
    usage = parser().format_help()
    commands = set(re.findall(r"^    ([a-z]+) ", usage, re.MULTILINE))
    assert commands == {"serve", "migrate", "backup", "restore", "check", "rooms", "board", "verify"}
    named = set(re.findall(r"(?:run|fogline) fogline ([a-z]+)", PAGE))
    assert named == commands - {"serve"}


def test_every_file_it_points_to_is_there() -> None:
    for target in re.findall(r"\]\(([^)#]+)", PAGE):
        assert (ROOT / "docs" / target).exists(), target
