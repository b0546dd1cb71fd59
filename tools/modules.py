"""Writes docs/modules.md, a line for each module: `.venv/bin/python -m tools.modules`."""

import ast
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from harness.paths import ROOT

TARGET = ROOT / "docs" / "modules.md"
FOLDERS = ("app", "static/js", "harness", "tools", "bench")

HEAD = """# Modules

What each file is for, by its first line. `.venv/bin/python -m tools.modules` writes this page.
"""


def render() -> str:
    found = [path for folder in FOLDERS for path in modules_in(ROOT / folder)]
    tables = (table(folder, list(files)) for folder, files in groupby(found, lambda path: path.parent))
    return HEAD + "".join(tables)


def modules_in(folder: Path) -> Iterator[Path]:
    """The modules of a folder, then those of its subfolders."""
    yield from sorted(path for path in folder.iterdir() if path.suffix in {".py", ".js"} and path.stat().st_size)
    for inner in sorted(path for path in folder.iterdir() if path.is_dir() and path.name != "__pycache__"):
        yield from modules_in(inner)


def table(folder: Path, files: list[Path]) -> str:
    rows = [f"| `{path.name}` | {purpose_of(path).replace('|', '&#124;')} |" for path in files]
    return "\n".join([f"\n## {folder.relative_to(ROOT).as_posix()}\n", "| module | is for |", "|---|---|", *rows, ""])


def purpose_of(path: Path) -> str:
    """The first sentence of a module's docstring or first comment.

    Raises:
        ValueError: it has none.
    """
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        told = ast.get_docstring(ast.parse(text)) or ""
    else:
        told = "\n".join(re.findall(r"^(?:// ?| \* ?|/\*\* ?)(.*)$", text.partition("\n\n")[0], re.MULTILINE))
    purpose = " ".join(told.split("\n\n")[0].split())
    if not purpose:
        raise ValueError(f"{path.name} has to begin with a docstring or comment that says what it is for")
    return re.split(r"(?<=[.:]) (?=[A-Z`])", purpose)[0].rstrip(".:") + "."


if __name__ == "__main__":
    TARGET.write_text(render(), "utf-8")
