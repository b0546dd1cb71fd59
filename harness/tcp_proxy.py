"""A TCP proxy in front of a server, which a test can hold up or cut."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit


class TcpProxy:
    """Carries bytes between clients and a server; clearing `requests` or `replies` stops one direction."""

    def __init__(self, host: str, port: int) -> None:
        self.requests = asyncio.Event()
        self.replies = asyncio.Event()
        self.requests.set()
        self.replies.set()
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
        await asyncio.gather(pump(reader, to_server, self.requests), pump(from_server, writer, self.replies))
        self._writers -= ends


async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, is_open: asyncio.Event) -> None:
    try:
        while data := await reader.read(65536):
            await is_open.wait()
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


@asynccontextmanager
async def proxy_to(address: str) -> AsyncIterator[tuple[TcpProxy, str]]:
    """A proxy to the server at an address, and the address to use instead."""
    parts = urlsplit(address)
    assert parts.hostname is not None
    assert parts.port is not None
    proxy = TcpProxy(parts.hostname, parts.port)
    listener = await asyncio.start_server(proxy.carry, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    try:
        yield proxy, address.replace(f":{parts.port}", f":{port}")
    finally:
        proxy.resume()
        listener.close()
        proxy.cut()
        await listener.wait_closed()
