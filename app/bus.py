"""Tells the other processes of a room that it moved. Only that: who cares reads the moves from the store.

A message may be lost; the next one, a reconnect or a sweep heals it. So publishing never waits and never fails.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, Protocol

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

CHANNEL = "fogline:rooms"
EVERY_ROOM = ""
"""Stands for a code when messages may have been lost, about any room."""
PATIENCE = 2.0  # seconds until an answer that has not come is given up
PAUSE = 0.5  # seconds between two attempts to connect

log = logging.getLogger(__name__)

Handler = Callable[[str, int], None]


class BusSetupError(Exception):
    """The bus's address is not understood; the text says what is allowed."""


class BusUnavailableError(Exception):
    """The bus does not answer."""


class Bus(Protocol):
    def publish(self, code: str, number: int) -> None:
        """Say that room `code` is at move `number`."""
        ...

    def listen(self, handler: Handler) -> None:
        """From now on `handler(code, number)` is called in the event loop, for one's own messages too.

        The code may be EVERY_ROOM.
        """
        ...

    async def ping(self) -> None:
        """Raises BusUnavailableError."""
        ...


class MemoryBus:
    """For a single process, which has nobody else to tell."""

    def __init__(self) -> None:
        self._handlers: list[Handler] = []

    def publish(self, code: str, number: int) -> None:
        tell(self._handlers, code, number)

    def listen(self, handler: Handler) -> None:
        self._handlers.append(handler)

    async def ping(self) -> None:
        return


class RedisBus:
    """Over Valkey or Redis. While it is away rooms go on, and nothing piles up but the last number of each."""

    def __init__(self, address: str) -> None:
        self._client = Redis.from_url(
            address,
            decode_responses=True,
            socket_timeout=PATIENCE,
            socket_connect_timeout=PATIENCE,
            socket_keepalive=True,
            retry=Retry(NoBackoff(), 0),
        )
        self._handlers: list[Handler] = []
        self._outbox: dict[str, int] = {}
        self._filled = asyncio.Event()
        self._tasks = [asyncio.create_task(persist(work)) for work in (self._send, self._receive)]

    def publish(self, code: str, number: int) -> None:
        self._outbox[code] = max(number, self._outbox.get(code, number))
        self._filled.set()

    def listen(self, handler: Handler) -> None:
        self._handlers.append(handler)

    async def ping(self) -> None:
        try:
            await self._client.ping()
        except (RedisError, OSError) as error:
            raise BusUnavailableError(f"The bus does not answer: {error}") from error

    async def close(self) -> None:
        for task in self._tasks:
            await end(task)
        await self._client.aclose()

    async def _send(self) -> None:
        while True:
            await self._filled.wait()
            self._filled.clear()
            outbox, self._outbox = self._outbox, {}
            try:
                await self._send_all(outbox)
            except (RedisError, OSError):
                self._outbox = outbox | self._outbox
                self._filled.set()
                raise

    async def _send_all(self, outbox: dict[str, int]) -> None:
        async with self._client.pipeline(transaction=False) as pipeline:
            for code, number in outbox.items():
                pipeline.publish(CHANNEL, f"{code} {number}")
            await pipeline.execute()

    async def _receive(self) -> None:
        """Hear messages; after a silence ask whether the server is still there."""
        async with self._client.pubsub() as subscription:
            await subscription.subscribe(CHANNEL)
            tell(self._handlers, EVERY_ROOM, 0)
            asked = False
            while True:
                message = await subscription.get_message(timeout=PATIENCE)
                if message is None and asked:
                    raise TimeoutError("no answer")
                asked = message is None
                if message is None:
                    await subscription.ping()
                elif message["type"] == "message":
                    self._hear(message["data"])

    def _hear(self, text: str) -> None:
        code, _, number = text.partition(" ")
        if number.isdecimal():
            tell(self._handlers, code, int(number))


def tell(handlers: list[Handler], code: str, number: int) -> None:
    for handler in handlers:
        try:
            handler(code, number)
        except Exception:
            log.exception("a listener of the bus failed on room %s", code)


async def persist(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Begin again whenever the server is away."""
    while True:
        try:
            await work()
        except (RedisError, OSError) as error:
            log.warning("the bus is away: %s", error)
            await asyncio.sleep(PAUSE)


async def end(task: asyncio.Task[None]) -> None:
    """Cancel until it has ended: redis-py swallows a cancellation that comes while it connects."""
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=0.1)


@asynccontextmanager
async def open_bus(address: str) -> AsyncGenerator[Bus]:
    """`memory`, or redis://HOST:PORT/NUMBER (rediss:// with TLS)."""
    if address == "memory":
        yield MemoryBus()
        return
    if not address.startswith(("redis://", "rediss://")):
        raise BusSetupError("The bus's address can't be read; allowed is `memory` or redis://HOST:PORT/NUMBER.")
    bus = RedisBus(address)
    try:
        yield bus
    finally:
        await bus.close()
