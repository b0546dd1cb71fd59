"""How soon 2,000 sockets see their rooms again after a regular restart of the server.

Each comes back by itself, as a page does, with pauses that double and vary; all of them are in a process of their own.

    ./run bench sockets [SOCKETS]
"""

import asyncio
import os
import random
import sys
import time
from collections import Counter
from contextlib import suppress

import uvloop

from app.main import allow_many_sockets
from bench.server.load import version_of
from bench.server.servers import Services, cpu_of
from bench.server.tables import SEATS, TOKENS
from bench.server.websocket import WebSocketClient
from harness.site import Site

FIRST_PAUSE, LONGEST_PAUSE = 0.25, 8.0
PATIENCE = 120.0


class Client:
    """A client that follows a room and always reconnects; `synced` is when it saw the room after its latest loss."""

    def __init__(self, port: int, code: str, token: str) -> None:
        self.synced: float | None = None
        self.closed_with: int | None = None
        self._where = port, code, token

    async def follow(self) -> None:
        attempt = 0
        while True:
            with suppress(OSError):
                line = await self._connect()
                await line.lost.wait()
                if self.synced is not None:
                    attempt, self.closed_with = 0, line.code
            self.synced = None
            await asyncio.sleep(min(LONGEST_PAUSE, FIRST_PAUSE * 2**attempt) * random.uniform(0.5, 1))
            attempt = min(attempt + 1, 10)

    async def _connect(self) -> WebSocketClient:
        port, code, token = self._where
        loop = asyncio.get_running_loop()
        _, line = await loop.create_connection(lambda: WebSocketClient(code, token, self._hear), "127.0.0.1", port)
        return line

    def _hear(self, text: bytes) -> None:
        if self.synced is None and version_of(text) >= 0:
            self.synced = time.perf_counter()


async def all_synced(clients: list[Client]) -> float:
    """The time when the last one saw its room."""
    async with asyncio.timeout(PATIENCE):
        while not all(client.synced for client in clients):  # noqa: ASYNC110 - many say so
            await asyncio.sleep(0.02)
    return max(client.synced or 0.0 for client in clients)


async def restart(site: Site, codes: list[str]) -> None:
    """Connect all, restart the server, and print the times."""
    clients = [Client(site.port, code, token) for code in codes for token in TOKENS]
    began = time.perf_counter()
    following = [asyncio.create_task(client.follow()) for client in clients]
    print(f"{len(clients)} sockets of {len(codes)} rooms connected in {await all_synced(clients) - began:.1f} s")
    told = time.perf_counter()
    await asyncio.to_thread(site.stop)
    ended = time.perf_counter()
    codes_told = Counter(client.closed_with for client in clients)
    print(f"  told to stop, the server ended after {ended - told:.1f} s; lines were closed with {dict(codes_told)}")
    await asyncio.to_thread(site.start)
    ready, busy = time.perf_counter(), cpu_of([site])
    synced = await all_synced(clients)
    print(f"  it was ready {ready - ended:.1f} s later, and all were in sync {synced - ready:.1f} s after that")
    print(f"  the server worked {busy:.1f} s to be ready, and {cpu_of([site]) - busy:.1f} s for the sockets")
    print(f"  from the word to stop until all were in sync: {synced - told:.1f} s (wanted: 15 after the restart)")
    print(f"  load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    for task in following:
        task.cancel()


def main(sockets: str = "2000") -> None:
    """On SQLite."""
    allow_many_sockets()
    with Services(".") as services, services.sqlite([SEATS] * (int(sockets) // SEATS)) as (sites, codes):
        uvloop.run(restart(sites[0], codes))


if __name__ == "__main__":
    main(*sys.argv[1:])
