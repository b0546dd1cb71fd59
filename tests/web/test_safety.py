"""Identity, origins and rate limits."""

import asyncio
from pathlib import Path
from typing import NoReturn

import pytest
from httpx import AsyncClient
from websockets.exceptions import InvalidStatus

from app.web.limits import Rate
from harness.callers import closed, follow, hear, new_caller, open_client, say, seated, serving, settings_in
from tests.web.test_calls import refused


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("Ann", "Ann"),
        ("  Ann  Lee ", "Ann Lee"),
        ("Cafe\u0301", "Café"),
        ("محمد", "محمد"),
        ("שָׁלוֹם", "שָׁלוֹם"),
        ("李小龍", "李小龍"),
        ("<img src=x>", "<img src=x>"),
        ("🚋", "🚋"),
        ("x" * 24, "x" * 24),
        ("\u0915\u093f" * 24, "\u0915\u093f" * 24),
        ("👍🏽" * 24, "👍🏽" * 24),
        ("❤️ Ann", "❤️ Ann"),
        ("👩\u200d🚒", "👩\u200d🚒"),
        ("\u202eAnn", "Ann"),
        ("Ann\ufe0f", "Ann"),
        ("\u3000Ann\u00a0\u2003Lee\u00a0", "Ann Lee"),
    ],
)
async def test_names(client: AsyncClient, written: str, kept: str) -> None:
    answer = await client.post("/api/v1/players", json={"name": written})
    assert (answer.status_code, answer.json()["name"]) == (201, kept)


@pytest.mark.parametrize(
    "name",
    [
        *("", " ", "   ", "x" * 25, "x" * 300),
        *("\u200b", "A\u200bnn", "\u2066", "A\nnn", "A\x00nn", "\u00ad", "\ufeff", "\u061c"),
        *("\u3164", "\u2800", "\u0301", "\u00a0", "\u3000\u2003"),
        *("A\u034fnn", "A\ufe0fnn", "A\ufe00nn", "A\U000e0100nn", "A\u17b4nn", "A\u202enn", "A" + "\u0316" * 6 + "nn"),
        *("\u0915\u093f" * 25, "👍🏽" * 25),
        *(
            "Server",
            "SYSTEM ",
            "s y s t e m",
            "Fogline",
            "f0gl1ne",
            "\u0405ystem",
            "ＳＹＳＴＥＭ",
            "Sy\u0455tem",
            "Sérver",
        ),
    ],
)
async def test_BUG1205_BUG1305_names_that_are_refused(client: AsyncClient, name: str) -> None:
    answer = await client.post("/api/v1/players", json={"name": name})
    assert refused(answer) == (400, "bad_request")
    assert answer.json()["detail"].startswith("name: ")


async def test_the_cookie_is_kept_from_scripts_and_other_sites(tmp_path: Path) -> None:
    async with open_client(settings_in(tmp_path)) as client:
        cookie = (await client.post("/api/v1/players", json={"name": "Ann"})).headers["set-cookie"].lower()
        assert {"httponly", "path=/", "samesite=lax"} <= {part.strip() for part in cookie.split(";")}
        assert "secure" not in cookie
    async with open_client(settings_in(tmp_path, public_url="https://fogline.example", base_path="/fog/")) as client:
        cookie = (await client.post("/fog/api/v1/players", json={"name": "Ann"})).headers["set-cookie"].lower()
        assert {"secure", "path=/fog"} <= {part.strip() for part in cookie.split(";")}


async def test_BUG1203_tokens_are_long_and_random_and_only_their_hashes_are_kept(tmp_path: Path) -> None:
    async with open_client(settings_in(tmp_path)) as client:
        tokens = {(await new_caller(client)).token for _ in range(20)}
    assert len(tokens) == 20
    assert all(len(token) == 43 for token in tokens)
    stored = bytes_in(tmp_path)
    assert stored
    assert not any(token.encode() in stored for token in tokens)


def bytes_in(folder: Path) -> bytes:
    """Everything in the files of a folder."""
    return b"".join(file.read_bytes() for file in folder.iterdir())


async def test_a_cookie_and_a_token_name_the_same_player(client: AsyncClient) -> None:
    answer = await client.post("/api/v1/players", json={"name": "Ann"})
    origin = {"Origin": "http://fogline.test"}
    code = (await client.post("/api/v1/rooms", json={"seats": 2}, headers=origin)).json()["code"]
    client.cookies.clear()
    bearer = {"Authorization": f"Bearer {answer.json()['token']}"}
    assert (await client.post(f"/api/v1/rooms/{code}/join", headers=bearer)).json()["seat"] == 0


async def test_nobody_and_a_wrong_token(client: AsyncClient) -> None:
    code, _ = await seated(client, 2)
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "Bearer " + "x" * 5000}):
        answer = await client.post("/api/v1/rooms", json={"seats": 2}, headers=headers)
        assert refused(answer) == (401, "bad_request")
        assert answer.headers["www-authenticate"] == "Bearer"
        for call in ("join", "leave", "start", "act", "rematch"):
            assert refused(await client.post(f"/api/v1/rooms/{code}/{call}", headers=headers))[0] == 401
    client.cookies.set((await new_caller(client)).cookie, "of-another-time")
    assert (await client.get(f"/api/v1/rooms/{code}")).status_code == 200
    assert (await client.get(f"/api/v1/rooms/{code}")).status_code == 200


@pytest.mark.parametrize(
    "origin",
    [
        *("https://evil.example", "http://fogline.test.evil.example", "http://fogline.test:81", "null", ""),
        *("http://evil.example@fogline.test.", "file://", "http://[", "fogline.test"),
    ],
)
async def test_BUG1209_pages_of_other_sites_change_nothing(client: AsyncClient, origin: str) -> None:
    host = await new_caller(client)
    headers = {**host.headers, "Origin": origin}
    assert refused(await client.post("/api/v1/rooms", json={"seats": 2}, headers=headers)) == (403, "bad_request")
    assert refused(await client.post("/api/v1/players", json={"name": "Eve"}, headers={"Origin": origin}))[0] == 403


async def test_a_cookie_needs_to_say_whose_page_asks(client: AsyncClient) -> None:
    await client.post("/api/v1/players", json={"name": "Ann"})
    assert refused(await client.post("/api/v1/rooms", json={"seats": 2})) == (403, "bad_request")


@pytest.mark.parametrize(
    "origin",
    ["http://fogline.test", "https://play.example", "https://club.example:8443"],
)
async def test_our_own_pages_and_those_allowed_may(tmp_path: Path, origin: str) -> None:
    values = {"public_url": "https://Play.example:443", "origins": "https://other.example/, https://Club.example:8443"}
    async with open_client(settings_in(tmp_path, **values)) as client:
        host = await new_caller(client)
        headers = {**host.browser, "Origin": origin}
        assert (await client.post("/api/v1/rooms", json={"seats": 2}, headers=headers)).status_code == 201


async def test_a_program_that_keeps_cookies_makes_more_players(client: AsyncClient) -> None:
    for name in ("Ann", "Bob"):
        assert (await client.post("/api/v1/players", json={"name": name})).status_code == 201


async def test_what_may_be_stored_is_said_of_every_response(
    client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_asked: object) -> NoReturn:
        raise ZeroDivisionError

    monkeypatch.setattr("app.web.api.rooms.open_tables", fail)
    assert (await client.get("/api/v1/rooms")).status_code == 500
    calls = ("/api/v1/boards/san-francisco", "/api/v1/nothing", "/api/v1/rooms")
    for path in ("/", "/healthz", *calls, "/static/css/board.css"):
        headers = (await client.get(path)).headers
        assert headers["cache-control"] == ("no-cache" if path.startswith("/static") else "no-store")


async def test_who_asks_too_often_has_to_wait(tmp_path: Path) -> None:
    async with open_client(settings_in(tmp_path, rate_limits="on")) as client:
        answers = [await client.post("/api/v1/players", json={"name": "Ann"}) for _ in range(140)]
        statuses = [answer.status_code for answer in answers]
        assert statuses[:120] == [201] * 120
        assert refused(answers[-1]) == (429, "rate_limited")
        assert int(answers[-1].headers["retry-after"]) >= 1


async def test_who_tries_many_codes_has_to_wait(tmp_path: Path) -> None:
    async with open_client(settings_in(tmp_path, rate_limits="on")) as client:
        code, _ = await seated(client, 2)
        statuses = [(await client.get(f"/api/v1/rooms/{number:08}")).status_code for number in range(60)]
        assert statuses[:30] == [404] * 30
        assert statuses[-1] == 429
        assert (await client.get(f"/api/v1/rooms/{code}")).status_code == 429


async def test_codes_can_be_tried_no_more_often_by_pages_and_sockets(tmp_path: Path) -> None:
    async with serving(settings_in(tmp_path, rate_limits="on")) as client:
        pages = [(await client.get(f"/t/{number:08}")).status_code for number in range(15)]
        sockets = [await refusal_of_socket(client, f"{number:08}") for number in range(40)]
        assert pages + sockets[:15] == [404] * 30
        assert 429 in sockets[15:]


async def test_BUG1416_an_address_has_so_many_sockets_without_a_seat_at_a_time(tmp_path: Path) -> None:
    async with serving(settings_in(tmp_path, rate_limits="on", sockets_per_address=2)) as client:
        code, callers = await seated(client, 2)
        async with follow(client, code), follow(client, code) as second:
            assert await refusal_of_socket(client, code) == 429
            async with follow(client, code, callers[1]) as player:
                assert (await hear(player))["seat"] == 1
            await second.close()
            async with asyncio.timeout(20):
                while await is_refused(client, code):
                    pass


async def test_who_has_no_name_opens_so_many_sockets_from_an_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.web.websocket.STRANGERS_SOCKET", Rate(1, 0.01))
    async with serving(settings_in(tmp_path, rate_limits="on")) as client:
        code, callers = await seated(client, 2)
        async with follow(client, code):
            pass
        assert await refusal_of_socket(client, code) == 429
        async with follow(client, code, callers[0]) as player:
            assert (await hear(player))["seat"] == 0


async def test_the_newest_socket_of_a_seat_takes_the_place_of_its_oldest(tmp_path: Path) -> None:
    async with serving(settings_in(tmp_path, rate_limits="on", sockets_per_seat=2)) as client:
        code, callers = await seated(client, 2)
        sockets = [await follow(client, code, callers[0]) for _ in range(3)]
        other = await follow(client, code, callers[1])
        assert await closed(sockets[0]) == 1008
        assert sockets[0].close_reason == "opened in too many tabs"
        for socket in (*sockets[1:], other):
            await say(socket, type="ping")
            await hear(socket, "pong")
            await socket.close()


async def is_refused(client: AsyncClient, code: str) -> bool:
    """Whether one more socket is refused. One that has just been closed may count for a moment still."""
    try:
        async with follow(client, code):
            return False
    except InvalidStatus:
        return True


async def test_signs_of_life_can_be_asked_for_so_often(tmp_path: Path) -> None:
    """Each takes a turn at the database, or looks at every room."""
    async with open_client(settings_in(tmp_path, rate_limits="on")) as client:
        statuses = [(await client.get(path)).status_code for path in ("/readyz", "/metrics") * 20]
        assert statuses[:30] == [200] * 30
        assert 429 in statuses
        assert (await client.get("/healthz")).status_code == 200


async def refusal_of_socket(client: AsyncClient, code: str) -> int:
    """The status with which a socket to a room is refused."""
    with pytest.raises(InvalidStatus) as error:
        await follow(client, code)
    return error.value.response.status_code
