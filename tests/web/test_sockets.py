"""Sockets over a real server: what is told, what is refused, and who is sent away."""

import asyncio
import json
from pathlib import Path
from socket import SO_SNDBUF, SOL_SOCKET
from typing import Any

import pytest
from fastapi import WebSocket
from httpx import AsyncClient
from websockets.exceptions import ConnectionClosed, InvalidStatus

from app.server.websocket import MOST_BUFFERED, WebSocketProtocol, protocol_of
from harness.callers import (
    Caller,
    Json,
    closed,
    first_legal,
    follow,
    hear,
    new_caller,
    play_on,
    say,
    seated,
    serving,
    settings_in,
    started,
)


async def turn_of(client: AsyncClient, code: str, callers: list[Caller]) -> tuple[Caller, Json]:
    """Who is to act, and that one's view."""
    view = (await callers[0].get(f"{code}/view")).json()
    caller = callers[view["to_act"][0]]
    return caller, (await caller.get(f"{code}/view")).json()


async def test_the_whole_room_comes_at_once_and_after_every_change(server: AsyncClient) -> None:
    code, callers = await seated(server, 1, seats=2)
    async with follow(server, code, callers[0]) as socket:
        first = await hear(socket)
        assert list(first) == ["type", "room", "seat", "view", "events"]
        assert (first["seat"], first["view"], first["events"]) == (0, None, [])
        assert first["room"]["seats"][0]["connected"]
        newcomer = await new_caller(server, "Bob")
        await newcomer.post(f"{code}/join")
        assert (await hear(socket))["room"]["seats"][1]["name"] == "Bob"
        await callers[0].post(f"{code}/start")
        assert (await hear(socket))["view"]["phase"] == "first_tickets"


async def test_three_people_and_a_bot_play_to_the_end(server: AsyncClient) -> None:
    code, callers = await seated(server, 3, seats=4)
    await callers[0].post(f"{code}/bots", {"level": "easy"})
    await callers[0].post(f"{code}/start")

    async def play(caller: Caller | None) -> Json:
        async with follow(server, code, caller) as socket:
            return await play_on(socket)

    *views, spectators = await asyncio.gather(*(play(caller) for caller in (*callers, None)))
    assert all(view["scores"] == spectators["scores"] for view in views)
    assert spectators["seat"] is None


async def test_ack_and_refusals_bear_the_id(server: AsyncClient) -> None:
    code, callers = await started(server, 2)
    async with follow(server, code, callers[0]) as socket:
        view = (await hear(socket))["view"]
        action = first_legal(view)
        await say(socket, type="act", id="one", version=0, action=action)
        assert await hear(socket, "ack") == {"id": "one", "version": 1, "type": "ack"}
        await say(socket, type="act", id="two", version=1, action=action)
        refused = await hear(socket, "refused")
        assert refused | {"detail": ""} == {
            "type": "refused",
            "id": "two",
            "code": "not_your_turn",
            "detail": "",
            "version": 1,
            "reason": "tickets_chosen",
            "facts": {},
        }
        await say(socket, type="act", id="one", version=0, action=action)
        assert await hear(socket, "ack") == {"id": "one", "version": 1, "type": "ack"}
        await say(socket, type="say", id="hi", text="hello")
        assert (await hear(socket, "said"))["text"] == "hello"
        await say(socket, type="ping")
        assert await hear(socket, "pong") == {"type": "pong"}


async def test_a_stale_act_is_refused_and_shown_the_state(server: AsyncClient) -> None:
    code, callers = await started(server, 2)
    for _ in range(4):
        caller, view = await turn_of(server, code, callers)
        body = {"id": f"a{view['version']}", "version": view["version"], "action": first_legal(view)}
        await caller.post(f"{code}/act", body)
    caller, view = await turn_of(server, code, callers)
    async with follow(server, code, caller) as socket:
        await hear(socket)
        await say(socket, type="act", id="late", version=view["version"] - 1, action=first_legal(view))
        assert (await hear(socket, "refused"))["code"] == "stale_version"
        assert (await hear(socket))["view"]["version"] == view["version"]


UNREADABLE: dict[str, tuple[str, str | None, str]] = {
    "no JSON": ("{", None, "This is not JSON."),
    "a list": ("[]", None, "must be an object."),
    "no type": ('{"id": "x"}', "x", "type: "),
    "an unknown type": ('{"type": "cheat", "id": "x"}', "x", "type: "),
    "no id": ('{"type": "act", "version": 0, "action": {"type": "pass"}}', None, "id: "),
    "a number as id": ('{"type": "act", "id": 7, "version": 0, "action": {"type": "pass"}}', None, "id: "),
    "a field too many": ('{"type": "ping", "x": 1}', None, "x: "),
    "an unknown action": (
        '{"type": "act", "id": "x", "version": 0, "action": {"type": "win"}}',
        "x",
        "action.type: ",
    ),
    "a text for a number": (
        '{"type": "act", "id": "x", "version": 0, "action": {"type": "draw_card", "slot": "0"}}',
        "x",
        "action.slot: ",
    ),
    "no number": (
        '{"type": "act", "id": "x", "version": NaN, "action": {"type": "pass"}}',
        None,
        "version: ",
    ),
}


@pytest.mark.parametrize("kind", UNREADABLE)
async def test_BUG1310_messages_that_can_not_be_read_are_refused_by_the_name_of_the_field(
    server: AsyncClient, kind: str
) -> None:
    text, action_id, named = UNREADABLE[kind]
    code, callers = await started(server, 2)
    async with follow(server, code, callers[0]) as socket:
        await socket.send(text)
        refused = await hear(socket, "refused")
        assert (refused["code"], refused["id"]) == ("bad_request", action_id)
        assert refused["detail"].startswith(named)
        await say(socket, type="ping")
        await hear(socket, "pong")


async def test_a_spectator_does_not_act(server: AsyncClient) -> None:
    code, _ = await started(server, 2)
    stranger = await new_caller(server)
    for caller in (None, stranger):
        async with follow(server, code, caller) as socket:
            assert (await hear(socket))["view"]["seat"] is None
            await say(socket, type="act", id="x", version=0, action={"type": "pass"})
            assert (await hear(socket, "refused"))["code"] == "not_seated"


async def test_BUG912_two_tabs_of_a_player_both_work(server: AsyncClient) -> None:
    code, callers = await started(server, 2)
    async with follow(server, code, callers[0]) as one, follow(server, code, callers[0]) as other:
        view = (await hear(one))["view"]
        await say(other, type="act", id="from-other", version=0, action=first_legal(view))
        for tab in (one, other):
            while (await hear(tab))["view"]["version"] != 1:
                pass
        await one.close()
        await say(other, type="ping")
        await hear(other, "pong")


async def test_BUG914_a_new_socket_always_gets_in(server: AsyncClient) -> None:
    code, callers = await started(server, 2)
    sockets = [await follow(server, code, callers[0]) for _ in range(20)]
    for socket in sockets:
        assert (await hear(socket))["view"]["seat"] == 0
        await socket.close()


@pytest.mark.parametrize(
    ("code", "headers", "status"),
    [
        ("00000000", {}, 404),
        ("room", {"Origin": "https://evil.example"}, 403),
        ("room", {"Authorization": "Bearer wrong"}, 401),
    ],
)
async def test_who_is_not_let_in(server: AsyncClient, code: str, headers: dict[str, str], status: int) -> None:
    room, _ = await seated(server, 2)
    with pytest.raises(InvalidStatus) as error:
        await follow(server, room if code == "room" else code, headers=headers)
    assert error.value.response.status_code == status
    assert json.loads(error.value.response.body or b"")["status"] == status


async def test_a_cookie_lets_our_own_page_in(server: AsyncClient) -> None:
    code, callers = await started(server, 2)
    cookie = {"Cookie": callers[1].browser["Cookie"]}
    origin = {"Origin": str(server.base_url).rstrip("/")}
    async with follow(server, code, headers=cookie | origin) as socket:
        assert (await hear(socket))["view"]["seat"] == 1
    with pytest.raises(InvalidStatus):
        await follow(server, code, headers=cookie)


async def test_a_game_without_spectators_lets_none_in(server: AsyncClient) -> None:
    code, callers = await seated(server, 2, spectators=False)
    async with follow(server, code) as watcher, follow(server, code, callers[1]) as player:
        await callers[0].post(f"{code}/start")
        assert await closed(watcher) == 1008
        while not (await hear(player))["view"]:
            pass
    with pytest.raises(InvalidStatus):
        await follow(server, code)


async def test_BUG1209_a_frame_that_is_too_large(server: AsyncClient) -> None:
    code, callers = await started(server, 2)
    async with follow(server, code, callers[0]) as socket:
        await socket.send(json.dumps({"type": "say", "id": "x", "text": "x" * 9000}))
        assert await closed(socket) == 1009


async def test_a_frame_that_is_not_text(server: AsyncClient) -> None:
    code, callers = await started(server, 2)
    async with follow(server, code, callers[0]) as socket:
        await socket.send(b'{"type": "ping"}')
        assert await closed(socket) == 1008


async def test_BUG1211_a_flood_ends_the_socket_and_not_the_seat(tmp_path: Path) -> None:
    async with serving(settings_in(tmp_path, rate_limits="on")) as client:
        code, callers = await started(client, 2)
        async with follow(client, code, callers[0]) as socket:
            try:
                for _ in range(1000):
                    await say(socket, type="ping")
            except ConnectionClosed:
                pass
            assert await closed(socket) == 1008
        async with follow(client, code, callers[0]) as socket:
            assert (await hear(socket))["view"]["seat"] == 0


async def test_BUG1413_one_who_does_not_read_delays_nobody_and_is_closed(
    server: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.web.websocket.TIMEOUT", 0.5)
    code, callers = await started(server, 2)
    writer = await never_reading(server, code)
    while (await callers[0].get(code)).json()["spectators"] == 0:
        pass
    ping = bytes([0x81, 0x80 | 15, 0, 0, 0, 0]) + b'{"type":"ping"}'
    while (await callers[0].get(code)).json()["spectators"] == 1:
        writer.write(ping * 2000)
        await asyncio.sleep(0.05)
    writer.transport.abort()


async def test_BUG1413_the_system_holds_little_for_one_who_does_not_read(
    server: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[WebSocketProtocol] = []

    def note_line(websocket: WebSocket) -> WebSocketProtocol:
        lines.append(protocol_of(websocket))
        return lines[-1]

    monkeypatch.setattr("app.web.websocket.protocol_of", note_line)
    code, callers = await started(server, 2)
    async with follow(server, code, callers[0]):
        held = lines[0].transport.get_extra_info("socket").getsockopt(SOL_SOCKET, SO_SNDBUF)
    assert MOST_BUFFERED <= held <= 2 * MOST_BUFFERED


async def never_reading(server: AsyncClient, code: str) -> asyncio.StreamWriter:
    """A spectator's socket that takes nothing out of it."""
    _, writer = await asyncio.open_connection(server.base_url.host, server.base_url.port, limit=1)
    lines = [
        f"GET /ws/v1/rooms/{code} HTTP/1.1",
        "Host: fogline.test",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {'A' * 22}==",
        "Sec-WebSocket-Version: 13",
    ]
    writer.write("".join(f"{line}\r\n" for line in [*lines, ""]).encode())
    return writer


async def test_a_line_that_breaks_is_forgotten(server: AsyncClient) -> None:
    code, callers = await started(server, 2)
    async with follow(server, code, callers[0]) as watcher:
        await hear(watcher)
        other = await follow(server, code, callers[1])
        while not (await hear(watcher))["room"]["seats"][1]["connected"]:
            pass
        other.transport.abort()
        while (await hear(watcher))["room"]["seats"][1]["connected"]:
            pass


async def test_BUG901_a_socket_dropped_at_any_moment_comes_back_to_the_truth(server: AsyncClient) -> None:
    code, callers = await started(server, 2)

    async def play(caller: Caller) -> dict[str, Any]:
        waiting: Json | None = None
        while True:
            async with follow(server, code, caller) as socket:
                for _ in range(3):
                    view = (await hear(socket))["view"]
                    if view["phase"] == "over":
                        final: Json = view
                        return final
                    if view["seat"] in view["to_act"]:
                        version = view["version"]
                        waiting = waiting if waiting and waiting["version"] == version else None
                        waiting = waiting or {"id": f"a{version}", "version": version, "action": first_legal(view)}
                        await say(socket, type="act", **waiting)
                socket.transport.abort()

    views = await asyncio.gather(*map(play, callers))
    assert views[0]["scores"] == views[1]["scores"]
