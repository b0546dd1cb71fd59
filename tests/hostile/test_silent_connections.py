"""Connections that say nothing, with few files: newcomers get in, moves are stored, and the log says what happens."""

import json
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.forked import ForkedSite
from harness.raw_client import TEXT, all_closed, call, connect, files_of, frame, new_player, open_socket, read_head
from harness.site import Site

FILES = 1024


class FewFiles(ForkedSite):
    """A site that may open 1,024 files, which is what a process gets where nobody says otherwise."""

    main = ("tests.hostile.server_with_few_files",)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = FewFiles(tmp_path / "data", rate_limits="on", trusted_proxies="127.0.0.250")
    yield site
    site.stop()


@pytest.fixture
def many_files() -> Iterator[None]:
    """For this process, which is the attacker."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before[1], before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.usefixtures("many_files")
@pytest.mark.parametrize("addresses", [1, 4], ids=["one address", "four addresses"])
def test_newcomers_get_in_and_moves_are_stored(site: Site, addresses: int) -> None:
    players = [new_player(site, name) for name in ("Ann", "Bob")]
    code = players[0].call("POST", "", {"seats": 2})["code"]
    players[1].call("POST", f"/{code}/join")
    players[0].call("POST", f"/{code}/start")
    table = open_socket(site, code, token=players[0].token)
    silent = [connect(site, f"127.0.0.{2 + number % addresses}") for number in range(1100)]
    with all_closed([*silent, table]):
        assert call(site, "GET", "/api/v1/rooms") is not None
        newcomers = [new_player(site, f"New {number}") for number in range(30)]
        moves = 0
        for newcomer in newcomers:
            room = newcomer.call("POST", "", {"seats": 2})["code"]
            players[1].call("POST", f"/{room}/join")
            newcomer.call("POST", f"/{room}/start")
            view = newcomer.call("GET", f"/{room}/view")
            action = {"type": "keep_tickets", "tickets": view["legal"]["keep"]["from"]}
            told = newcomer.call("POST", f"/{room}/act", {"id": "a", "version": view["version"], "action": action})
            moves += told["version"] == view["version"] + 1
        assert moves == 30
        table.sendall(frame(TEXT, json.dumps({"type": "ping"}).encode()))
        received = b""
        while b'{"type":"pong"}' not in received:
            received += table.recv(65536)
        assert files_of(site) < FILES - 100
    assert "connections_refused" in site.log or "connections_shed" in site.log
    assert site.log.count("connections_") <= 4
    assert "unable to open" not in site.log


@pytest.mark.usefixtures("many_files")
def test_where_all_are_one_proxy_the_newest_idle_ones_give_way(tmp_path: Path) -> None:
    """A trusted proxy has no limit of its own, since all visitors come from it."""
    site = FewFiles(tmp_path / "data", rate_limits="on", trusted_proxies="127.0.0.1")
    silent = [connect(site) for _ in range(1100)]
    with all_closed(silent):
        for number in range(20):
            assert new_player(site, f"New {number}").token
        kept = connect(site)
        kept.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert read_head(kept).startswith(b"HTTP/1.1 200 ")
        kept.close()
    assert "connections_shed" in site.log
    site.stop()
