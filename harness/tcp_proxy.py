"""A TCP proxy in front of a server, which a test can hold up, slow down or cut."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from random import Random
from typing import TypeVar
from urllib.parse import urlsplit


class TcpProxy:
    """Carries bytes between clients and a server; clearing `requests` or `replies` stops one direction.

    Each portion is held for up to `longest_delay` seconds. Portions keep their order, as TCP promises.
    """

    longest_delay = 0.0

    def __init__(self, host: str, port: int) -> None:
        self.requests = asyncio.Event()
        self.replies = asyncio.Event()
        self.requests.set()
        self.replies.set()
        self.rng = Random(0)
        self._target = host, port
        self._writers: set[asyncio.StreamWriter] = set()

    def hang(self) -> None:
        self.requests.clear()
        self.replies.clear()

    def resume(self) -> None:
        self.requests.set()
        self.replies.set()

    def cut(self) -> None:
        """Abort all connections; new ones are possible."""
        for writer in self._writers:
            writer.transport.abort()

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from_server, to_server = await asyncio.open_connection(*self._target)
        ends = {writer, to_server}
        self._writers |= ends
        await asyncio.gather(self.pump_requests(reader, to_server), self.pump_replies(from_server, writer))
        self._writers -= ends

    async def pump_requests(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await pump(reader, writer, self.requests, self.delay)

    async def pump_replies(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await pump(reader, writer, self.replies, self.delay)

    def delay(self) -> float:
        return self.rng.random() * self.longest_delay


def no_delay() -> float:
    return 0


async def pump(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    is_open: asyncio.Event,
    delay: Callable[[], float] = no_delay,
) -> None:
    try:
        while data := await reader.read(65536):
            await asyncio.sleep(delay())
            await is_open.wait()
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


Proxy = TypeVar("Proxy", bound=TcpProxy)


@asynccontextmanager
async def proxy_to(address: str) -> AsyncIterator[tuple[TcpProxy, str]]:
    """A proxy to the server at an address, and the address to use instead."""
    async with proxy_of(TcpProxy, address) as found:
        yield found


@asynccontextmanager
async def proxy_of(kind: Callable[[str, int], Proxy], address: str) -> AsyncIterator[tuple[Proxy, str]]:
    """A proxy of this kind, and the address to use instead."""
    parts = urlsplit(address)
    assert parts.hostname is not None
    assert parts.port is not None
    proxy = kind(parts.hostname, parts.port)
    listener = await asyncio.start_server(proxy.carry, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    try:
        yield proxy, address.replace(f":{parts.port}", f":{port}")
    finally:
        proxy.resume()
        listener.close()
        proxy.cut()
        await listener.wait_closed()
