"""HTTP requests that no library would send."""

import asyncio
from dataclasses import dataclass

from httpx import AsyncClient

from harness.callers import PATIENCE

UPGRADE = (
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)


@dataclass(frozen=True)
class Answer:
    """What came back. Names of headers are in small letters; each has all its values."""

    status: int
    headers: dict[str, list[str]]
    body: bytes


async def ask(server: AsyncClient, head: str, body: bytes = b"") -> Answer:
    """Send a head, whose last line ends with a line break, and a body; take the head of the answer and what follows.

    The connection is cut then.
    """
    reader, writer = await asyncio.open_connection(server.base_url.host, server.base_url.port)
    try:
        async with asyncio.timeout(PATIENCE):
            writer.write(head.encode("latin-1") + b"\r\n" + body)
            first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            headers: dict[str, list[str]] = {}
            for line in lines[:-2]:
                name, _, value = line.partition(":")
                headers.setdefault(name.lower(), []).append(value.strip())
            length = int(headers.get("content-length", ["0"])[0])
            return Answer(int(first.split()[1]), headers, await reader.readexactly(length))
    finally:
        writer.transport.abort()
