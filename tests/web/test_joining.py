"""Open tables, invitations, and going on with another device."""

import asyncio
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from httpx import AsyncClient, Response

from app.web.qr import draw_qr
from harness.callers import (
    Caller,
    Json,
    first_legal,
    follow,
    hear,
    new_caller,
    open_client,
    seated,
    settings_in,
    started,
)
from harness.routes import SITE_PATHS


async def offered(client: AsyncClient) -> list[Json]:
    answer = await client.get("/api/v1/rooms")
    assert answer.status_code == 200, answer.text
    rooms: list[Json] = answer.json()["rooms"]
    return rooms


async def test_public_tables_are_listed_the_newest_first_and_private_ones_are_not(client: AsyncClient) -> None:
    host = await new_caller(client, "Ann")
    await host.create()
    first, second = await host.create(public=True), await host.create(public=True, seats=2)
    assert [room["code"] for room in await offered(client)] == [second, first]
    listed = (await offered(client))[0]
    assert list(listed) == ["code", "board", "seats", "free", "names", "created_at"]
    assert (listed["seats"], listed["free"], listed["names"]) == (2, 1, ["Ann"])


async def test_a_full_table_and_one_that_plays_are_listed_no_more(client: AsyncClient) -> None:
    await seated(client, 2, public=True)
    playing, callers = await seated(client, 2, seats=3, public=True)
    await callers[0].post(f"{playing}/start")
    assert await offered(client) == []


async def test_the_host_offers_the_table_and_takes_it_back(client: AsyncClient) -> None:
    code, (host, guest) = await seated(client, 2, seats=3)
    for public in (True, False):
        answer = await host.patch(code, {"public": public})
        assert answer.json()["options"]["public"] is public
        assert [room["code"] for room in await offered(client)] == [code] * public
    assert (await guest.patch(code, {"public": True})).json()["code"] == "not_host"
    await host.post(f"{code}/start")
    assert (await host.patch(code, {"public": True})).json()["code"] == "already_started"


async def test_the_home_page_and_its_part_show_the_same_tables(client: AsyncClient) -> None:
    host, other = await new_caller(client, "Ann"), await new_caller(client, "<b>Ben</b>")
    mine, code = await host.create(), await other.create(public=True)
    home = (await client.get("/", headers=host.headers)).text
    part = (await client.get("/tables", headers=host.headers)).text
    for page in (home, part):
        assert f'href="/t/{mine}"' in page
        assert f'data-join="{code}"' in page
        assert "<b>Ben" not in page
    assert "Nobody is waiting" not in part


async def test_without_open_tables_the_page_says_so_kindly(client: AsyncClient) -> None:
    assert "Nobody is waiting for company" in (await client.get("/")).text


async def test_BUG916_my_tables_say_whose_turn_it_is(client: AsyncClient) -> None:
    code, callers = await started(client, 2)
    view = (await callers[0].get(f"{code}/view")).json()
    await callers[0].post(f"{code}/act", {"id": "a", "version": view["version"], "action": first_legal(view)})
    pages = [(await client.get("/tables", headers=caller.headers)).text for caller in callers]
    assert ["Your turn" in page for page in pages] == [False, True]
    assert "waiting for <bdi>Player 1</bdi>" in pages[0]


async def test_a_finished_table_shows_the_result(client: AsyncClient) -> None:
    code, callers = await started(client, 2)
    while (view := (await callers[0].get(f"{code}/view")).json())["phase"] != "over":
        seat = view["to_act"][0]
        own = (await callers[seat].get(f"{code}/view")).json()
        act = {"id": f"a{own['version']}-{seat}", "version": own["version"], "action": first_legal(own)}
        await callers[seat].post(f"{code}/act", act)
    for caller, line in zip(callers, view["scores"], strict=True):
        page = (await client.get("/tables", headers=caller.headers)).text
        wanted = f"Won with {line['total']} " if line["rank"] == 1 else f"Place 2 with {line['total']} "
        assert wanted in page


@pytest.mark.parametrize(
    ("settings", "wanted"),
    [
        ({"base_path": "/games/sf"}, "http://fogline.test/games/sf/t/{code}"),
        ({"base_path": "/fog", "public_url": "https://play.example"}, "https://play.example/fog/t/{code}"),
    ],
)
async def test_the_qr_code_holds_the_link_to_pass_round(tmp_path: Path, settings: Json, wanted: str) -> None:
    root = settings["base_path"]
    async with open_client(settings_in(tmp_path, **settings)) as client:
        answer = await client.get(f"{root}/t/abcd-2345/qr.svg")
        assert answer.headers["content-type"].startswith("image/svg+xml")
        assert answer.text == await draw_qr(wanted.format(code="ABCD2345"))
        again = await client.get(f"{root}/t/ABCD2345/qr.svg", headers={"If-None-Match": answer.headers["etag"]})
        assert again.status_code == 304
        assert (await client.get(f"{root}/t/none/qr.svg")).status_code == 404


async def test_another_name_is_still_the_same_player(client: AsyncClient) -> None:
    host = await new_caller(client, "Ana")
    code = await host.create()
    answer = await client.patch("/api/v1/players/me", json={"name": " Anna "}, headers=host.headers)
    assert (answer.json()["player"], answer.json()["name"]) == (host.id, "Anna")
    assert client.cookies[host.cookie] == answer.json()["token"] != host.token
    client.cookies.clear()
    renamed = Caller(client, host.id, answer.json()["token"])
    assert f"/t/{code}" in (await client.get("/", headers=renamed.headers)).text
    second = await renamed.create()
    assert [(await renamed.get(each)).json()["seats"][0]["name"] for each in (code, second)] == ["Ana", "Anna"]
    refused = await client.patch("/api/v1/players/me", json={"name": "admin"}, headers=renamed.headers)
    assert refused.json()["reason"] == "name_reserved"


async def link_of(caller: Caller, **wish: str) -> tuple[str, str]:
    """The address of a new one-time link, and its secret."""
    answer = await caller.client.post("/api/v1/links", json=wish, headers=caller.headers)
    assert answer.status_code == 201, answer.text
    address, _, secret = answer.json()["url"].partition("#")
    return address, secret


async def use(client: AsyncClient, secret: str, call: str = "use") -> Response:
    return await client.post(f"/api/v1/links/{call}", json={"secret": secret})


async def test_a_link_makes_another_device_the_same_player_and_both_go_on(client: AsyncClient) -> None:
    code, (host, _) = await seated(client, 2, seats=3)
    address, secret = await link_of(host, room=code.lower())
    assert address == f"http://fogline.test/continue?table={code}"
    assert (await use(client, secret, "owner")).json() == {"player": host.id, "name": "Player 0"}
    answer = await use(client, secret)
    assert answer.status_code == 201
    assert (answer.json()["player"], answer.json()["name"]) == (host.id, "Player 0")
    assert client.cookies[host.cookie] == answer.json()["token"] != host.token
    phone = {"Origin": "http://fogline.test"}
    assert (await client.post(f"/api/v1/rooms/{code}/start", headers=phone)).status_code == 200
    client.cookies.clear()
    assert (await host.get(f"{code}/view")).json()["seat"] == 0


async def test_a_link_works_once(client: AsyncClient) -> None:
    host = await new_caller(client)
    _, secret = await link_of(host)
    assert (await use(client, secret)).status_code == 201
    for call in ("use", "owner"):
        answer = await use(client, secret, call)
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown_link")
        assert "set-cookie" not in answer.headers


async def test_looking_at_the_page_or_its_head_does_not_use_a_link_up(server: AsyncClient) -> None:
    client = server
    host = await new_caller(client)
    address, secret = await link_of(host)
    for method in ("GET", "HEAD", "GET"):
        answer = await client.request(method, address)
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert secret not in answer.text
    assert (await use(client, secret)).status_code == 201


async def test_no_server_on_the_way_sees_the_secret(client: AsyncClient) -> None:
    """It stands where browsers send nothing of an address, and so in no log of a proxy either."""
    answer = await client.post("/api/v1/links", headers=(await new_caller(client)).headers)
    parts = urlsplit(answer.json()["url"])
    assert len(parts.fragment) >= 43
    assert parts.fragment not in parts.path + parts.query
    assert re.fullmatch(r"<svg.*</svg>", answer.json()["qr"])
    assert answer.json()["seconds"] == 120


async def test_only_a_player_on_a_page_of_ours_gets_a_link(client: AsyncClient) -> None:
    assert (await client.post("/api/v1/links")).status_code == 401
    await client.post("/api/v1/players", json={"name": "Ann"})
    for origin, status in (("https://evil.example", 403), (None, 403), ("http://fogline.test", 201)):
        answer = await client.post("/api/v1/links", headers={"Origin": origin} if origin else {})
        assert answer.status_code == status
    assert (await use(client, "x")).status_code == 404
    evil = await client.post("/api/v1/links/use", json={"secret": "x"}, headers={"Origin": "https://evil.example"})
    assert evil.status_code == 403


@pytest.mark.parametrize("path", SITE_PATHS)
async def test_a_head_is_that_of_the_page(client: AsyncClient, path: str) -> None:
    code, _ = await seated(client, 2)
    whole, head = [await client.request(method, path.format(code=code)) for method in ("GET", "HEAD")]
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"] == whole.headers["content-type"]
    if path != "/metrics":  # which change from one moment to the next
        assert head.headers["content-length"] == whole.headers["content-length"]


async def test_a_page_refused_for_flooding_is_a_page(tmp_path: Path) -> None:
    async with open_client(settings_in(tmp_path, rate_limits="on")) as client:
        asked = {"Accept-Language": "it"}
        while (answer := await client.get("/continue?table=RM8RXG3A", headers=asked)).status_code == 200:
            await asyncio.gather(*(client.get("/api/v1/boards/none") for _ in range(100)))
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) >= 1
        assert answer.headers["content-type"].startswith("text/html")
        assert 'href="/continue?table=RM8RXG3A"' in answer.text
        assert "Riprova" in answer.text
        refused = await client.get("/api/v1/boards/none")
        assert refused.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("path", ["/nowhere", "/t", "/static/none.html", "/api/v1/none"])
async def test_an_address_that_leads_nowhere_is_a_page_for_people(client: AsyncClient, path: str) -> None:
    page = await client.get(path, headers={"Accept": "text/html,*/*", "Accept-Language": "cs"})
    assert page.status_code == 404
    assert page.headers["content-type"].startswith("text/html")
    assert "Tady nic není" in page.text
    told = await client.get(path, headers={"Accept": "*/*"})
    assert (told.status_code, told.json()["code"]) == (404, "bad_request")


async def test_the_page_says_when_tables_are_removed(tmp_path: Path) -> None:
    for days, said in ((1, "removed after 1 day."), (12, "removed after 12 days."), (0, None)):
        async with open_client(settings_in(tmp_path, room_days=days)) as client:
            for path in ("/", "/t/00000000"):
                page = (await client.get(path)).text
                assert said in page if said else "removed after" not in page


async def test_a_table_is_listed_while_its_host_is_there(server: AsyncClient) -> None:
    host = await new_caller(server)
    code = await host.create()
    async with follow(server, code, host) as socket:
        await hear(socket)
        await host.patch(code, {"public": True})
        assert (await hear(socket))["room"]["options"]["public"] is True
        assert [room["code"] for room in await offered(server)] == [code]
