"""Messages that are lost on a live line, and a server that has gone back to an earlier position."""

import json
import re
import time
from collections.abc import Callable

import pytest
from playwright.async_api import Page, WebSocketRoute

from harness.callers import Json
from tests.browser.api_moves import begin_with_bot, open_talk
from tests.browser.visitor import Enter, Visitor

TALKATIVE = 300
"""Milliseconds between two messages of a server that keeps talking."""

BUSY_NO_MORE = "[...document.querySelectorAll('[aria-busy=true]')].length === 0"


class Lossy:
    """The lines of a page, of which so many messages of a type are lost on their way."""

    def __init__(self) -> None:
        self.lines = 0
        self.sent: list[Json] = []
        self.loses_up: dict[str, int] = {}
        self.loses_down: dict[str, int] = {}
        self.said: list[WebSocketRoute] = []
        self.change_room: Callable[[Json], Json] = lambda told: told

    async def follow(self, page: Page) -> None:
        await page.route_web_socket(re.compile("/ws/v1/"), self._carry)

    def _carry(self, line: WebSocketRoute) -> None:
        self.lines += 1
        self.said.append(line)
        server = line.connect_to_server()

        def up(text: str | bytes) -> None:
            message = json.loads(text)
            self.sent.append(message)
            if not self._loses(self.loses_up, message):
                server.send(text)

        def down(text: str | bytes) -> None:
            message = json.loads(text)
            if not self._loses(self.loses_down, message):
                line.send(json.dumps(self.change_room(message)) if message["type"] == "room" else text)

        line.on_message(up)
        server.on_message(down)

    def _loses(self, counts: dict[str, int], message: Json) -> bool:
        left = counts.get(message["type"], 0)
        counts[message["type"]] = left - 1
        return left > 0

    def tick(self) -> None:
        self.said[-1].send('{"type": "pong"}')

    def sent_of(self, kind: str) -> list[Json]:
        return [message for message in self.sent if message["type"] == kind]


async def ticking_until(person: Visitor, lossy: Lossy, condition: str) -> float:
    """Lets the server talk until a condition holds. Gives the seconds that took."""
    start = time.monotonic()
    while not await person.page.evaluate(f"() => {condition}"):
        lossy.tick()
        await person.page.evaluate(f"() => new Promise((done) => setTimeout(done, {TALKATIVE}))")
        assert time.monotonic() - start < 60, "the page hangs"
    return time.monotonic() - start


async def at_turn(come: Enter) -> tuple[Visitor, Lossy]:
    person = await come("Ana")
    person.network_may_fail = True
    lossy = Lossy()
    await lossy.follow(person.page)
    await begin_with_bot(person)
    return person, lossy


@pytest.mark.slow
@pytest.mark.parametrize("way", ["up", "down"])
async def test_an_action_whose_frame_or_answer_is_lost_is_sent_again_while_others_talk(come: Enter, way: str) -> None:
    person, lossy = await at_turn(come)
    before = await person.version()
    if way == "up":
        lossy.loses_up = {"act": 1}
    else:
        lossy.loses_down = {"ack": 1}
    await person.page.click("#deck")
    await ticking_until(person, lossy, BUSY_NO_MORE)
    first, second = lossy.sent_of("act")
    assert first == second
    assert lossy.lines == 1
    assert int(await person.version()) >= int(before) + 1


@pytest.mark.slow
async def test_when_two_frames_are_lost_another_line_is_tried(come: Enter) -> None:
    person, lossy = await at_turn(come)
    before = await person.version()
    lossy.loses_up = {"act": 2}
    await person.page.click("#deck")
    await ticking_until(person, lossy, BUSY_NO_MORE)
    assert len({message["id"] for message in lossy.sent_of("act")}) == 1
    assert (len(lossy.sent_of("act")), lossy.lines) == (3, 2)
    assert int(await person.version()) >= int(before) + 1


@pytest.mark.slow
async def test_a_line_of_chat_that_is_lost_is_said_again_and_once(come: Enter) -> None:
    person, lossy = await at_turn(come)
    await open_talk(person)
    lossy.loses_up = {"say": 1}
    await person.page.locator(".phrase").first.click()
    await ticking_until(person, lossy, "document.querySelectorAll('#talk .lines li').length > 0")
    first, second = lossy.sent_of("say")
    assert first == second
    lossy.loses_down = {"spoken": 1}
    await open_talk(person)
    await person.page.locator(".phrase").nth(1).click()
    await ticking_until(person, lossy, BUSY_NO_MORE + " && document.querySelectorAll('#talk .lines li').length > 1")
    await person.drawn()
    assert await person.page.locator("#talk .lines li").count() == 2


async def test_the_first_message_of_a_connection_holds_though_it_tells_of_an_earlier_position(come: Enter) -> None:
    """As after a restored backup: the server has gone back, and all that is drawn goes with it."""
    person, lossy = await at_turn(come)
    logged = await person.page.locator("#log li:not(.log-more)").count()
    assert logged > 0
    version = int(await person.version())

    def restored(told: Json) -> Json:
        events = [event for event in told["events"] if event["version"] <= 1]
        return {**told, "view": {**told["view"], "version": version - 2}, "events": events}

    lossy.change_room = restored
    await lossy.said[-1].close(code=1012, reason="restart")
    await person.page.wait_for_function("version => document.body.dataset.version === version", arg=str(version - 2))
    assert 0 < await person.page.locator("#log li:not(.log-more)").count() < logged
    lossy.change_room = lambda told: told
    await lossy.said[-1].close(code=1012, reason="restart")
    await person.page.wait_for_function("version => document.body.dataset.version === version", arg=str(version))
    await person.settle(person.page.click("#deck"))
