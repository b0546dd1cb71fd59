"""Where a server can be reached, and what it says when it can't be."""

import socket
from functools import partial
from pathlib import Path

import pytest
from httpx import get

from app.server import ListenError, listen_at
from harness.forked import ForkedSite, refused_start
from harness.processes import PATIENCE, free_port


def test_all_addresses_are_those_of_both_families(tmp_path: Path) -> None:
    """A proxy that comes over IPv4 is known by its address of four numbers."""
    site = ForkedSite(tmp_path / "data", host="::", trusted_proxies="127.0.0.1")
    try:
        ask = partial(get, headers={"X-Forwarded-Proto": "https"}, timeout=PATIENCE)
        assert ask(f"http://127.0.0.1:{site.port}/healthz").text.startswith("alive at https:")
        assert ask(f"http://[::1]:{site.port}/healthz").text.startswith("alive at http:")
    finally:
        site.stop()


def test_an_address_that_is_taken_stops_the_start_in_a_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        said = refused_start(tmp_path, FOGLINE_PORT=port)
    assert f"FOGLINE_HOST=127.0.0.1 with FOGLINE_PORT={port} can't be listened at: Address already in use." in said


@pytest.mark.parametrize("host", ["192.0.2.1", "nowhere.invalid", "a..b", "::x"])
def test_an_address_that_is_not_here_is_named(host: str) -> None:
    with pytest.raises(ListenError, match=f"FOGLINE_HOST={host} "):
        listen_at(host, 0)


def test_of_a_port_that_is_free_in_one_family_only_none_is_taken() -> None:
    port = free_port()
    with socket.create_server(("127.0.0.1", port)), pytest.raises(ListenError, match="in use"):
        listen_at("::", port)
    for one in listen_at("::", port):
        one.close()


def test_of_a_name_what_this_machine_has_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """`localhost` may be an address of version 6, too, where that is switched off."""
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 0)) for address in ("192.0.2.1", "127.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    [one] = listen_at("localhost", 0)
    with one:
        assert one.getsockname()[0] == "127.0.0.1"
