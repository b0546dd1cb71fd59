"""Tells the other processes of a room what is new there. Only that: who cares reads it from the store.

Each room has a channel of its own, so a process hears of the rooms it holds and of no others. A message may be lost;
the next one, a reconnect or a sweep heals it. So publishing never waits and never fails. Of the lines of this module
the log takes one a minute of each kind (`app.web.quiet_logs`).
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager, suppress
from itertools import islice
from typing import Any, Protocol

import structlog
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from app.news import News, parse_news

CHANNEL = "fogline:"
"""What the name of a channel begins with; the room's code follows."""
EVERY_ROOM = ""
"""Stands for a code in what is for every process."""
PATIENCE = 2.0  # seconds until an answer that has not come is given up
PAUSE = 0.5  # seconds between two attempts to connect
AT_ONCE = 500  # channels in one command

UNREADABLE = "The bus's address can't be read; allowed is `memory` or redis://HOST:PORT/NUMBER."

log = structlog.get_logger(__name__)

Handler = Callable[[str, str, str], None]

Waiting = tuple[str, str, str]
"""A room, a kind of news, and which process or player is meant: of what waits only the last of these counts."""


class BusSetupError(Exception):
    """The bus's address is not understood; the text says what is allowed."""


class BusUnavailableError(Exception):
    """The bus does not answer."""


class Bus(Protocol):
    @property
    def is_away(self) -> bool:
        """Whether nothing is heard of others at the moment."""
        ...

    def publish(self, code: str, news: str, text: str = "") -> None:
        """Tell of room `code`. While the bus is away, of each kind of news the last of a room is kept."""
        ...

    def listen(self, handler: Handler) -> None:
        """From now on `handler(code, news, text)` is called in the event loop, for one's own messages too."""
        ...

    def follow(self, code: str) -> None:
        """Hear of this room, too; MISSED says when that has begun."""
        ...

    def leave(self, code: str) -> None:
        """Hear of this room no longer."""
        ...

    async def ping(self) -> None:
        """Raises BusUnavailableError."""
        ...


class MemoryBus:
    """For a single process, which has nobody else to tell. It hears of every room."""

    is_away = False

    def __init__(self) -> None:
        self._handlers: list[Handler] = []

    def publish(self, code: str, news: str, text: str = "") -> None:
        tell(self._handlers, code, news, text)

    def listen(self, handler: Handler) -> None:
        self._handlers.append(handler)

    def follow(self, code: str) -> None:
        tell(self._handlers, code, News.MISSED, "")

    def leave(self, code: str) -> None:
        return

    async def ping(self) -> None:
        return


class RedisBus:
    """Over Valkey or Redis. While it is away rooms go on, and nothing piles up but the last news of each."""

    def __init__(self, address: str) -> None:
        self.is_away = True
        self._client = Redis.from_url(
            address,
            socket_timeout=PATIENCE,
            socket_connect_timeout=PATIENCE,
            socket_keepalive=True,
            retry=Retry(NoBackoff(), 0),
        )
        self._handlers: list[Handler] = []
        self._outbox: dict[Waiting, str] = {}
        self._filled = asyncio.Event()
        self._followed = {EVERY_ROOM}
        self._followed_differ = asyncio.Event()
        self._tasks = [asyncio.create_task(persist(work)) for work in (self._send, self._receive)]

    def publish(self, code: str, news: str, text: str = "") -> None:
        self._outbox[code, news, text if news in (News.WHO, News.PLAYER) else ""] = text
        self._filled.set()

    def listen(self, handler: Handler) -> None:
        self._handlers.append(handler)

    def follow(self, code: str) -> None:
        self._followed.add(code)
        self._followed_differ.set()

    def leave(self, code: str) -> None:
        self._followed.discard(code)
        self._followed_differ.set()

    async def ping(self) -> None:
        try:
            await self._client.ping()
        except (RedisError, OSError) as error:
            raise BusUnavailableError(f"The bus does not answer: {error}") from error

    async def close(self) -> None:
        """What waits is sent if the server is there."""
        for task in self._tasks:
            await end(task)
        with suppress(RedisError, OSError):
            await self._send_all(self._outbox)
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

    async def _send_all(self, outbox: dict[Waiting, str]) -> None:
        async with self._client.pipeline(transaction=False) as pipeline:
            for (code, news, _), text in outbox.items():
                pipeline.publish(CHANNEL + code, f"{news} {text}")
            await pipeline.execute()

    async def _receive(self) -> None:
        async with self._client.pubsub() as subscription:
            await subscription.subscribe(CHANNEL + EVERY_ROOM)
            self.is_away = False
            following = asyncio.create_task(self._follow(subscription))
            try:
                await self._hear_all(subscription)
            finally:
                self.is_away = True
                await end(following)

    async def _hear_all(self, subscription: PubSub) -> None:
        """Hear messages; after a silence ask whether the server is still there."""
        asked = False
        while True:
            message = await subscription.get_message(timeout=PATIENCE)
            if message is None and asked:
                raise TimeoutError("no answer")
            asked = message is None
            if message is None:
                await subscription.ping()
            else:
                self._hear(message)
                await asyncio.sleep(0)  # of a flood many are there at once: others have their turn between them

    def _hear(self, message: dict[str, Any]) -> None:
        match message:
            case {"type": "subscribe", "channel": bytes(channel)}:
                tell(self._handlers, code_of(channel), News.MISSED, "")
            case {"type": "message", "channel": bytes(channel), "data": bytes(data)}:
                code = code_of(channel)
                found = parse_news(data, of_room=code != EVERY_ROOM)
                if found is None:
                    log.warning("news_not_understood", room=code, size=len(data))
                else:
                    tell(self._handlers, code, *found)

    async def _follow(self, subscription: PubSub) -> None:
        """Keep the channels those of the rooms that are followed; that the line is lost, the other side notices."""
        heard = {EVERY_ROOM}
        while True:
            wanted = set(self._followed)
            self._followed_differ.clear()
            try:
                for channels in portions(wanted - heard):
                    await subscription.subscribe(*channels)
                for channels in portions(heard - wanted):
                    await subscription.unsubscribe(*channels)
            except (RedisError, OSError):
                return
            heard = wanted
            await self._followed_differ.wait()


def portions(codes: Iterable[str]) -> Iterable[list[str]]:
    """The channels of these rooms, a command's worth at a time."""
    channels = iter([CHANNEL + code for code in codes])
    return iter(lambda: list(islice(channels, AT_ONCE)), [])


def code_of(channel: bytes) -> str:
    """The room of a channel that is followed."""
    return channel.decode().removeprefix(CHANNEL)


def tell(handlers: list[Handler], code: str, news: str, text: str) -> None:
    for handler in handlers:
        try:
            handler(code, news, text)
        except Exception:
            log.exception("news_not_taken", room=code, news=news)


async def persist(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Begin again whenever the server is away, or something went wrong that nobody has thought of."""
    while True:
        try:
            await work()
        except (RedisError, OSError) as error:
            log.warning("bus_away", error=str(error))
        except Exception:
            log.exception("bus_failed")
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
        raise BusSetupError(UNREADABLE)
    try:
        bus = RedisBus(address)
    except ValueError:
        raise BusSetupError(UNREADABLE) from None
    try:
        yield bus
    finally:
        await bus.close()
