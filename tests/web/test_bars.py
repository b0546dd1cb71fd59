"""Hosts bar players from their tables: who may do so, what it keeps from whom, and for how long."""

from pathlib import Path

import pytest
from httpx import AsyncClient
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import InvalidStatus

from harness.callers import Caller, Json, closed, follow, hear, new_caller, say, seated, serving, settings_in, started
from tests.web.test_calls import refused


async def bar(host: Caller, code: str, **whom: object) -> list[Json]:
    """Who is barred after this."""
    answer = await host.post(f"{code}/bars", whom)
    assert answer.status_code == 200, answer.text
    bars: list[Json] = answer.json()["bars"]
    return bars


async def test_one_who_sits_in_the_lobby_loses_the_seat_and_may_not_come_back(client: AsyncClient) -> None:
    code, (host, guest) = await seated(client, 2)
    assert await bar(host, code, seat=1) == [{"player": guest.id, "name": "Player 1"}]
    assert (await host.get(code)).json()["seats"][1]["kind"] is None
    for call in ("join", "leave", "start", "rematch"):
        assert refused(await guest.post(f"{code}/{call}")) == (403, "barred")
    for path in (code, f"{code}/view", f"{code}/record"):
        assert refused(await guest.get(path)) == (403, "barred")
    page = await client.get(f"/t/{code}", headers=guest.headers)
    assert (page.status_code, "barred you from this table" in page.text) == (403, True)
    assert (await client.get(f"/api/v1/rooms/{code}")).status_code == 200, "others come as before"


async def test_a_bar_is_lifted(client: AsyncClient) -> None:
    code, (host, guest) = await seated(client, 2)
    await bar(host, code, seat=1)
    assert (await host.get(f"{code}/bars")).json() == {"bars": [{"player": guest.id, "name": "Player 1"}]}
    assert (await host.delete(f"{code}/bars/{guest.id}")).json() == {"bars": []}
    assert (await host.delete(f"{code}/bars/{guest.id}")).json() == {"bars": []}
    assert (await guest.post(f"{code}/join")).json()["seat"] == 1


async def test_only_the_host_bars_and_knows_who_is_barred(client: AsyncClient) -> None:
    code, (host, guest, third) = await seated(client, 3)
    await bar(host, code, seat=2)
    assert third.id not in (await guest.get(code)).text
    assert refused(await guest.get(f"{code}/bars")) == (403, "not_host")
    assert refused(await guest.post(f"{code}/bars", {"seat": 0})) == (403, "not_host")
    assert refused(await guest.post(f"{code}/bars", {"player": "nobody"})) == (403, "not_host")
    assert refused(await guest.delete(f"{code}/bars/{third.id}")) == (403, "not_host")


@pytest.mark.parametrize(
    ("whom", "reason"),
    [
        ({}, None),
        ({"player": "a", "seat": 1}, None),
        ({"seat": 9}, None),
        ({"player": ""}, None),
        ({"player": "nobody"}, "not_watching"),
        ({"seat": 0}, "bar_self"),
        ({"seat": 2}, "bar_nobody"),
        ({"seat": 3}, "bar_nobody"),
    ],
)
async def test_whom_one_cannot_bar(client: AsyncClient, whom: Json, reason: str | None) -> None:
    code, (host, _) = await seated(client, 2, seats=4)
    await host.post(f"{code}/bots", {"level": "easy"})
    answer = await host.post(f"{code}/bars", whom)
    assert refused(answer) == (400, "bad_request")
    assert answer.json()["reason"] == reason


async def test_nobody_is_barred_from_a_game_they_play(client: AsyncClient) -> None:
    code, (host, guest) = await started(client, 2)
    answer = await host.post(f"{code}/bars", {"seat": 1})
    assert (refused(answer), answer.json()["reason"]) == ((409, "already_started"), "bar_playing")
    assert (await guest.get(f"{code}/view")).status_code == 200


async def test_a_table_bars_so_many(client: AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.rooms.lobby.MOST_BARRED", 1)
    code, (host, _, _) = await seated(client, 3)
    await bar(host, code, seat=1)
    await bar(host, code, player=(await host.get(f"{code}/bars")).json()["bars"][0]["player"])
    answer = await host.post(f"{code}/bars", {"seat": 2})
    assert (refused(answer), answer.json()["reason"]) == ((400, "bad_request"), "bar_full")


async def test_a_spectator_of_a_game_is_sent_away_and_kept_away(server: AsyncClient) -> None:
    code, (host, _) = await started(server, 2)
    stranger = await new_caller(server, "Eve")
    async with follow(server, code, stranger) as socket, follow(server, code, host) as hosts:
        await say(socket, type="say", id="1", text="You are losing")
        await hear(socket, "spoken")
        assert await bar(host, code, player=stranger.id) == [{"player": stranger.id, "name": "Eve"}]
        assert await reason_of_end(socket) == "you are barred from this table"
        while (await hear(hosts))["room"]["watchers"]:
            pass
    with pytest.raises(InvalidStatus) as error:
        await follow(server, code, stranger)
    assert error.value.response.status_code == 403


async def reason_of_end(socket: ClientConnection) -> str:
    """Why the server closes a socket."""
    assert await closed(socket) == 1008
    return socket.close_reason or ""


async def test_who_has_talked_and_left_can_be_barred(server: AsyncClient) -> None:
    code, (host, _) = await started(server, 2)
    stranger = await new_caller(server, "Eve")
    async with follow(server, code, stranger) as socket:
        await say(socket, type="say", id="1", text="You are losing")
        await hear(socket, "spoken")
    assert await bar(host, code, player=stranger.id) == [{"player": stranger.id, "name": "Eve"}]


async def test_bars_outlast_a_restart(tmp_path: Path) -> None:
    async with serving(settings_in(tmp_path)) as client:
        code, (host, guest) = await seated(client, 2)
        await bar(host, code, seat=1)
    async with serving(settings_in(tmp_path)) as client:
        host, guest = [Caller(client, each.id, each.token) for each in (host, guest)]
        assert refused(await guest.post(f"{code}/join")) == (403, "barred")
        assert [each["player"] for each in (await host.get(f"{code}/bars")).json()["bars"]] == [guest.id]


async def test_a_page_reads_the_list_by_its_cookie(client: AsyncClient) -> None:
    """Which comes without an origin, as browsers ask."""
    code, (host, _) = await seated(client, 2)
    answer = await client.get(f"/api/v1/rooms/{code}/bars", headers={"Cookie": host.browser["Cookie"]})
    assert (answer.status_code, answer.json()) == (200, {"bars": []})
    assert refused(await client.get(f"/api/v1/rooms/{code}/bars")) == (403, "not_host")
