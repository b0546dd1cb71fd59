"""WebSocket handshakes that are wrong, incomplete, or followed by what should wait."""

import json
import socket
import time
from collections.abc import Callable, Iterator

import pytest

from app.web.headers import HEADERS
from harness.forked import ForkedSite
from harness.raw_client import (
    PING,
    PONG,
    TEXT,
    all_closed,
    call,
    connect,
    files_of,
    frame,
    handshake,
    read_head,
    read_to_end,
    started_game,
)
from harness.site import Site

QUICKLY = 20.0
"""Seconds: well under the 30 in which any connection ends that asks for nothing."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = ForkedSite(tmp_path_factory.mktemp("site"), rate_limits="on", trusted_proxies="127.0.0.250")
    yield site
    site.stop()


@pytest.fixture(scope="module")
def path(site: Site) -> str:
    """Of a table's socket."""
    return f"/ws/v1/rooms/{started_game(site)[0]}"


WRONG = {
    "a body": (["Content-Length: 5"], {}),
    "a body in chunks": (["Transfer-Encoding: chunked"], {}),
    "200 headers": ([f"X-{number}: x" for number in range(200)], {}),
    "a header of 20 KB": (["X-A: " + "a" * 20_000], {}),
    "a path of 20 KB": ([], {"path": "/ws/v1/rooms/" + "A" * 20_000}),
    "another version": ([], {"version": "8"}),
    "no version": ([], {"version": ""}),
    "two versions": (["Sec-WebSocket-Version: 13"], {}),
    "a short key": ([], {"key": "QUJD"}),
    "no key": ([], {"key": ""}),
    "a key that is not base64": ([], {"key": "%" * 24}),
    "two keys": (["Sec-WebSocket-Key: " + "B" * 22 + "=="], {}),
    "a subprotocol that can't be parsed": (["Sec-WebSocket-Protocol: @@,("], {}),
}


@pytest.mark.parametrize("kind", WRONG)
def test_a_wrong_handshake_is_answered_and_closed_at_once(site: Site, path: str, kind: str) -> None:
    extra, parts = WRONG[kind]
    line = connect(site)
    with all_closed([line]):
        line.sendall(handshake(str(parts.get("path", path)), *extra, **{k: v for k, v in parts.items() if k != "path"}))
        answer = read_to_end(line, QUICKLY)
    assert_problem(answer, 400)


@pytest.mark.parametrize(("method", "version"), [("POST", "1.1"), ("GET", "1.0"), ("GET", "2.0")])
def test_a_handshake_by_another_method_or_version_is_answered_and_closed(
    site: Site, path: str, method: str, version: str
) -> None:
    line = connect(site)
    with all_closed([line]):
        line.sendall(
            handshake(path).replace(b"GET", method.encode(), 1).replace(b"HTTP/1.1", f"HTTP/{version}".encode())
        )
        line.sendall(b"\r\n")
        answer = read_to_end(line, QUICKLY)
    assert answer[9:10] in (b"4", b"5")


def assert_problem(answer: bytes, status: int) -> None:
    """A problem as HTTP answers it, with the headers that protect browsers."""
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(f"HTTP/1.1 {status} ".encode()), head[:200]
    told = json.loads(body)
    assert (told["status"], told["type"]) == (status, "about:blank")
    names = [line.partition(b":")[0].lower().decode() for line in head.split(b"\r\n")[1:]]
    assert {name.lower() for name in HEADERS} <= set(names)
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/ws/v1/nope", 404),
        ("/ws/v1/rooms/00000000", 404),
        ("/", 404),
        ("/static/js/pages/table.js", 404),
        ("/api/v1/rooms", 404),
        ("/ws/v1/rooms/00000000/x", 404),
    ],
)
def test_a_socket_that_leads_nowhere_is_told_by_a_problem(site: Site, path: str, status: int) -> None:
    line = connect(site)
    with all_closed([line]):
        line.sendall(handshake(path))
        assert_problem(read_to_end(line, QUICKLY), status)
    assert "Traceback" not in site.log


@pytest.mark.parametrize("bad", [b"\xff" * 50, frame(TEXT, b"{"), frame(PONG), b"GET / HTTP/1.1\r\n\r\n"])
def test_frames_behind_a_handshake_that_is_refused_leave_no_trace(site: Site, bad: bytes) -> None:
    line = connect(site)
    with all_closed([line]):
        line.sendall(handshake("/ws/v1/rooms/00000000") + bad)
        assert_problem(read_to_end(line, QUICKLY), 404)
    assert "Traceback" not in site.log
    assert "AssertionError" not in site.log


def test_frames_sent_together_with_the_handshake_are_answered_after_it(site: Site, path: str) -> None:
    line = connect(site)
    with all_closed([line]):
        line.sendall(handshake(path) + frame(PING, b"early") + frame(TEXT, b'{"type":"ping"}'))
        received = read_head(line)
        assert received.startswith(b"HTTP/1.1 101 ")
        while b'{"type":"pong"}' not in received:
            received += line.recv(65536)
    assert b"\x8a\x05early" in received.partition(b"\r\n\r\n")[2]


def test_a_frame_cut_in_two_by_the_handshake_is_read(site: Site, path: str) -> None:
    whole = frame(TEXT, b'{"type":"ping"}')
    line = connect(site)
    with all_closed([line]):
        line.sendall(handshake(path) + whole[:5])
        received = read_head(line)
        line.sendall(whole[5:])
        while b'{"type":"pong"}' not in received:
            received += line.recv(65536)


def test_a_bad_frame_behind_the_handshake_closes_the_socket(site: Site, path: str) -> None:
    line = connect(site)
    with all_closed([line]):
        line.sendall(handshake(path) + b"\xff" * 50)
        received = read_to_end(line, QUICKLY)
    assert received.startswith(b"HTTP/1.1 101 ")
    assert b"\x03\xea" in received[-80:], "closed with 1002"


def test_a_handshake_behind_a_request_waits_for_nobody(site: Site, path: str) -> None:
    """Both would use the connection at once: the first is answered, and then it is closed."""
    line = connect(site)
    with all_closed([line]):
        line.sendall(b"GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n" + handshake(path))
        received = read_to_end(line, QUICKLY)
    assert received.startswith(b"HTTP/1.1 200 ")
    assert received.count(b"HTTP/1.1 ") == 1
    assert b"connection: close" in received.lower()


def test_1500_wrong_handshakes_leave_nothing_open(site: Site, path: str) -> None:
    before = files_of(site)
    wrong = handshake(path, "Content-Length: 5")
    for _ in range(3):
        lines = [connect(site) for _ in range(500)]
        with all_closed(lines):
            for line in lines:
                line.sendall(wrong)
            assert all(read_to_end(line, QUICKLY * 2).startswith(b"HTTP/1.1 400 ") for line in lines)
    wait_until(lambda: files_of(site) <= before + 5)


def wait_until(holds: Callable[[], bool]) -> None:
    """For a condition."""
    until = time.monotonic() + QUICKLY
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.mark.slow
@pytest.mark.parametrize("whole", [False, True], ids=["trickling", "silent"])
def test_a_handshake_that_never_ends_is_cut_off(site: Site, path: str, *, whole: bool) -> None:
    """A byte now and then doesn't hold it open."""
    line = connect(site)
    began = time.monotonic()
    with all_closed([line]):
        line.sendall(handshake(path)[:-2])
        line.settimeout(0.5)
        while time.monotonic() < began + 60:
            try:
                if not whole:
                    line.sendall(b"X")
                if not line.recv(100):
                    break
            except TimeoutError:
                continue
            except ConnectionError:
                break
    assert time.monotonic() - began < 45


def test_one_address_has_so_many_connections_and_others_are_let_in(site: Site) -> None:
    lines = [connect(site, "127.0.0.9") for _ in range(650)]
    with all_closed(lines):
        wait_until(lambda: sum(is_closed(line) for line in lines) >= 50)
        assert sum(is_closed(line) for line in lines) == 50
        assert call(site, "GET", "/api/v1/rooms") is not None
        assert "connections_refused" in site.log


def is_closed(line: socket.socket) -> bool:
    """Whether the server has closed it."""
    line.settimeout(0)
    try:
        return line.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True
