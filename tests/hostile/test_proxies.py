"""Which proxies are trusted, and how wrong settings are refused."""

import socket
from pathlib import Path
from typing import Any

import pytest

from app.web import TrustedProxies, UnknownProxyError
from harness.callers import serving, settings_in
from harness.forked import refused_start
from tests.hostile.raw_requests import ask


def known_at(monkeypatch: pytest.MonkeyPatch, places: dict[str, list[str]]) -> None:
    """Let names have these addresses."""

    def look_up(name: str, *_: Any, **__: Any) -> list[Any]:
        if not places.get(name):
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 0)) for address in places[name]]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)


@pytest.mark.parametrize(
    "value",
    [
        *("127.0.0.1/8", "a;b", "a b", "*,127.0.0.1", "1.2.3.4.5", "300.1.1.1", "[::1]", "https://caddy", "caddy:80"),
        *("10.0.0.0/33", "10.0.0.0-10.0.0.9", "10.0.0.*", "caddy/24", ",", "::g"),
    ],
)
def test_a_proxy_that_can_not_be_stops_the_start(tmp_path: Path, value: str) -> None:
    said = refused_start(tmp_path, FOGLINE_TRUSTED_PROXIES=value)
    assert f"FOGLINE_TRUSTED_PROXIES={value} is not allowed" in said
    assert "172.16.0.0/12" in said


def test_a_name_without_an_address_stops_the_start_with_the_way_out(tmp_path: Path) -> None:
    said = refused_start(tmp_path, FOGLINE_TRUSTED_PROXIES="proxy.invalid")
    assert "FOGLINE_TRUSTED_PROXIES names proxy.invalid, which has no address here" in said
    assert "172.16.0.0/12" in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("FOGLINE_PUBLIC_ULR", "FOGLINE_PUBLIC_URL"),
        ("FOGLINE_TRUSTED_PROXY", "FOGLINE_TRUSTED_PROXIES"),
        ("fogline_rate_limit", "FOGLINE_RATE_LIMITS"),
    ],
)
def test_a_misspelled_setting_stops_the_start(tmp_path: Path, name: str, meant: str) -> None:
    assert f"{name} is no setting; {meant} is one" in refused_start(tmp_path, **{name: "x"})


@pytest.mark.parametrize(
    ("trusted", "is_believed"),
    [
        *(("127.0.0.1", True), ("127.0.0.0/8", True), ("*", True), ("10.0.0.1, 127.0.0.1", True), ("localhost", True)),
        *(("10.0.0.0/8", False), ("::1", False)),
    ],
)
async def test_those_who_are_trusted_are_believed(tmp_path: Path, trusted: str, *, is_believed: bool) -> None:
    async with serving(settings_in(tmp_path, trusted_proxies=trusted)) as server:
        head = (
            "GET /healthz HTTP/1.1\r\nHost: fog.example\r\nX-Forwarded-Proto: https\r\nX-Forwarded-For: 192.0.2.7\r\n"
        )
        said = (await ask(server, head)).body.decode()
        assert said.startswith("alive at https:" if is_believed else "alive at http:")
        assert ("not trusted" in said) is not is_believed


async def test_a_name_is_looked_up_again(monkeypatch: pytest.MonkeyPatch) -> None:
    places = {"caddy": ["172.18.0.2"], "traefik": ["172.18.0.9"]}
    known_at(monkeypatch, places)
    proxies = TrustedProxies("10.0.0.1,caddy,traefik")
    await proxies.look_up()
    assert list(proxies.addresses) == ["10.0.0.1", "172.18.0.2", "172.18.0.9"]
    places["caddy"] = ["172.18.0.5", "172.18.0.4"]
    await proxies.look_up()
    assert list(proxies.addresses) == ["10.0.0.1", "172.18.0.4", "172.18.0.5", "172.18.0.9"]
    places["caddy"] = []
    with pytest.raises(UnknownProxyError, match="names caddy"):
        await proxies.look_up()
    assert "172.18.0.4" in proxies.addresses


async def test_a_proxy_that_moves_is_believed_at_its_new_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole way: the container is made anew, and its old address is a stranger's."""
    monkeypatch.setattr("app.web.proxies.LOOK_UP_EVERY", 0.01)
    settings = settings_in(tmp_path, trusted_proxies="caddy")
    real, places = socket.getaddrinfo, {"caddy": "10.0.0.1"}
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda name, *rest, **named: real(places.get(name, name), *rest, **named)
    )
    async with serving(settings) as server:
        head = "GET /healthz HTTP/1.1\r\nHost: fog.example\r\nX-Forwarded-Proto: https\r\n"
        assert (await ask(server, head)).body.startswith(b"alive at http:")
        places["caddy"] = "127.0.0.1"
        while not (await ask(server, head)).body.startswith(b"alive at https:"):
            pass
