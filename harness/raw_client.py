"""A client that may break every rule: it sends bytes over a socket to a server in a process of its own."""

import http.client
import json
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.site import Site

PATIENCE = 60.0
"""Seconds until a test gives up; a machine may be busy."""

KEY = "A" * 22 + "=="

MASK = b"\0\0\0\0"


@dataclass(frozen=True)
class Player:
    """One who plays by the rules, over HTTP."""

    site: Site
    token: str

    def call(self, method: str, path: str, body: object = None) -> Any:
        """Below /api/v1/rooms. Gives the answer's JSON."""
        return call(self.site, method, f"/api/v1/rooms{path}", body, {"Authorization": f"Bearer {self.token}"})


def call(site: Site, method: str, path: str, body: object = None, headers: dict[str, str] | None = None) -> Any:
    """The JSON of an answer, on a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)
    try:
        content = None if body is None else json.dumps(body)
        kind = {} if body is None else {"Content-Type": "application/json"}
        connection.request(method, path, content, {**kind, **(headers or {})})
        answer = connection.getresponse()
        assert answer.status < 300, (answer.status, path)
        return json.loads(answer.read() or b"null")
    finally:
        connection.close()


def new_player(site: Site, name: str) -> Player:
    """Somebody with a token."""
    return Player(site, call(site, "POST", "/api/v1/players", {"name": name})["token"])


def started_game(site: Site) -> tuple[str, list[Player]]:
    """The code of a game that has begun, and its two players."""
    players = [new_player(site, name) for name in ("Ann", "Bob")]
    code = players[0].call("POST", "", {"seats": 2})["code"]
    players[1].call("POST", f"/{code}/join")
    players[0].call("POST", f"/{code}/start")
    return code, players


def connect(site: Site, address: str = "127.0.0.1") -> socket.socket:
    """A connection from an address of this machine: all of 127.0.0.0/8 is."""
    return socket.create_connection(("127.0.0.1", site.port), PATIENCE, (address, 0))


def handshake(path: str, *extra: str, version: str = "13", key: str = KEY) -> bytes:
    """A WebSocket handshake with further header lines."""
    lines = [
        f"GET {path} HTTP/1.1",
        "Host: fogline.test",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {key}",
        f"Sec-WebSocket-Version: {version}",
        *extra,
    ]
    return "".join(f"{line}\r\n" for line in [*lines, ""]).encode("latin-1")


def frame(opcode: int, data: bytes = b"", *, fin: bool = True) -> bytes:
    """As a client sends it, masked with zeros."""
    size = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0xFE]) + len(data).to_bytes(2)
    return bytes([(0x80 if fin else 0) | opcode]) + size + MASK + data


CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


def read_to_end(line: socket.socket, seconds: float = PATIENCE) -> bytes:
    """All that comes until the server closes.

    Raises:
        TimeoutError: it does not.
    """
    until = time.monotonic() + seconds
    received = b""
    while True:
        line.settimeout(max(0.001, until - time.monotonic()))
        try:
            part = line.recv(65536)
        except ConnectionError:
            return received
        if not part:
            return received
        received += part


def read_head(line: socket.socket) -> bytes:
    """The head of the next answer, and whatever comes with it."""
    received = b""
    while b"\r\n\r\n" not in received and (part := line.recv(65536)):
        received += part
    return received


def open_socket(site: Site, code: str, address: str = "127.0.0.1", token: str | None = None) -> socket.socket:
    """A WebSocket that shows a table."""
    line = connect(site, address)
    extra = [] if token is None else [f"Authorization: Bearer {token}"]
    line.sendall(handshake(f"/ws/v1/rooms/{code}", *extra))
    assert read_head(line).startswith(b"HTTP/1.1 101 ")
    return line


def close_code(received: bytes) -> int | None:
    """The code of the close frame at the end of what came."""
    for at in range(len(received) - 1, -1, -1):
        if received[at] == 0x80 | CLOSE and at + 2 + received[at + 1 : at + 2][0] == len(received):
            return int.from_bytes(received[at + 2 : at + 4])
    return None


@contextmanager
def all_closed(lines: list[socket.socket]) -> Iterator[None]:
    """At the end, whatever happens."""
    try:
        yield
    finally:
        for line in lines:
            line.close()


def files_of(site: Site) -> int:
    """How many files the server has open."""
    return len(list(Path(f"/proc/{site.pid}/fd").iterdir()))
