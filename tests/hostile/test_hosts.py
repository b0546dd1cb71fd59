"""The `Host` of requests: wrong ones are refused, and no visitor can put another host into links that others follow."""

import asyncio
import json
import threading
from pathlib import Path

import pytest
from httpx import AsyncClient

from app import __version__
from app.web import limits, qr
from harness.callers import open_client, seated, serving, settings_in
from tests.hostile.raw_requests import UPGRADE, ask

VERSION = f"Fogline {__version__}\n"
"""The second line of the answer to `/healthz`."""

LONG = ".".join(["x" * 49] * 46)

HOSTS = [
    *(LONG, LONG[:256], "x" * 64, "a..b", ".", "", ":80", "[", "[::1", "::1", "[::1]x", "[fe80::1%25lo]", "[v1.x]"),
    *(
        "a:99999",
        "a:-1",
        "a:x",
        "a:80:80",
        "a b",
        "a,b",
        "a/b",
        "a?b",
        "a#b",
        "a\\b",
        "u@a",
        "u:p@a",
        "a;b",
        "<script>",
    ),
    *("<script>", "1.2.3.4.5", "999.1.1.1", "\xfc.example", "a\x7fb", '"', "'", "%61", "xn--\xff"),
]


@pytest.mark.parametrize("host", HOSTS, ids=lambda host: ascii(host[:20]))
@pytest.mark.parametrize("path", ["/t/ABCD2345/qr.svg", "/rules/", "/healthz", "/static/icon.svg"])
async def test_what_is_no_host_is_refused(server: AsyncClient, host: str, path: str) -> None:
    answer = await ask(server, f"GET {path} HTTP/1.1\r\nHost: {host}\r\n")
    assert answer.status == 400
    assert "location" not in answer.headers


@pytest.mark.parametrize("head", ["", *(f"Host: a.example\r\nHost: {host}\r\n" for host in ("a.example", "b.example"))])
async def test_a_request_names_one_host(server: AsyncClient, head: str) -> None:
    for upgrade in ("", UPGRADE):
        path = "/ws/v1/rooms/ABCD2345" if upgrade else "/"
        assert (await ask(server, f"GET {path} HTTP/1.1\r\n{head}{upgrade}")).status == 400


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        ("Fog.Example", "http://fog.example"),
        ("fog.example.:8000", "http://fog.example.:8000"),
        ("fog.example:80", "http://fog.example"),
        ("192.0.2.7:81", "http://192.0.2.7:81"),
        ("[2001:DB8::0:1]:81", "http://[2001:db8::1]:81"),
        ("fogline_app_1:8000", "http://fogline_app_1:8000"),
        ("a" * 63 + ".example", f"http://{'a' * 63}.example"),
    ],
)
async def test_hosts_are_names_and_addresses_with_a_port(server: AsyncClient, host: str, shown: str) -> None:
    answer = await ask(server, f"GET /healthz HTTP/1.1\r\nHost: {host}\r\n")
    assert answer.body.decode() == f"alive at {shown}\n{VERSION}"
    moved = await ask(server, f"GET /rules/ HTTP/1.1\r\nHost: {host}\r\n")
    assert moved.headers["location"] == [f"{shown}/rules"]


async def test_an_old_health_check_needs_no_host(server: AsyncClient) -> None:
    answer = await ask(server, "GET /healthz HTTP/1.0\r\n")
    assert answer.body.decode() == f"alive at {str(server.base_url).rstrip('/')}\n{VERSION}"


@pytest.mark.parametrize(
    "head",
    [
        "Host: fog.example\r\nX-Forwarded-Host: evil.example\r\n",
        "Host: fog.example\r\nForwarded: host=evil.example;proto=https\r\n",
        "Host: fog.example\r\nX-Original-Host: evil.example\r\nX-Host: evil.example\r\n",
    ],
)
@pytest.mark.parametrize("target", ["", "http://evil.example"])
async def test_nothing_but_the_host_header_says_where(server: AsyncClient, head: str, target: str) -> None:
    answer = await ask(server, f"GET {target}/rules/ HTTP/1.1\r\n{head}")
    assert answer.headers["location"] == ["http://fog.example/rules"]


@pytest.mark.parametrize("path", ["//evil.example/", "//evil.example/rules/", "/\\evil.example/", "/%2F/evil.example/"])
async def test_no_redirect_leads_away(server: AsyncClient, path: str) -> None:
    answer = await ask(server, f"GET {path} HTTP/1.1\r\nHost: fog.example\r\n")
    assert all(place.startswith("http://fog.example/") for place in answer.headers.get("location", []))


async def test_with_a_public_address_nothing_else_is_shown(tmp_path: Path) -> None:
    settings = settings_in(tmp_path, public_url="https://play.example", base_path="/fog")
    async with serving(settings) as server:
        body = b'{"name":"Ann"}'
        head = f"Host: evil.example\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        made = await ask(server, f"POST /fog/api/v1/players HTTP/1.1\r\n{head}", body)
        assert "secure" in made.headers["set-cookie"][0].lower()
        token = json.loads(made.body)["token"]
        body = b'{"seats":2}'
        head = f"Host: evil.example\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        room = await ask(server, f"POST /fog/api/v1/rooms HTTP/1.1\r\n{head}Authorization: Bearer {token}\r\n", body)
        assert json.loads(room.body)["url"].startswith("https://play.example/fog/t/")
        for path in ("/fog", "/fog/rules/", f"/fog/t/{json.loads(room.body)['code']}/"):
            moved = await ask(server, f"GET {path} HTTP/1.1\r\nHost: evil.example\r\n")
            assert moved.headers["location"][0].startswith("https://play.example/fog/"), path
        page = await server.get(f"/fog/t/{json.loads(room.body)['code']}", headers={"Host": "evil.example"})
        assert "evil.example" not in page.text


async def test_targets_that_are_no_paths_are_answered(server: AsyncClient, caplog: pytest.LogCaptureFixture) -> None:
    lines = ["OPTIONS *", "GET fog.example", "CONNECT fog.example:80", "GET /%ff?%ff"]
    for line in (*lines, "GET /\xff", "GET /rules/?\xff", "GET /t/X?\xff"):
        answer = await ask(server, f"{line} HTTP/1.1\r\nHost: fog.example\r\n")
        assert 400 <= answer.status < 500, line
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


@pytest.mark.parametrize("scheme", ["wss", "https"])
async def test_a_proxy_that_says_wss_means_https(server: AsyncClient, scheme: str) -> None:
    head = f"Host: fog.example\r\nX-Forwarded-Proto: {scheme}\r\nX-Forwarded-For: 192.0.2.7\r\n"
    assert (
        await ask(server, f"GET /healthz HTTP/1.1\r\n{head}")
    ).body == f"alive at https://fog.example\n{VERSION}".encode()
    code, _ = await seated(server, 1)
    origin = "Origin: https://fog.example\r\n"
    assert (await ask(server, f"GET /ws/v1/rooms/{code} HTTP/1.1\r\n{head}{origin}{UPGRADE}")).status == 101


@pytest.mark.parametrize("scheme", ["", "ftp", "https,http", "javascript", "\xff", "h" * 5000, "https\thttp"])
async def test_other_schemes_are_ignored(server: AsyncClient, scheme: str, caplog: pytest.LogCaptureFixture) -> None:
    answer = await ask(server, f"GET /healthz HTTP/1.1\r\nHost: fog.example\r\nX-Forwarded-Proto: {scheme}\r\n")
    assert answer.body == f"alive at http://fog.example\n{VERSION}".encode()
    head = f"Host: fog.example\r\nX-Forwarded-Proto: {scheme}\r\nX-Forwarded-For: unknown, <b>, {'x' * 999}\r\n"
    assert (await ask(server, f"GET /rules HTTP/1.1\r\n{head}")).status == 200
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


async def test_drawing_is_done_once_beside_the_event_loop(server: AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A drawing that takes for ever keeps nobody else waiting."""
    drawn: list[str] = []
    may_end = threading.Event()

    def slow(text: str) -> str:
        drawn.append(text)
        may_end.wait(60)
        return "<svg/>"

    monkeypatch.setattr(qr, "_draw", slow)
    waiting = asyncio.create_task(server.get("/t/ABCD2346/qr.svg"))
    while not drawn:
        assert (await server.get("/healthz")).status_code == 200
    assert (await server.get("/healthz")).status_code == 200
    may_end.set()
    assert (await waiting).text == "<svg/>"
    assert (await server.get("/t/ABCD2346/qr.svg")).text == "<svg/>"
    assert len(drawn) == 1


async def test_codes_are_drawn_so_often_for_one_address(tmp_path: Path) -> None:
    async with open_client(settings_in(tmp_path, rate_limits="on")) as client:
        statuses = [(await client.get(f"/t/{number:08}/qr.svg")).status_code for number in range(100)]
        assert statuses[: limits.QR_CODE.burst] == [200] * limits.QR_CODE.burst
        assert 429 in statuses
