"""The bus over Valkey or Redis."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from itertools import islice
from typing import Any

import structlog
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from app.news import News, parse_news

from .bus import EVERY_ROOM, BusUnavailableError, Handler, notify

CHANNEL = "fogline:"
"""Prefix of a channel's name; the room's code follows."""
TIMEOUT = 2.0  # seconds to wait for an answer
PAUSE = 0.5  # seconds between two attempts to connect
AT_ONCE = 500  # channels in one command

log = structlog.get_logger(__name__)

Waiting = tuple[str, str, str]
"""A room, a kind of message, and the process or player it is about. Of several with one key only the last is sent."""


class RedisBus:
    """A bus over Valkey or Redis. While that is away, only the last message of each kind and room is kept."""

    def __init__(self, address: str) -> None:
        self.is_away = True
        self._client = Redis.from_url(
            address,
            socket_timeout=TIMEOUT,
            socket_connect_timeout=TIMEOUT,
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
        """Send what still waits, if the server is reachable."""
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
            tasks = [asyncio.create_task(work(subscription)) for work in (self._hear_all, self._follow)]
            try:
                done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
            finally:
                self.is_away = True
                for task in tasks:
                    await end(task)

    async def _hear_all(self, subscription: PubSub) -> None:
        """Receive messages. After a silence ping the server, and give up if it does not answer."""
        asked = False
        while True:
            message = await subscription.get_message(timeout=TIMEOUT)
            if message is None and asked:
                raise TimeoutError("no answer")
            asked = message is None
            if message is None:
                await subscription.ping()
            else:
                self._hear(message)
                await asyncio.sleep(0)  # in a flood many messages are buffered: let other tasks run between them

    def _hear(self, message: dict[str, Any]) -> None:
        match message:
            case {"type": "subscribe", "channel": bytes(channel)}:
                notify(self._handlers, code_of(channel), News.MISSED, "")
            case {"type": "message", "channel": bytes(channel), "data": bytes(data)}:
                code = code_of(channel)
                found = parse_news(data, of_room=code != EVERY_ROOM)
                if found is None:
                    log.warning("news_not_understood", room=code, size=len(data))
                else:
                    notify(self._handlers, code, *found)

    async def _follow(self, subscription: PubSub) -> None:
        """Keep the subscriptions in step with the followed rooms."""
        heard = {EVERY_ROOM}
        while True:
            wanted = set(self._followed)
            self._followed_differ.clear()
            try:
                for channels in portions(wanted - heard):
                    await subscription.subscribe(*channels)
                for channels in portions(heard - wanted):
                    await subscription.unsubscribe(*channels)
            except (AttributeError, RuntimeError) as error:  # from redis-py while the reading side reconnects
                raise ConnectionError("the connection was lost while subscribing") from error
            heard = wanted
            await self._followed_differ.wait()


def portions(codes: Iterable[str]) -> Iterable[list[str]]:
    """The channels of these rooms in groups of `AT_ONCE`."""
    channels = iter([CHANNEL + code for code in codes])
    return iter(lambda: list(islice(channels, AT_ONCE)), [])


def code_of(channel: bytes) -> str:
    """The code of a channel's room."""
    return channel.decode().removeprefix(CHANNEL)


async def persist(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run the work for ever, and restart it after any failure."""
    while True:
        try:
            await work()
        except (RedisError, OSError) as error:
            log.warning("bus_away", error=str(error))
        except Exception:
            log.exception("bus_failed")
        await asyncio.sleep(PAUSE)


async def end(task: asyncio.Task[None]) -> None:
    """Cancel a task until it ends: redis-py swallows a cancellation that arrives while it connects."""
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=0.1)
    if not task.cancelled():
        task.exception()  # retrieved, or asyncio would log it
