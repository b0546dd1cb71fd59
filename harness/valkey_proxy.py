"""A proxy in front of Valkey that loses and repeats what is published, as no TCP connection does by itself."""

import asyncio
from collections import deque

from .tcp_proxy import TcpProxy

AGGREGATES = {b"*": 1, b">": 1, b"~": 1, b"%": 2}
"""Kinds of replies that have others in them, and how many for each that they count."""
BULK = (b"$", b"=", b"!")
REMEMBERED = 20


class ValkeyProxy(TcpProxy):
    """Of the messages to subscribers some are dropped, some are passed on twice, and some once more much later."""

    dropping = repeating = late = 0.0
    """How many of all messages, from 0 to 1."""

    def __init__(self, host: str, port: int) -> None:
        super().__init__(host, port)
        self.dropped = self.repeated = 0
        self._earlier: deque[bytes] = deque(maxlen=REMEMBERED)

    async def pump_replies(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while reply := await read_reply(reader):
                await asyncio.sleep(self.delay())
                await self.replies.wait()
                writer.write(self._changed(reply) if is_message(reply) else reply)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    def _changed(self, message: bytes) -> bytes:
        """A message for a subscriber. One that comes again may be of a room that is followed no more."""
        self._earlier.append(message)
        lot = self.rng.random()
        if lot < self.dropping:
            self.dropped += 1
            return b""
        if lot < self.dropping + self.repeating:
            self.repeated += 1
            return message * 2
        if lot < self.dropping + self.repeating + self.late:
            self.repeated += 1
            return message + self.rng.choice(self._earlier)
        return message


def is_message(reply: bytes) -> bool:
    return reply[:1] in (b"*", b">") and reply.split(b"\r\n", 3)[2] == b"message"


async def read_reply(reader: asyncio.StreamReader) -> bytes:
    """One reply in the protocol of Redis, versions 2 and 3; empty at the end."""
    line = await reader.readline()
    if not line:
        return b""
    kind, rest = line[:1], line[1:].strip()
    if kind in BULK and int(rest) >= 0:
        return line + await reader.readexactly(int(rest) + 2)
    parts = (
        [await read_reply(reader) for _ in range(AGGREGATES.get(kind, 0) * max(0, int(rest)))]
        if kind in AGGREGATES
        else []
    )
    return line + b"".join(parts)
