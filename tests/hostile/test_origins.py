"""Which pages' requests are accepted, and the security headers of every answer."""

from pathlib import Path

import pytest
from httpx import AsyncClient

from app.web.headers import HEADERS
from harness.callers import new_caller, open_client, seated, serving, settings_in
from tests.hostile.raw_requests import UPGRADE, Answer, ask
from tests.web.test_calls import refused

PUBLIC = {"public_url": "https://play.example", "origins": "https://club.example:8443"}

FOREIGN = [
    *("https://fogline.test", "http://fogline.test:81", "http://fogline.test.", "http://fogline.test.evil.example"),
    *("http://evil.example", "http://play.example", "https://play.example:444", "https://club.example", "null", ""),
    *("http://fogline.test/", "http://fogline.test/x", "http://fogline.test?", "http://fogline.test#", "fogline.test"),
    *("http://ann@fogline.test", "http://evil.example@fogline.test", "http://fogline.test:", "http://fogline.test:x"),
    *("http://fogline.test http://fogline.test", "http://fogline.test, http://fogline.test", "http:fogline.test"),
    *("http:///fogline.test", "http:\\\\fogline.test", "ws://fogline.test", "//fogline.test", "file://", "about:blank"),
    *("http://[", "http://[::1", "http://fogline.test\t", "http://fogline%2etest", "http://" + "x" * 9000),
]


@pytest.mark.parametrize("origin", FOREIGN, ids=lambda origin: origin[:40])
async def test_what_is_not_exactly_ours_changes_nothing(tmp_path: Path, origin: str) -> None:
    async with open_client(settings_in(tmp_path, **PUBLIC)) as client:
        host = await new_caller(client)
        for headers in (host.headers, {"Cookie": f"{host.cookie}={host.token}"}):
            answer = await client.post("/api/v1/rooms", json={"seats": 2}, headers={**headers, "Origin": origin})
            assert refused(answer)[0] == 403


@pytest.mark.parametrize(
    "origin",
    [
        *("http://fogline.test", "http://fogline.test:80", "HTTP://Fogline.Test"),
        *("https://play.example", "https://play.example:443", "https://club.example:8443"),
    ],
)
async def test_our_own_origin_may_be_written_as_it_can_be(tmp_path: Path, origin: str) -> None:
    async with open_client(settings_in(tmp_path, **PUBLIC)) as client:
        host = await new_caller(client)
        cookie = {"Cookie": f"{host.cookie}={host.token}"}
        answer = await client.post("/api/v1/rooms", json={"seats": 2}, headers={**cookie, "Origin": origin})
        assert answer.status_code == 201


async def test_the_refusal_says_when_only_the_scheme_differs(client: AsyncClient) -> None:
    answer = await client.post("/api/v1/players", json={"name": "Ann"}, headers={"Origin": "https://fogline.test"})
    assert "X-Forwarded-Proto" in answer.json()["detail"]


@pytest.mark.parametrize("name", ["Origin", "Authorization", "Cookie", "Content-Type", "Host"])
async def test_a_header_that_counts_once_comes_once(server: AsyncClient, name: str) -> None:
    """One on the way might take the first, and we the last."""
    origin = str(server.base_url).rstrip("/")
    values = {"Origin": origin, "Content-Type": "application/json", "Host": origin.removeprefix("http://")}
    value = values.get(name, "x")
    host = "" if name == "Host" else f"Host: {values['Host']}\r\n"
    head = f"{host}{name}: {value}\r\n{name.lower()}: {value}\r\n"
    assert (await ask(server, f"GET /rules HTTP/1.1\r\n{head}")).status == 400
    code, _ = await seated(server, 1)
    assert (await ask(server, f"GET /ws/v1/rooms/{code} HTTP/1.1\r\n{head}{UPGRADE}")).status == 400


@pytest.mark.parametrize(
    "lengths",
    [
        "Content-Length: 2\r\nContent-Length: 2\r\n",
        "Content-Length: 2\r\nContent-Length: 3\r\n",
        "Content-Length: 2, 2\r\n",
        "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: x\r\nTransfer-Encoding: chunked\r\n",
    ],
)
async def test_a_body_has_one_length(server: AsyncClient, lengths: str) -> None:
    head = f"POST /api/v1/players HTTP/1.1\r\nHost: fog.example\r\nContent-Type: application/json\r\n{lengths}"
    assert (await ask(server, head, b"{}")).status == 400


def protects(answer: Answer) -> None:
    """Each of the headers is there, and once."""
    for name, value in HEADERS.items():
        assert answer.headers[name.lower()] == [value], name


async def test_every_answer_protects_the_browser(server: AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_asked: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("app.web.api.rooms.open_tables", fail)
    code, _ = await seated(server, 1)
    host = "HTTP/1.1\r\nHost: fog.example\r\n"
    expected = {
        "GET / HTTP/1.1\r\n": 400,
        f"GET /healthz {host}": 200,
        f"GET /rules {host}": 200,
        f"GET /rules/ {host}": 307,
        f"GET /static/css/board.css {host}": 200,
        f"GET /static/nothing {host}": 404,
        f"GET /api/v1/openapi.json {host}": 200,
        f"GET /api/v1/nothing {host}": 404,
        f"PUT /api/v1/players {host}": 405,
        f"GET /api/v1/rooms {host}": 500,
        f"GET /ws/v1/rooms/{code} {host}{UPGRADE}": 101,
        f"GET /ws/v1/rooms/00000000 {host}{UPGRADE}": 404,
        f"GET /ws/v1/nothing {host}{UPGRADE}": 404,
        f"GET /ws/v1/rooms/{code} {host}{UPGRADE}Origin: http://evil.example\r\n": 403,
        f"GET /ws/v1/rooms/{code} {host}{UPGRADE.replace('13', '12')}": 400,
        f"GET /ws/v1/rooms/{code} {host}{UPGRADE.replace('AAAA', '')}": 400,
        f"GET / {host}no header\r\n": 400,
        f"BREW / {host}": 400,
        "GET / HTTP/9.9\r\n": 400,
    }
    for head, status in expected.items():
        answer = await ask(server, head)
        assert answer.status == status, head
        protects(answer)
        assert "strict-transport-security" not in answer.headers


@pytest.mark.parametrize(
    ("settings", "sent"),
    [
        ({"public_url": "https://play.example"}, ["max-age=31536000"]),
        ({"public_url": "https://play.example", "hsts_days": 1}, ["max-age=86400"]),
        ({"public_url": "https://play.example", "hsts_days": 0}, None),
        ({"public_url": "http://play.example"}, None),
        ({}, None),
    ],
)
async def test_a_site_on_https_says_that_it_stays_there(
    tmp_path: Path, settings: dict[str, object], sent: list[str] | None
) -> None:
    async with serving(settings_in(tmp_path, **settings)) as server:
        for head in ("GET /healthz HTTP/1.1\r\nHost: fog.example\r\n", "GET / HTTP/1.1\r\nno header\r\n"):
            assert (await ask(server, head)).headers.get("strict-transport-security") == sent


@pytest.mark.parametrize(
    "headers", [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}]
)
async def test_other_sites_pages_open_no_session_of_calls_that_wait(
    client: AsyncClient, headers: dict[str, str]
) -> None:
    host = await new_caller(client)
    code, cookie = await host.create(), {"Cookie": f"{host.cookie}={host.token}"}
    path = f"/api/v1/rooms/{code}/messages"
    assert refused(await client.get(path, headers={**cookie, **headers}))[0] == 403
    assert (await client.get(path, headers={**cookie, "Sec-Fetch-Site": "same-origin"})).status_code == 200
    assert (await client.get(path, headers=host.headers)).status_code == 200
