"""Every call of the contract, and every refusal by its code."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from httpx import AsyncClient, Response

from app.boards import load_board
from app.rules.shuffle import commitment, mix_seed
from harness.callers import JSON, Caller, first_legal, new_caller, open_client, seated, settings_in, started


def refused(answer: Response) -> tuple[int, str]:
    """Status and code of a problem, which has to be one."""
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem.keys() == {"type", "title", "status", "code", "detail", "reason", "facts"}
    assert problem["status"] == answer.status_code
    assert problem["detail"].endswith((".", "again."))
    return answer.status_code, problem["code"]


async def finished(client: AsyncClient, people: int = 2) -> tuple[str, list[Caller]]:
    """A room whose game was played to its end by calls alone."""
    code, callers = await seated(client, people)
    for number, caller in enumerate(callers):
        await caller.post(f"{code}/join", {"nonce": f"part {number}"})
    await callers[0].post(f"{code}/start")
    for number in range(1000):
        view = (await callers[0].get(f"{code}/view")).json()
        if view["phase"] == "over":
            break
        caller = callers[view["to_act"][0]]
        own = (await caller.get(f"{code}/view")).json()
        body = {"id": f"a{number}", "version": own["version"], "action": first_legal(own)}
        assert (await caller.post(f"{code}/act", body)).json() == {"version": own["version"] + 1}
    return code, callers


async def test_create_player(client: AsyncClient) -> None:
    answer = await client.post("/api/v1/players", json={"name": "Ann"})
    assert answer.status_code == 201
    assert answer.json().keys() == {"player", "name", "token"}
    assert answer.json()["name"] == "Ann"


async def test_create_room(client: AsyncClient) -> None:
    host = await new_caller(client)
    answer = await client.post("/api/v1/rooms", json={"seats": 3}, headers=host.headers)
    assert answer.status_code == 201
    code = answer.json()["code"]
    room = (await host.get(code)).json()
    assert answer.json() == {"code": code, "url": f"http://fogline.test/t/{code}", "commitment": room["commitment"]}
    assert room["host"] == 0
    assert [(seat["name"], seat["kind"]) for seat in room["seats"]] == [("Ann", "human"), ("", None), ("", None)]


async def test_the_room_has_the_fields_of_the_contract(client: AsyncClient) -> None:
    code, _ = await seated(client, 2)
    room = (await client.get(f"/api/v1/rooms/{code}")).json()
    assert list(room) == [
        *("code", "status", "host", "board", "options", "commitment", "seats", "spectators", "watchers", "next"),
    ]
    assert list(room["seats"][0]) == ["seat", "name", "color", "kind", "connected", "guardian", "level"]
    assert len({seat["color"] for seat in room["seats"]}) == 2
    assert room["options"] == {
        "seats": 2,
        "board": "san-francisco",
        "clock_seconds": None,
        "public": False,
        "spectators": True,
        "planner": True,
        "pass_and_play": False,
    }


@pytest.mark.parametrize("seats", [0, 1, 5, -1, 2.5, "2", None, 1e9, True, [], {}])
async def test_BUG706_impossible_numbers_of_seats(client: AsyncClient, seats: Any) -> None:
    host = await new_caller(client)
    answer = await client.post("/api/v1/rooms", json={"seats": seats}, headers=host.headers)
    assert refused(answer) == (400, "bad_request")
    assert answer.json()["detail"].startswith("seats: ")


@pytest.mark.parametrize(
    ("wish", "named"),
    [
        ({}, "seats"),
        ({"seats": 2, "colour": 1}, "colour"),
        ({"seats": 2, "nonce": "x" * 65}, "nonce"),
        ({"seats": 2, "nonce": "\n"}, "nonce"),
        ({"seats": 2, "nonce": "é"}, "nonce"),
        ({"seats": 2, "board": "nowhere"}, "board"),
        ({"seats": 2, "board": "../san-francisco"}, "board"),
        ({"seats": 2, "public": 1}, "public"),
        ({"seats": 2, "spectators": "yes"}, "spectators"),
        ({"seats": 2, "clock_seconds": 10}, "clock_seconds"),
        ({"seats": 2, "clock_seconds": 60}, "clock_seconds"),
    ],
)
async def test_wishes_that_can_not_be_met_are_named(client: AsyncClient, wish: dict[str, Any], named: str) -> None:
    host = await new_caller(client)
    answer = await client.post("/api/v1/rooms", json=wish, headers=host.headers)
    assert refused(answer) == (400, "bad_request")
    assert answer.json()["detail"].startswith(f"{named}: ")


async def test_join_and_join_again(client: AsyncClient) -> None:
    code, _ = await seated(client, 2, seats=3)
    newcomer = await new_caller(client)
    assert (await newcomer.post(f"{code}/join", {"nonce": "mine"})).json() == {"seat": 2, "nonce": "mine"}
    for again in ({}, {"nonce": ""}, {"nonce": "other"}):
        assert (await newcomer.post(f"{code}/join", again)).json() == {"seat": 2, "nonce": "mine"}


async def test_each_player_gives_one_nonce_and_gives_it_before_the_start(client: AsyncClient) -> None:
    code, (host, guest) = await seated(client, 2)
    for caller, seat in ((host, 0), (guest, 1)):
        assert (await caller.post(f"{code}/join")).json() == {"seat": seat, "nonce": ""}
    assert (await host.post(f"{code}/join", {"nonce": "first"})).json() == {"seat": 0, "nonce": "first"}
    assert (await host.post(f"{code}/join", {"nonce": "second"})).json() == {"seat": 0, "nonce": "first"}
    await host.post(f"{code}/start")
    assert (await guest.post(f"{code}/join", {"nonce": "late"})).json() == {"seat": 1, "nonce": ""}


async def test_a_new_seat_takes_a_new_nonce(client: AsyncClient) -> None:
    code, (host, guest) = await seated(client, 2)
    await guest.post(f"{code}/join", {"nonce": "first"})
    await host.delete(f"{code}/seats/1")
    assert (await guest.post(f"{code}/join", {"nonce": "second"})).json() == {"seat": 1, "nonce": "second"}


async def test_BUG701_many_who_join_at_once_have_different_seats(client: AsyncClient) -> None:
    code, _ = await seated(client, 1, seats=4)
    crowd = [await new_caller(client) for _ in range(6)]
    answers = await asyncio.gather(*(caller.post(f"{code}/join") for caller in crowd))
    assert sorted(answer.json()["seat"] for answer in answers if answer.status_code == 200) == [1, 2, 3]
    assert [refused(answer) for answer in answers if answer.status_code != 200] == [(409, "room_full")] * 3


async def test_join_when_it_is_too_late(client: AsyncClient) -> None:
    code, callers = await started(client, 2)
    newcomer = await new_caller(client)
    assert refused(await newcomer.post(f"{code}/join")) == (409, "already_started")
    assert (await callers[1].post(f"{code}/join")).json() == {"seat": 1, "nonce": ""}


async def test_leave(client: AsyncClient) -> None:
    code, callers = await seated(client, 2)
    room = (await callers[0].post(f"{code}/leave")).json()
    assert (room["host"], room["seats"][0]["kind"]) == (1, None)
    assert refused(await callers[0].post(f"{code}/leave")) == (403, "not_seated")
    code, callers = await started(client, 2)
    assert refused(await callers[0].post(f"{code}/leave")) == (409, "already_started")


async def test_bots(client: AsyncClient) -> None:
    code, callers = await seated(client, 2, seats=3)
    assert refused(await callers[1].post(f"{code}/bots", {"level": "easy"})) == (403, "not_host")
    answer = await callers[0].post(f"{code}/bots", {"level": "genius"})
    assert refused(answer) == (400, "bad_request")
    assert "easy" in answer.json()["detail"]
    room = (await callers[0].post(f"{code}/bots", {"level": "easy"})).json()
    assert [seat["kind"] for seat in room["seats"]] == ["human", "human", "bot"]
    assert refused(await callers[0].post(f"{code}/bots", {"level": "easy"})) == (409, "room_full")


async def test_remove_a_seat(client: AsyncClient) -> None:
    code, callers = await seated(client, 2)
    assert refused(await callers[1].delete(f"{code}/seats/0")) == (403, "not_host")
    room = (await callers[0].delete(f"{code}/seats/1")).json()
    assert room["seats"][1]["kind"] is None
    for number in ("3", "4", "-1", "one", "9" * 5000):
        assert refused(await callers[0].delete(f"{code}/seats/{number}")) == (400, "bad_request")
    assert refused(await callers[1].post(f"{code}/leave")) == (403, "not_seated")


async def test_start(client: AsyncClient) -> None:
    code, callers = await seated(client, 3, seats=4)
    assert refused(await callers[1].post(f"{code}/start")) == (403, "not_host")
    await callers[1].post(f"{code}/leave")
    room = (await callers[0].post(f"{code}/start")).json()
    assert room["status"] == "playing"
    assert [seat["name"] for seat in room["seats"]] == ["Player 0", "Player 2"]
    assert (await callers[2].get(f"{code}/view")).json()["seat"] == 1
    assert refused(await callers[0].post(f"{code}/start")) == (409, "already_started")


async def test_BUG705_two_starts_deal_once(client: AsyncClient) -> None:
    code, callers = await seated(client, 2)
    answers = await asyncio.gather(*(callers[0].post(f"{code}/start") for _ in range(2)))
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    view = (await callers[0].get(f"{code}/view")).json()
    assert sum(view["hand"].values()) == len(view["offer"]) == 2


async def test_one_alone_does_not_start(client: AsyncClient) -> None:
    code, callers = await seated(client, 1)
    assert refused(await callers[0].post(f"{code}/start")) == (400, "bad_request")


async def test_act_and_its_refusals(client: AsyncClient) -> None:
    code, callers = await started(client, 2)
    keep = {"id": "k", "version": 0}
    offers = [(await caller.get(f"{code}/view")).json()["offer"] for caller in callers]
    for caller, offer in zip(callers, offers, strict=True):
        action = {"type": "keep_tickets", "tickets": offer[:1]}
        assert (await caller.post(f"{code}/act", {**keep, "action": action})).status_code == 200
    views = [(await caller.get(f"{code}/view")).json() for caller in callers]
    [placer], version = views[0]["to_act"], views[0]["version"]
    place = {"action": first_legal(views[placer]), "version": version}
    assert refused(await callers[1 - placer].post(f"{code}/act", {"id": "1", **place})) == (409, "not_your_turn")
    stale = {"id": "2", **place, "version": version - 1}
    assert refused(await callers[placer].post(f"{code}/act", stale)) == (409, "stale_version")
    wrong = {"id": "3", "version": version, "action": {"type": "draw_card", "slot": None}}
    assert refused(await callers[placer].post(f"{code}/act", wrong)) == (422, "illegal_action")
    assert refused(await (await new_caller(client)).post(f"{code}/act", {"id": "4", **place})) == (403, "not_seated")
    assert (await callers[placer].post(f"{code}/act", {"id": "5", **place})).json() == {"version": version + 1}
    assert (await callers[placer].post(f"{code}/act", {"id": "5", **place})).json() == {"version": version + 1}


async def test_act_and_view_before_the_start(client: AsyncClient) -> None:
    code, callers = await seated(client, 2)
    act = {"id": "1", "version": 0, "action": {"type": "pass"}}
    assert refused(await callers[0].post(f"{code}/act", act)) == (409, "not_started")
    assert refused(await callers[0].get(f"{code}/view")) == (409, "not_started")


async def test_BUG1106_a_view_is_the_callers_own(client: AsyncClient) -> None:
    code, callers = await started(client, 2)
    for seat, caller in enumerate(callers):
        assert (await caller.get(f"{code}/view")).json()["seat"] == seat
    for stranger in (None, (await new_caller(client)).headers):
        named = await client.get(f"/api/v1/rooms/{code}/view?seat=1", headers=stranger)
        assert refused(named) == (403, "not_seated")
        view = (await client.get(f"/api/v1/rooms/{code}/view", headers=stranger)).json()
        assert (view["seat"], view["hand"], view["offer"]) == (None, {}, [])


async def test_a_room_without_spectators(client: AsyncClient) -> None:
    code, callers = await started(client, 2, spectators=False)
    assert refused(await client.get(f"/api/v1/rooms/{code}/view")) == (403, "not_seated")
    assert (await callers[1].get(f"{code}/view")).status_code == 200


async def test_the_record_reveals_everything_and_the_commitment_was_kept(client: AsyncClient) -> None:
    code, _ = await finished(client)
    record = (await client.get(f"/api/v1/rooms/{code}/record")).json()
    room = (await client.get(f"/api/v1/rooms/{code}")).json()
    seed, server_part = record["seed"], bytes.fromhex(record["seed"]["server_part"])
    assert seed["commitment"] == room["commitment"] == commitment(server_part)
    assert (seed["nonces"], seed["derivation"]) == (["part 0", "part 1"], 2)
    assert bytes.fromhex(seed["seed"]) == mix_seed(server_part, seed["nonces"])
    assert record["board"]["id"] == load_board("san-francisco").id
    assert [move["number"] for move in record["moves"]] == list(range(1, len(record["moves"]) + 1))
    assert all(move["at"].endswith("Z") for move in record["moves"])
    assert [move["at"] for move in record["moves"]] == sorted(move["at"] for move in record["moves"])
    for line in record["scores"]:
        assert line["total"] == line["routes"] + line["tokens"] + sum(ticket["points"] for ticket in line["tickets"])


async def test_no_record_before_the_end(client: AsyncClient) -> None:
    lobby, _ = await seated(client, 2)
    game, _ = await started(client, 2)
    for code in (lobby, game):
        answer = await client.get(f"/api/v1/rooms/{code}/record")
        assert refused(answer) == (409, "not_started")


async def test_boards(client: AsyncClient) -> None:
    assert (await client.get("/api/v1/boards/san-francisco")).json()["id"] == "san-francisco"
    assert refused(await client.get("/api/v1/boards/atlantis")) == (404, "bad_request")


@pytest.mark.parametrize("path", ["", "/view", "/record"])
@pytest.mark.parametrize("code", ["00000000", "nope", "%00", "%3Cscript%3E", "0" * 3000])
async def test_BUG1201_unknown_rooms(client: AsyncClient, code: str, path: str) -> None:
    assert refused(await client.get(f"/api/v1/rooms/{code}{path}")) == (404, "unknown_room")


async def test_codes_are_read_as_people_write_them(client: AsyncClient) -> None:
    code, _ = await seated(client, 2)
    written = f"{code[:4]}-{code[4:]}".lower().replace("0", "o").replace("1", "l")
    assert (await client.get(f"/api/v1/rooms/{written}")).json()["code"] == code


BODIES: dict[str, bytes] = {
    "nothing": b"",
    "no JSON": b"{",
    "two values": b'{"seats":2} {}',
    "a list": b"[]",
    "a number": b"7",
    "NaN": b'{"seats": NaN}',
    "deep nesting": b'{"a":' * 1000,
    "half a sign": b'{"seats": 2, "nonce": "\\ud800"}',
    "no UTF-8": b'{"seats": 2, "nonce": "\xff"}',
    "a huge number": b'{"seats": ' + b"9" * 5000 + b"}",
}


@pytest.mark.parametrize("kind", BODIES)
async def test_BUG1310_bodies_that_can_not_be_read(client: AsyncClient, kind: str) -> None:
    host = await new_caller(client)
    answer = await client.post("/api/v1/rooms", content=BODIES[kind], headers=JSON | host.headers)
    assert refused(answer) == (400, "bad_request")


async def test_a_body_that_is_too_large(client: AsyncClient) -> None:
    host = await new_caller(client)
    body = json.dumps({"seats": 2, "nonce": "x" * 8200})
    assert refused(await client.post("/api/v1/rooms", content=body, headers=JSON | host.headers)) == (413, "too_large")


async def test_paths_and_methods_that_are_not_there(client: AsyncClient) -> None:
    assert refused(await client.get("/api/v1/nothing")) == (404, "bad_request")
    answer = await client.put("/api/v1/players")
    assert refused(answer) == (405, "bad_request")
    assert answer.headers["allow"] == "POST"


async def test_BUG1002_what_was_answered_is_stored(tmp_path: Path) -> None:
    async with open_client(settings_in(tmp_path)) as client:
        code, callers = await started(client, 2)
        room, view = await callers[0].get(code), await callers[0].get(f"{code}/view")
    async with open_client(settings_in(tmp_path)) as client:
        again = replace(callers[0], client=client)
        assert (await again.get(code)).content == room.content
        assert (await again.get(f"{code}/view")).content == view.content
