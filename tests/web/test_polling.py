"""A room followed by calls that wait: the messages of a socket, none lost, none told twice."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from httpx import AsyncClient, Response

from app.web import polling
from app.web.socket_limits import TOO_MANY_TABS
from harness.callers import (
    PATIENCE,
    Caller,
    Json,
    application,
    first_legal,
    follow,
    hear,
    new_caller,
    say,
    seated,
    serving,
    settings_in,
)


class Fetcher:
    """Fetches the messages of a room, one call after the other."""

    def __init__(self, caller: Caller, room: str) -> None:
        self.caller = caller
        self.room = room if "/" in room else f"/api/v1/rooms/{room}"
        self.session = ""
        self.after = 0

    async def call(self, session: str | None = None, after: int | None = None) -> Response:
        where: dict[str, str | int] = {
            "session": session or self.session,
            "after": self.after if after is None else after,
        }
        return await self.caller.client.get(f"{self.room}/messages", params=where, headers=self.caller.headers)

    async def fetch(self) -> list[Json]:
        answer = (await self.call()).raise_for_status().json()
        self.session, self.after = answer["session"], answer["after"]
        messages: list[Json] = answer["messages"]
        return messages

    async def hear(self, kind: str) -> Json:
        """The next message of a type."""
        while True:
            for message in await self.fetch():
                if message["type"] == kind:
                    return message


async def connected(caller: Caller, code: str) -> list[bool]:
    return [seat["connected"] for seat in (await caller.get(code)).json()["seats"] if seat["kind"]]


async def until(caller: Caller, code: str, expected: list[bool]) -> None:
    async with asyncio.timeout(30):
        while await connected(caller, code) != expected:  # noqa: ASYNC110  another process could only be asked again
            await asyncio.sleep(0.02)


async def test_calls_tell_what_a_socket_tells(tmp_path: Path) -> None:
    async with serving(settings_in(tmp_path)) as client:
        code, (ann, ben) = await seated(client, 2)
        fetcher = Fetcher(ann, code)
        async with follow(client, code, ann) as socket:
            await fetcher.fetch()
            await ann.post(f"{code}/start")
            for version in range(6):
                view = (await ann.get(f"{code}/view")).json()
                mover = (ann, ben)[view["to_act"][0]]
                view = (await mover.get(f"{code}/view")).json()
                act = {"id": f"v{version}", "version": version, "action": first_legal(view)}
                assert (await mover.post(f"{code}/act", act)).json() == {"version": version + 1}
            told = [await until_version(lambda: hear(socket), 6), await until_version(lambda: fetcher.hear("room"), 6)]
        assert told[0][-1]["view"] == told[1][-1]["view"]
        events = [[event for message in messages for event in message["events"]] for messages in told]
        assert events[0] == events[1] != []


async def until_version(next_message: Callable[[], Awaitable[Json]], version: int) -> list[Json]:
    """The messages up to the one that shows a version of the game."""
    told = [await next_message()]
    while (told[-1]["view"] or {}).get("version") != version:
        told.append(await next_message())
    return told


async def test_an_answer_that_was_lost_comes_again(tmp_path: Path) -> None:
    async with serving(settings_in(tmp_path)) as client:
        code, (ann, ben) = await seated(client, 2)
        fetcher = Fetcher(ann, code)
        await fetcher.fetch()
        await ben.post(f"{code}/talk", {"id": "c1", "text": "Hello"})
        first = (await fetcher.call()).json()
        assert [message["text"] for message in first["messages"] if message["type"] == "said"] == ["Hello"]
        assert (await fetcher.call()).json() == first
        await ben.post(f"{code}/talk", {"id": "c2", "text": "Again"})
        fetcher.after = first["after"]
        assert (await fetcher.hear("said"))["text"] == "Again"


async def test_what_is_said_by_a_call_is_said_once_and_heard_by_all(tmp_path: Path) -> None:
    async with serving(settings_in(tmp_path)) as client:
        code, (ann, ben) = await seated(client, 2)
        async with follow(client, code, ben) as socket:
            spoken = [(await ann.post(f"{code}/talk", {"id": "c1", "text": " Hello "})).json() for _ in range(2)]
            assert spoken[0] == spoken[1] == {"type": "spoken", "id": "c1", "talk": "players", "number": 1}
            said = await hear(socket, "said")
            assert (said["text"], said["seat"], said["number"]) == ("Hello", 0, 1)
            await say(socket, type="say", id="c2", phrase="hello")
            assert (await hear(socket, "said"))["number"] == 2
        refused = await ann.post(f"{code}/talk", {"id": "c3", "text": ""})
        assert (refused.status_code, refused.json()["reason"]) == (400, "say_empty")


async def test_strangers_say_nothing_and_see_nothing_where_nobody_may_watch(tmp_path: Path) -> None:
    async with serving(settings_in(tmp_path)) as client:
        code, (ann, _) = await seated(client, 2, spectators=False)
        eve = await new_caller(client, "Eve")
        await ann.post(f"{code}/start")
        assert (await Fetcher(eve, code).call()).status_code == 403
        assert (await eve.post(f"{code}/talk", {"id": "c1", "text": "Hello"})).status_code == 403
        assert (await client.post(f"/api/v1/rooms/{code}/talk", json={"id": "c1", "text": "x"})).status_code == 401


async def test_a_session_is_its_players_alone(tmp_path: Path) -> None:
    async with serving(settings_in(tmp_path)) as client:
        code, (ann, ben) = await seated(client, 2)
        fetcher = Fetcher(ann, code)
        await fetcher.fetch()
        for session, after in ((fetcher.session, fetcher.after), ("no-session", 7), (fetcher.session, 99)):
            other = (await Fetcher(ben, code).call(session, after)).json()
            assert other["session"] != session
            assert other["messages"][0]["type"] == "room"
            assert other["messages"][0]["seat"] == 1


async def test_who_fetches_is_connected_until_no_call_comes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polling, "LINGER", 0.5)
    async with serving(settings_in(tmp_path)) as client:
        code, (ann, ben, cal) = await seated(client, 3)
        fetcher = Fetcher(ann, code)
        await fetcher.fetch()
        await until(cal, code, [True, False, False])
        waiting = asyncio.create_task(fetcher.fetch())
        await Fetcher(ben, code).fetch()
        await until(cal, code, [True, False, False])  # Ben, who came later and makes no call, has gone again
        waiting.cancel()
        await until(cal, code, [False, False, False])
        old = fetcher.session
        await fetcher.fetch()
        assert fetcher.session != old


async def test_a_second_call_takes_the_place_of_the_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polling, "WAIT", 2 * PATIENCE)
    async with serving(settings_in(tmp_path)) as client:
        code, (ann, ben) = await seated(client, 2)
        fetcher = Fetcher(ann, code)
        await fetcher.fetch()
        calls = [asyncio.create_task(fetcher.call()) for _ in range(5)]
        async with asyncio.timeout(PATIENCE):
            while (done := sum(call.done() for call in calls)) < 4:  # noqa: ASYNC110  answers give no other sign
                await asyncio.sleep(0.02)
        assert done == 4
        await ben.post(f"{code}/talk", {"id": "c1", "text": "Hello"})
        answers = [(await call).json() for call in calls]
        told = [[message["type"] for message in answer["messages"]] for answer in answers]
        assert sorted(told) == [[], [], [], [], ["said"]]
        assert {answer["session"] for answer in answers} == {fetcher.session}


async def test_a_server_that_stops_answers_those_who_wait(tmp_path: Path) -> None:
    async with AsyncClient(timeout=PATIENCE) as patient:
        async with serving(settings_in(tmp_path)) as client:
            code, (ann, _) = await seated(client, 2)
            fetcher = Fetcher(replace(ann, client=patient), f"{client.base_url}/api/v1/rooms/{code}")
            await fetcher.fetch()
            waiting = asyncio.create_task(fetcher.fetch())
            await asyncio.sleep(0.5)
            start = time.monotonic()
        assert time.monotonic() - start < 4, "uvicorn cuts off those who wait after five seconds"
        assert await waiting == []


async def test_sessions_count_as_sockets(tmp_path: Path) -> None:
    settings = settings_in(tmp_path, rate_limits="on", sockets_per_address=1, sockets_per_seat=1)
    async with serving(settings) as client:
        code, (ann, _) = await seated(client, 2)
        path = f"/api/v1/rooms/{code}/messages"
        strangers = [await client.get(path) for _ in range(2)]
        assert [answer.status_code for answer in strangers] == [200, 429]
        fetcher = Fetcher(ann, code)
        await fetcher.fetch()
        await Fetcher(ann, code).fetch()
        assert (await fetcher.call()).json()["closed"] == TOO_MANY_TABS


async def test_a_room_that_sends_its_listeners_away_closes_the_session(tmp_path: Path) -> None:
    async with serving(settings_in(tmp_path)) as client:
        code, (ann, _) = await seated(client, 2)
        fetcher = Fetcher(ann, code)
        await fetcher.fetch()
        waiting = asyncio.create_task(fetcher.call())
        room = await application("").app.state.site.rooms.find(code)
        await asyncio.sleep(0.2)
        for listener in room.audience.listeners:
            listener.outbox.close("this room was removed")
        answer = (await waiting).json()
        assert (answer["closed"], answer["messages"]) == ("this room was removed", [])
        assert (await fetcher.call()).json()["session"] != fetcher.session
