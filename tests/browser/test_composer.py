"""The composer of the chat: every message gets sent or refused with a reason, and a refused text stays."""

import json
from collections.abc import Awaitable, Callable

import pytest
from playwright.async_api import WebSocketRoute

from tests.browser.test_talk import lines, open_talk, write
from tests.browser.visitor import Enter, Visitor

ENDED = "() => !document.querySelector('.say-send').hasAttribute('aria-busy')"
PASTE = "text => { document.querySelector('.say-text').value = text; }"


async def at_a_table(come: Enter, **context: object) -> Visitor:
    """Ana in the lobby of her table, at the chat of the players."""
    ana = await come("Ana", **context)
    await ana.open_table(2)
    await open_talk(ana)
    return ana


async def refused(person: Visitor, text: str) -> str:
    """What is told after the text was sent, which stays in the field."""
    await person.page.evaluate(PASTE, text)
    await person.page.press(".say-text", "Enter")
    await person.page.wait_for_selector(".composer .trouble:visible")
    await person.page.wait_for_function(ENDED)
    assert await person.page.input_value(".say-text") == text
    return await person.page.inner_text(".composer .trouble")


async def break_messages(person: Visitor, breaks: Callable[[WebSocketRoute], Awaitable[None]]) -> list[str]:
    """From the next load on something becomes of each chat message. Gives the sockets, as they open."""
    opened: list[str] = []

    def follow(route: WebSocketRoute) -> None:
        opened.append(route.url)
        server = route.connect_to_server()

        async def on(message: str | bytes) -> None:
            if json.loads(message)["type"] == "say":
                await breaks(route)
            else:
                server.send(message)

        route.on_message(on)

    await person.page.route_web_socket("**/ws/v1/**", follow)
    await person.page.reload()
    await person.page.wait_for_selector("#seats > li")
    await open_talk(person)
    return opened


@pytest.mark.parametrize("text", ["x" * 9000, "😀" * 2100, "x" * 1801, "x" * 301])
async def test_a_message_that_is_too_long_is_refused_at_once(come: Enter, text: str) -> None:
    ana = await at_a_table(come, locale="cs")
    assert await refused(ana, text) == "Smí mít nejvýš 300 znaků."
    await write(ana, "Short")
    await ana.page.wait_for_selector(f"{lines(ana, 'Chat')}:has-text('Short')")
    assert await ana.page.locator(".composer .trouble:visible").count() == 0


async def test_half_a_surrogate_pair_is_shown_as_what_it_is(come: Enter) -> None:
    ana = await at_a_table(come)
    await ana.page.evaluate("() => { document.querySelector('.say-text').value = 'half \\ud83d'; }")
    await ana.page.press(".say-text", "Enter")
    await ana.page.wait_for_selector(f"{lines(ana)}:has-text('half \ufffd')")
    await ana.page.wait_for_function(ENDED)


@pytest.mark.parametrize(("code", "sockets"), [(1009, 1), (1011, 3)])
async def test_a_message_that_closes_the_connection_is_given_up(come: Enter, code: int, sockets: int) -> None:
    ana = await at_a_table(come)
    opened = await break_messages(ana, lambda route: route.close(code=code))
    assert await refused(ana, "Hello") != ""
    await ana.page.wait_for_function("() => document.getElementById('connection').hidden")
    await ana.drawn()
    assert len(opened) == sockets + 1


async def test_a_refusal_without_an_id_ends_what_is_being_said(come: Enter) -> None:
    ana = await at_a_table(come)
    told = {"type": "refused", "id": None, "code": "bad_request", "detail": "English.", "version": 0}

    async def refuse(route: WebSocketRoute) -> None:
        route.send(json.dumps({**told, "reason": None, "facts": {}}))

    await break_messages(ana, refuse)
    assert "English" not in await refused(ana, "Hello")


@pytest.mark.slow
async def test_a_message_without_an_answer_is_given_up(come: Enter) -> None:
    ana = await at_a_table(come)

    async def lose(_route: WebSocketRoute) -> None:
        """And answer nothing."""

    await break_messages(ana, lose)
    assert await refused(ana, "Hello") != ""
