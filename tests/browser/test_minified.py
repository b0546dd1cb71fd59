"""Scripts and style sheets are minified on the way, which must change nothing but their size."""

from pathlib import Path

import pytest

from app.web.files import MINIFIERS
from tests.browser.visitor import Enter

STATIC = Path(__file__).parents[2] / "static"
STYLES = {path.stem: path.read_text("utf-8") for path in sorted((STATIC / "css").glob("*.css"))}

# custom properties keep their spaces, which mean nothing after a comma, colon or semicolon
RULES = """text => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return [...sheet.cssRules].map((rule) => rule.cssText.replace(/([,:;]) /g, "$1"));
}"""


@pytest.mark.parametrize("style", STYLES)
async def test_a_minified_style_sheet_has_the_same_rules(come: Enter, style: str) -> None:
    person = await come("Ana")
    text = STYLES[style]
    minified = MINIFIERS[".css"](text)
    assert len(minified) < len(text)
    assert await person.page.evaluate(RULES, minified) == await person.page.evaluate(RULES, text)
