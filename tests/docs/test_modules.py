"""Every module is described: by its own first line, and the parts in the architecture's tables."""

from harness.documents import document, rows
from harness.paths import ROOT
from tools.modules import TARGET, render

ARCHITECTURE = document("docs/architecture.md")


def test_the_page_of_modules_is_up_to_date() -> None:
    assert TARGET.read_text("utf-8") == render(), "run: python -m tools.modules"


def test_the_architecture_names_every_part_of_the_application() -> None:
    parts = {path.name for path in (ROOT / "app").iterdir() if path.suffix == ".py" or path.is_dir()}
    told = {row[0].removeprefix("app/").split("/")[0] for row in rows(ARCHITECTURE, "## The parts")}
    assert parts - {"__init__.py", "__main__.py", "__pycache__"} == told


def test_the_architecture_names_every_folder_of_scripts() -> None:
    folders = {f"static/js/{path.name}" for path in (ROOT / "static" / "js").iterdir() if path.is_dir()}
    told = {name for row in rows(ARCHITECTURE, "## The browser's side") for name in row[0].split(", ")}
    assert folders == {name for name in told if name.startswith("static/js/") and not name.endswith(".js")}
