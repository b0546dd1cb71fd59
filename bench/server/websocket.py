"""A minimal WebSocket client, so that the load maker is not what is measured."""

import asyncio
from collections.abc import Callable
from typing import cast

HANDSHAKE = (
    "GET /ws/v1/rooms/{code} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n{authorization}\r\n"
)
ANSWERED = b"\r\n\r\n"
TEXT, CLOSE, PING, PONG = 0x81, 0x88, 0x89, 0x8A
MASK = b"\0\0\0\0"
"""A valid mask that changes nothing."""

Frame = tuple[int, int, int]
"""The first byte of a frame, and where its content begins and ends."""


def handshake(code: str, token: str | None) -> bytes:
    """What opens a socket to a room."""
    authorization = f"Authorization: Bearer {token}\r\n" if token else ""
    return HANDSHAKE.format(code=code, authorization=authorization).encode()


class WebSocketClient(asyncio.Protocol):
    """Passes every text to `hear`. `is_open` until the server closes, with a `code` if it sent one."""

    def __init__(self, code: str, token: str | None, hear: Callable[[bytes], None]) -> None:
        self.is_open = True
        self.code: int | None = None
        self.lost = asyncio.Event()
        self._opening = handshake(code, token)
        self._hear = hear
        self._rest = b""
        self._answered = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(self._opening)

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_open = False
        self.lost.set()

    def data_received(self, data: bytes) -> None:
        self._rest += data
        if not self._answered:
            answer, self._answered, self._rest = self._rest.partition(ANSWERED)  # type: ignore[assignment]
            if self._answered and b" 101 " not in answer:
                raise ConnectionError(answer.decode())
            self._rest = self._rest if self._answered else answer
        if self._answered:
            self._take_frames()

    def _take_frames(self) -> None:
        data, done = self._rest, 0
        while (frame := frame_at(data, done)) is not None:
            kind, start, done = frame
            if kind == TEXT:
                self._hear(data[start:done])
            elif kind == PING:
                self._send(PONG, data[start:done])
            elif kind == CLOSE:
                self.code = int.from_bytes(data[start : start + 2], "big")
                self.close()
        self._rest = data[done:]

    def send(self, text: bytes) -> None:
        self._send(TEXT, text)

    def _send(self, kind: int, content: bytes) -> None:
        size = len(content)
        head = bytes((kind, 0x80 | size)) if size < 126 else bytes((kind, 0xFE)) + size.to_bytes(2, "big")
        self._transport.write(head + MASK + content)

    def close(self) -> None:
        self.is_open = False
        self._transport.abort()


def frame_at(data: bytes, at: int) -> Frame | None:
    """The frame that begins at a place, None when not all of it has come."""
    if len(data) < at + 2:
        return None
    size, start = data[at + 1], at + 2
    if size >= 126:
        start += 2 if size == 126 else 8
        size = int.from_bytes(data[at + 2 : start], "big")
    return (data[at], start, start + size) if len(data) >= start + size else None
