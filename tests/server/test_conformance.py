"""What RFC 6455 asks of a server: framing, parts of messages, UTF-8 and closes. `tools/autobahn.py` tries far more."""

import socket
from collections.abc import Iterator

import pytest

from harness.forked import ForkedSite
from harness.raw_client import (
    CLOSE,
    CONTINUATION,
    PING,
    PONG,
    TEXT,
    close_code,
    frame,
    open_socket,
    read_to_end,
    started_game,
)
from harness.site import Site

HELLO = '{"type":"ping","é":"é"}'.encode()
"""Refused in a sentence that names the unknown field, so it was read as a whole."""

MIDDLE = HELLO.index(b"\xa9")
"""Within a character."""


def closing(code: int, reason: bytes = b"") -> bytes:
    return frame(CLOSE, code.to_bytes(2) + reason)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = ForkedSite(tmp_path_factory.mktemp("site"))
    yield site
    site.stop()


@pytest.fixture(scope="module")
def code(site: Site) -> str:
    return started_game(site)[0]


@pytest.fixture
def line(site: Site, code: str) -> Iterator[socket.socket]:
    with open_socket(site, code) as line:
        yield line


WHOLE = {
    "at once": frame(TEXT, HELLO),
    "in parts, and a part within a character": frame(TEXT, HELLO[:MIDDLE], fin=False)
    + frame(CONTINUATION, HELLO[MIDDLE:]),
    "with empty parts": frame(TEXT, b"", fin=False) + frame(CONTINUATION, HELLO, fin=False) + frame(CONTINUATION, b""),
    "with pings and pongs between its parts": frame(TEXT, HELLO[:3], fin=False)
    + frame(PING)
    + frame(CONTINUATION, HELLO[3:MIDDLE], fin=False)
    + frame(PONG, b"x" * 125)
    + frame(CONTINUATION, HELLO[MIDDLE:]),
}


@pytest.mark.parametrize("kind", WHOLE)
@pytest.mark.parametrize("piece", [1, 1000])
def test_a_message_is_read_whole(line: socket.socket, kind: str, piece: int) -> None:
    sent = WHOLE[kind]
    for at in range(0, len(sent), piece):
        line.sendall(sent[at : at + piece])
    received = b""
    while b'"refused"' not in received:
        part = line.recv(65536)
        assert part, received
        received += part
    line.sendall(closing(1000))
    received += read_to_end(line)
    assert received.count(b'"refused"') == 1
    assert "é: there is no such field here.".encode() in received
    assert close_code(received) == 1000


def test_a_ping_is_answered_with_what_it_said(line: socket.socket) -> None:
    line.sendall(frame(PING, b"x" * 125) + closing(1000))
    assert bytes([0x80 | PONG, 125]) + b"x" * 125 in read_to_end(line)


ENDED = {
    "a close with a reason": (closing(1000, b"x" * 123), 1000),
    **{f"a close with {code}": (closing(code), code) for code in (1001, 1003, 1007, 1011, 3000, 3999, 4000, 4999)},
    **{f"a close with {code}": (closing(code), 1002) for code in (0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000)},
    "a close with half a code": (frame(CLOSE, b"\x03"), 1002),
    "a close whose reason isn't UTF-8": (closing(1000, b"\xce\xba\xff"), 1007),
    "a close amid a message": (frame(TEXT, b"{", fin=False) + closing(1000), 1000),
    "a message after the close": (closing(1001) + frame(TEXT, HELLO), 1001),
    "a message that isn't UTF-8": (frame(TEXT, b"\xce\xba\xff"), 1007),
    "a message that ends within a character": (frame(TEXT, HELLO[:MIDDLE]), 1007),
    "parts that aren't UTF-8": (frame(TEXT, b"\xce", fin=False) + frame(CONTINUATION, b"\xff"), 1007),
    "a part of nothing": (frame(CONTINUATION, b"{}"), 1002),
    "a new message amid another": (frame(TEXT, b"{", fin=False) + frame(TEXT, b"}"), 1002),
    "a ping in parts": (frame(PING, b"x", fin=False), 1002),
    "a close in parts": (frame(CLOSE, b"\x03\xe8", fin=False), 1002),
    "a ping of 126 bytes": (frame(PING, b"x" * 126), 1002),
    "no mask": (b"\x81\x02{}", 1002),
    **{f"reserved bit {bit:x}": (bytes([frame(TEXT)[0] | bit]) + frame(TEXT)[1:], 1002) for bit in (0x40, 0x20, 0x10)},
    **{f"opcode {opcode}": (frame(opcode), 1002) for opcode in (3, 7, 11, 15)},
    "more than a message may have": (frame(TEXT, b"x" * 8193), 1009),
    "parts that are more than a message may have": (
        frame(TEXT, b"x" * 8000, fin=False) + frame(CONTINUATION, b"x" * 193),
        1009,
    ),
    "a size of 63 bits": (b"\x81\xff" + b"\x7f" + b"\xff" * 7, 1009),
    "a size of 64 bits": (b"\x81\xff" + b"\xff" * 8, 1009),
}


@pytest.mark.parametrize("kind", ENDED)
def test_a_socket_is_closed_with_the_right_code(line: socket.socket, kind: str) -> None:
    sent, expected = ENDED[kind]
    line.sendall(sent)
    assert close_code(read_to_end(line)) == expected


def test_a_close_without_a_code_is_answered_without_one(line: socket.socket) -> None:
    line.sendall(frame(CLOSE))
    assert read_to_end(line).endswith(bytes([0x80 | CLOSE, 0]))
