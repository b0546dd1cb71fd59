"""A server in a home network, reached by plain http, where browsers give pages fewer features."""

import pytest

from tests.browser.api_moves import begin_with_bot
from tests.browser.visitor import Enter, Visitor

LESS = """
    delete Crypto.prototype.randomUUID;
    Object.defineProperty(navigator, 'clipboard', { value: undefined });
"""
"""What is missing there and is here, since `localhost` counts as safe."""


async def from_the_network(person: Visitor) -> Visitor:
    await person.page.add_init_script(LESS)
    return person


async def test_moves_and_talk_need_nothing_that_plain_http_lacks(come: Enter) -> None:
    person = await from_the_network(await come("Ana"))
    await begin_with_bot(person)
    await person.settle(person.page.click("#deck"))
    await person.page.click(".side-tab[data-side=players]")
    await person.page.fill(".say-text", "Hello")
    await person.page.press(".say-text", "Enter")
    await person.page.wait_for_selector(".lines li:has-text('Hello')")


@pytest.mark.parametrize(("allowed", "said"), [("true", "Copied"), ("false", "Copy it from here")])
async def test_the_link_is_copied_or_selected(come: Enter, allowed: str, said: str) -> None:
    person = await from_the_network(await come("Ana"))
    await person.open_table(2)
    await person.page.evaluate(f"document.execCommand = () => {allowed}")
    await person.page.click("#copy")
    await person.page.wait_for_selector(f"#copy:has-text('{said}')")
    assert await person.page.evaluate("getSelection().toString()") == person.page.url
