"""Scripts and styles stay within what the oldest supported browsers know; `baseline.toml` lists what came later."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from app.web.site import ROOT

BASELINE = tomllib.loads(Path(__file__).with_name("baseline.toml").read_text("utf-8"))
FEATURES: list[dict[str, Any]] = BASELINE["feature"]
BROWSERS: dict[str, float] = BASELINE["browsers"]


def sources() -> dict[str, str]:
    """Scripts, styles and templates by the names of their files, without comments."""
    files = [*ROOT.glob("static/**/*.js"), *ROOT.glob("static/**/*.css"), *ROOT.glob("templates/*.html")]
    return {str(file.relative_to(ROOT)): without_comments(file.read_text("utf-8")) for file in files}


def without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/|^\s*//[^\n]*", "", text, flags=re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("feature", FEATURES, ids=lambda feature: str(feature["name"]))
def test_what_came_later_is_used_only_where_its_absence_is_harmless(feature: dict[str, Any]) -> None:
    found = re.compile(feature["pattern"], re.MULTILINE)
    used = {Path(file).name for file, text in sources().items() if found.search(text)}
    assert used == set(feature.get("files", []))
    assert ("harmless" in feature) == ("files" in feature)


@pytest.mark.parametrize("feature", FEATURES, ids=lambda feature: str(feature["name"]))
def test_the_table_holds_only_what_some_supported_browser_lacks(feature: dict[str, Any]) -> None:
    assert any(since > oldest for since, oldest in zip(feature["since"], BROWSERS.values(), strict=True))


def test_a_selector_that_may_be_unknown_takes_no_other_with_it() -> None:
    """A browser drops a whole rule if it doesn't know one selector of its list."""
    found = []
    for file, text in sources().items():
        for selectors in re.findall(r"(?:^|[{}])\s*([^{}@]*:has\([^{}]*)\{", text if file.endswith(".css") else ""):
            flat = re.sub(r"\([^()]*(?:\([^()]*(?:\([^()]*\))?[^()]*\)[^()]*)*\)", "()", selectors)
            if "," in flat:
                found.append(f"{file}: {selectors.strip()}")
    assert found == []


def test_readme_and_page_name_the_oldest_browsers() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    page = (ROOT / "templates" / "unsupported.html").read_text("utf-8")
    for browser, version in BROWSERS.items():
        name = f"{browser.capitalize()} {version}"
        assert name in readme
        assert name in page
