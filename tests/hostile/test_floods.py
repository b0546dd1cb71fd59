"""Floods on sockets without a seat: nobody else waits for longer than 200 ms, and each flood ends with its socket."""

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing import get_context

import pytest

from harness.forked import ForkedSite
from harness.raw_client import (
    CONTINUATION,
    PING,
    PONG,
    TEXT,
    close_code,
    frame,
    handshake,
    open_socket,
    read_to_end,
    started_game,
)
from harness.site import Site

SECONDS = 3.0
"""How long each flood is kept up: who is closed comes again."""

FLOODS: dict[str, bytes] = {
    "pings": frame(PING) * 4000,
    "long pings": frame(PING, b"x" * 125) * 500,
    "pongs": frame(PONG) * 4000,
    "messages": frame(TEXT, b'{"type":"ping"}') * 2000,
    "unreadable messages": frame(TEXT, b"{") * 4000,
    "tiny parts": frame(TEXT, b"{", fin=False) + frame(CONTINUATION, b" ", fin=False) * 4000,
    "empty parts": frame(TEXT, b"", fin=False) + frame(CONTINUATION, b"", fin=False) * 4000,
    "large messages": frame(TEXT, b"x" * 8000) * 30,
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = ForkedSite(tmp_path_factory.mktemp("site"), rate_limits="on", trusted_proxies="127.0.0.250")
    yield site
    site.stop()


@pytest.mark.parametrize("kind", FLOODS)
def test_a_flood_is_closed_with_1008_and_not_read_any_more(site: Site, kind: str) -> None:
    code, _ = started_game(site)
    line = open_socket(site, code, "127.0.0.2")
    sent = send_until_refused(line, FLOODS[kind])
    assert sent < 32 * 1024 * 1024, "it is read on"
    assert close_code(read_to_end(line)) in (1008, 1009, None)
    line.close()


def send_until_refused(line: socket.socket, flood: bytes) -> int:
    """The bytes that were taken until the server reads no more."""
    line.settimeout(1)
    sent = 0
    with contextlib.suppress(OSError):
        while sent < 64 * 1024 * 1024:
            sent += line.send(flood)
    return sent


@pytest.mark.slow
@pytest.mark.heavy
@pytest.mark.parametrize("kind", [*FLOODS, "bytes one by one", "30 sockets at once"])
def test_others_are_answered_during_a_flood(site: Site, kind: str, tell: Callable[[str], None]) -> None:
    code, players = started_game(site)
    flood, sockets, piece = FLOODS.get(kind, FLOODS["pings"]), 1, None
    if kind == "bytes one by one":
        flood, piece = frame(TEXT, b"x" * 8000), 1
    if kind == "30 sockets at once":
        sockets = 30
    attacker = get_context("spawn").Process(target=attack, args=(site.port, code, flood, sockets, piece), daemon=True)
    attacker.start()
    line = open_socket(site, code, "127.0.0.3", players[0].token)
    waits = times_of_pings(line)
    line.close()
    attacker.join()
    waits.sort()
    tell(f"{kind}: p50 {waits[len(waits) // 2] * 1000:.0f} ms, p99 {waits[int(len(waits) * 0.99)] * 1000:.0f} ms")
    assert waits[int(len(waits) * 0.99)] < 0.2
    assert "Traceback" not in site.log


def times_of_pings(line: socket.socket) -> list[float]:
    """The seconds to each answer to one who asks ten times a second."""
    waits = []
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        began = time.monotonic()
        line.sendall(frame(TEXT, b'{"type":"ping"}'))
        received = b""
        while b'{"type":"pong"}' not in received:
            part = line.recv(65536)
            assert part, "a player was closed"
            received += part
        waits.append(time.monotonic() - began)
        time.sleep(0.1)
    return waits


def attack(port: int, code: str, flood: bytes, sockets: int, piece: int | None) -> None:
    """Send on so many sockets as fast as they take it, and come again when closed. In a process of its own."""
    threads = [threading.Thread(target=flood_one, args=(port, code, flood, piece)) for _ in range(sockets)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def flood_one(port: int, code: str, flood: bytes, piece: int | None) -> None:
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1, ("127.0.0.2", 0)) as line:
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            line.sendall(handshake(f"/ws/v1/rooms/{code}"))
            while time.monotonic() < until:
                for at in range(0, len(flood), piece or len(flood)):
                    line.sendall(flood[at : at + (piece or len(flood))])
