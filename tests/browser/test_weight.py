"""What the table's page loads on the first visit, packed: its document, scripts, words, styles and pictures."""

import gzip

import pytest
from playwright.async_api import Response

from tests.browser.server import FoglineServer
from tests.browser.visitor import Enter

MOST, MOST_SCRIPT = 90 * 1024, 40 * 1024


@pytest.mark.parametrize("language", ["en", "cs"])
async def test_the_table_page_is_light_and_asks_no_other_host(
    come: Enter, server: FoglineServer, language: str
) -> None:
    person = await come("Ana", locale=language)
    link = await person.open_table(4)
    visitor = await come("Bo", locale=language)
    loaded: list[Response] = []

    def note(answer: Response) -> None:
        loaded.append(answer)

    visitor.page.on("response", note)
    await visitor.page.goto(link)
    await visitor.page.wait_for_selector("#seats > li")
    weights = {answer.url: len(gzip.compress(await answer.body())) for answer in loaded}
    assert all(url.startswith(server.address) for url in weights)
    scripts = sum(weight for url, weight in weights.items() if url.endswith(".js"))
    assert scripts <= MOST_SCRIPT
    assert sum(weights.values()) <= MOST
