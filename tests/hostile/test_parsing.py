"""Refuses requests that two parsers could read differently."""

import json
from typing import Any

import pytest
from httpx import AsyncClient

from harness.callers import JSON, Caller, follow, hear, new_caller, seated
from tests.web.test_calls import refused

ODD_TYPES = [
    *("", "text/plain", "text/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"),
    *("application/problem+json", "application/json, text/plain", "application/json; charset=utf-16", "json", "*/*"),
    *("application/jsonx", ";charset=utf-8", "application/json;charset=", "\xff"),
]

TWICE = [
    '{"type":"ping","type":"ping"}',
    '{"type":"ping" , "type" : "ping"}',
    '{"type":"say","id":"x","id":"y","text":"a"}',
    '{"type":"say","id":"x","\\u0069d":"y","text":"a"}',
    '{"type":"say","id":"x","text":"a:b","text":"\\":"}',
    '{"type":"act","id":"x","version":0,"version":0,"action":{"type":"pass"}}',
    '{"type":"act","id":"x","version":0,"action":{"type":"draw_card","slot":1,"slot":2}}',
    '{"type":"act","id":"x","version":0,"action":{"type":"claim_route","route":"r","payment":{"red":1,"red":2}}}',
]

NO_JSON = [
    *("\ufeff{}", '{"name":"Ann"}x', '{"name":"Ann"}\x00', '{"name":"Ann",}', "{'name':'Ann'}", '{"name":"Ann"}//'),
    *('{"name":NaN}', '{"name":Infinity}', '{"name":-Infinity}', '{"name":"\\ud800"}', '{"name":"A\nnn"}'),
    *(
        '{"name":1e999}',
        '{"name":' + "9" * 6000 + "}",
        '{"name":' * 1000,
        "[" * 8000,
        '{"name":{"name":"Ann"}}',
        "[]",
        "null",
    ),
]


@pytest.mark.parametrize("kind", ODD_TYPES)
async def test_a_body_says_that_it_is_json(client: AsyncClient, kind: str) -> None:
    headers = {b"Content-Type": kind.encode("latin-1")}
    answer = await client.post("/api/v1/players", content=b'{"name":"Ann"}', headers=headers)
    assert refused(answer) == (415, "unsupported_media_type")


@pytest.mark.parametrize("kind", ["application/json", "Application/JSON", 'application/json; charset="UTF-8"'])
async def test_json_may_name_its_charset(client: AsyncClient, kind: str) -> None:
    answer = await client.post("/api/v1/players", content=b'{"name":"Ann"}', headers={"Content-Type": kind})
    assert answer.status_code == 201


async def test_no_body_needs_no_type(client: AsyncClient) -> None:
    code, _ = await seated(client, 1)
    guest = await new_caller(client)
    answer = await client.post(f"/api/v1/rooms/{code}/join", headers={**guest.headers, "Content-Type": "text/plain"})
    assert answer.json()["seat"] == 1


async def test_a_form_starts_nothing(client: AsyncClient) -> None:
    """A page of another site can send a form without asking whether it may."""
    answer = await client.post("/api/v1/players", data={"name": "Ann"})
    assert refused(answer)[0] == 415
    answer = await client.post("/api/v1/players", files={"name": b"Ann"})
    assert refused(answer)[0] == 415


@pytest.mark.parametrize("body", NO_JSON, ids=lambda body: ascii(body[:24]))
async def test_what_is_no_player_in_json_is_refused(client: AsyncClient, body: str) -> None:
    answer = await client.post("/api/v1/players", content=body.encode(), headers=JSON)
    assert refused(answer) == (400, "bad_request")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-8-sig", "latin-1"])
async def test_bodies_are_utf_8(client: AsyncClient, encoding: str) -> None:
    answer = await client.post("/api/v1/players", content='{"name":"Zoë"}'.encode(encoding), headers=JSON)
    assert refused(answer) == (400, "bad_request")


async def test_a_body_has_no_field_twice(client: AsyncClient) -> None:
    answer = await client.post("/api/v1/players", content='{"name":"Ann","name":"Ben"}', headers=JSON)
    assert refused(answer) == (400, "bad_request")
    assert "twice" in answer.json()["detail"]
    answer = await client.post("/api/v1/players", content='{"name":"Ann: the best"}', headers=JSON)
    assert answer.json()["name"] == "Ann: the best"


async def test_a_message_has_no_field_twice(server: AsyncClient) -> None:
    code, [caller] = await seated(server, 1)
    async with follow(server, code, caller) as socket:
        await hear(socket)
        for text in TWICE:
            await socket.send(text)
            answer = await hear(socket, "refused")
            assert answer["code"] == "bad_request", text
            assert "twice" in answer["detail"], text
        await socket.send(json.dumps({"type": "say", "id": "z", "text": 'colons: ":" and "a":1'}))
        assert (await hear(socket, "said"))["text"] == 'colons: ":" and "a":1'


@pytest.mark.parametrize("written", ["Bearer", "Bearer ", "bearer   ", "BEARER\t", "Basic x", "", "Token x"])
async def test_an_empty_bearer_is_none(client: AsyncClient, written: str) -> None:
    caller = await new_caller(client)
    code = await caller.create()
    ours, cookie = {"Origin": "http://fogline.test"}, {"Cookie": f"{caller.cookie}={caller.token}"}
    empty = {"Authorization": written}
    assert (await client.get(f"/api/v1/rooms/{code}/view", headers=empty)).json()["code"] == "not_started"
    assert refused(await client.post("/api/v1/rooms", json={"seats": 2}, headers=empty)) == (401, "bad_request")
    assert await made(client, empty | cookie | ours) == 201
    assert await made(client, empty | cookie) == 403, "the cookie alone does not say whose page asks"


async def made(client: AsyncClient, headers: dict[str, Any]) -> int:
    """The status with which a room is made."""
    return (await client.post("/api/v1/rooms", json={"seats": 2}, headers=headers)).status_code


async def test_a_player_is_known_by_a_token_beside_spaces(client: AsyncClient) -> None:
    caller: Caller = await new_caller(client)
    assert await made(client, {"Authorization": f"bearer   {caller.token} "}) == 201
