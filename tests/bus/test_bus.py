"""The bus in memory and over a real Valkey: what is published is heard, and an outage is survived."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis
from redis.asyncio.client import PubSub

from app.bus import EVERY_ROOM, Bus, BusSetupError, BusUnavailableError, open_bus, redis_bus
from app.bus.redis_bus import AT_ONCE, CHANNEL
from app.news import News
from harness.valkey import ValkeyServer

ROOM = "ABCD1234"
ME, OTHER = "0123456789abcdef", "fedcba9876543210"
"""Names of processes."""


Heard = tuple[str, str, str]


class Listener:
    """Remembers what it heard of a room, and of the process."""

    def __init__(self, bus: Bus, code: str = ROOM) -> None:
        self.heard: list[Heard] = []
        self._news = asyncio.Event()
        bus.listen(self.hear)
        bus.follow(code)

    def hear(self, code: str, news: str, text: str) -> None:
        self.heard.append((code, news, text))
        self._news.set()

    async def wait_for(self, code: str, news: str, text: str) -> None:
        async with asyncio.timeout(60):
            while (code, news, text) not in self.heard:
                self._news.clear()
                await self._news.wait()


async def publish_until_heard(bus: Bus, listener: Listener, code: str, number: int) -> None:
    """A message sent before the other side listens is lost, as it may be."""
    hearing = asyncio.create_task(listener.wait_for(code, News.MOVED, str(number)))
    while not hearing.done():
        bus.publish(code, News.MOVED, str(number))
        await asyncio.wait({hearing}, timeout=0.05)
    await hearing


async def until_away(bus: Bus, *, is_away: bool) -> None:
    """Wait for it."""
    async with asyncio.timeout(60):
        while bus.is_away is not is_away:  # noqa: ASYNC110 - nobody says so
            await asyncio.sleep(0.02)


@pytest.fixture(params=["memory", "valkey"])
async def bus(request: pytest.FixtureRequest) -> AsyncIterator[Bus]:
    address = "memory" if request.param == "memory" else request.getfixturevalue("valkey_address")
    async with open_bus(address) as bus:
        yield bus


async def test_a_listener_hears_what_is_published(bus: Bus) -> None:
    listener = Listener(bus)
    await publish_until_heard(bus, listener, ROOM, 7)


async def test_of_two_processes_that_are_asked_at_once_both_hear_it(bus: Bus) -> None:
    listener = Listener(bus)
    await publish_until_heard(bus, listener, ROOM, 7)
    for process in (ME, OTHER):
        bus.publish(EVERY_ROOM, News.WHO, process)
    for process in (ME, OTHER):
        await listener.wait_for(EVERY_ROOM, News.WHO, process)


async def test_every_listener_hears_it(bus: Bus) -> None:
    first, second = Listener(bus), Listener(bus)
    await publish_until_heard(bus, first, ROOM, 7)
    await second.wait_for(ROOM, News.MOVED, "7")


async def test_a_listener_that_fails_silences_nobody(bus: Bus) -> None:
    def fail(code: str, news: str, text: str) -> None:
        raise ValueError(code)

    bus.listen(fail)
    listener = Listener(bus)
    await publish_until_heard(bus, listener, ROOM, 1)
    await publish_until_heard(bus, listener, ROOM, 2)


async def test_a_bus_that_is_there_answers(bus: Bus) -> None:
    await bus.ping()
    await until_away(bus, is_away=False)


async def test_another_process_hears_it(valkey_address: str) -> None:
    async with open_bus(valkey_address) as here, open_bus(valkey_address) as there:
        await publish_until_heard(here, Listener(there), ROOM, 3)


async def test_each_room_has_a_channel_of_its_own(valkey_address: str) -> None:
    async with open_bus(valkey_address) as here, open_bus(valkey_address) as there:
        listener = Listener(there)
        await publish_until_heard(here, listener, ROOM, 1)
        here.publish("OTHER000", News.MOVED, "2")
        await publish_until_heard(here, listener, ROOM, 3)
        there.follow("OTHER000")
        there.leave(ROOM)
        await publish_until_heard(here, listener, "OTHER000", 4)
        here.publish(ROOM, News.MOVED, "5")
        await publish_until_heard(here, listener, "OTHER000", 6)
    of_rooms = [heard for heard in listener.heard if heard[1] == News.MOVED]
    assert set(of_rooms) == {
        (ROOM, "moved", "1"),
        (ROOM, "moved", "3"),
        ("OTHER000", "moved", "4"),
        ("OTHER000", "moved", "6"),
    }


async def test_many_rooms_are_followed_at_once_and_each_is_said_to_begin(valkey_address: str) -> None:
    codes = [f"ROOM{number:04}" for number in range(AT_ONCE + 20)]
    async with open_bus(valkey_address) as bus:
        listener = Listener(bus)
        for code in codes:
            bus.follow(code)
        for code in codes:
            await listener.wait_for(code, News.MISSED, "")


async def test_of_each_kind_of_news_the_last_is_told(valkey_address: str) -> None:
    async with open_bus(valkey_address) as bus:
        listener = Listener(bus)
        await listener.wait_for(ROOM, News.MISSED, "")
        for number in range(100):
            bus.publish(ROOM, News.MOVED, str(number))
            bus.publish(ROOM, News.CHANGED, ME)
        await listener.wait_for(ROOM, News.MOVED, "99")
        await listener.wait_for(ROOM, News.CHANGED, ME)
        assert len(listener.heard) < 10


async def test_what_is_published_last_is_told_before_the_end(valkey_address: str) -> None:
    async with open_bus(valkey_address) as there:
        listener = Listener(there)
        await listener.wait_for(ROOM, News.MISSED, "")
        async with open_bus(valkey_address) as here:
            await here.ping()
            here.publish(ROOM, News.MOVED, "8")
        await listener.wait_for(ROOM, News.MOVED, "8")


async def test_an_outage_is_survived_and_the_last_number_told_afterwards(own_valkey: ValkeyServer) -> None:
    async with open_bus(own_valkey.address) as here, open_bus(own_valkey.address) as there:
        listener = Listener(there)
        await publish_until_heard(here, listener, ROOM, 1)
        own_valkey.stop()
        with pytest.raises(BusUnavailableError):
            await here.ping()
        await until_away(there, is_away=True)
        here.publish(ROOM, News.MOVED, "2")
        own_valkey.start()
        await publish_until_heard(here, listener, ROOM, 3)
        assert not there.is_away
        await here.ping()


@pytest.mark.slow
async def test_a_server_that_hangs_is_survived(own_valkey: ValkeyServer, production_timeouts: None) -> None:
    async with open_bus(own_valkey.address) as bus:
        listener = Listener(bus)
        await publish_until_heard(bus, listener, ROOM, 1)
        with own_valkey.hanging():
            with pytest.raises(BusUnavailableError):
                await bus.ping()
            await until_away(bus, is_away=True)
        await publish_until_heard(bus, listener, ROOM, 2)


async def test_a_bus_can_be_opened_before_its_server_is_there(own_valkey: ValkeyServer) -> None:
    own_valkey.stop()
    async with open_bus(own_valkey.address) as bus:
        listener = Listener(bus)
        bus.publish(ROOM, News.MOVED, "1")
        own_valkey.start()
        await publish_until_heard(bus, listener, ROOM, 2)


async def test_what_nobody_has_thought_of_is_tried_again_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A task of the bus that ended would leave a process deaf until somebody starts it anew."""
    monkeypatch.setattr(redis_bus, "PAUSE", 0)
    failures, again = iter([TypeError("an option that is none")]), asyncio.Event()

    async def work() -> None:
        for failure in failures:
            raise failure
        again.set()
        await asyncio.Event().wait()

    working = asyncio.create_task(redis_bus.persist(work))
    async with asyncio.timeout(60):
        await again.wait()
    await redis_bus.end(working)


@pytest.mark.parametrize("address", ["", "Memory", "amqp://localhost", "localhost:6379", "redis://:secret@host:port/0"])
async def test_an_unknown_address_is_refused_with_what_is_allowed(address: str) -> None:
    with pytest.raises(BusSetupError, match=r"memory.*redis://") as refused:
        async with open_bus(address):
            pass
    assert "secret" not in str(refused.value)


async def test_nonsense_is_dropped_without_a_break(
    valkey_address: str,
) -> None:
    """The same line is heard on for all of it: a break would be told as MISSED."""
    async with open_bus(valkey_address) as bus, Redis.from_url(valkey_address) as stranger:
        listener = Listener(bus)
        await listener.wait_for(ROOM, News.MISSED, "")
        for channel in (CHANNEL, CHANNEL + ROOM):
            for message in NONSENSE:
                await stranger.publish(channel, message)
        await publish_until_heard(bus, listener, ROOM, 7)
        assert not bus.is_away
    assert sorted(heard for heard in listener.heard if heard[1] != News.MOVED) == [
        (EVERY_ROOM, News.MISSED, ""),
        (ROOM, News.MISSED, ""),
    ]
    assert {heard for heard in listener.heard if heard[1] == News.MOVED} == {(ROOM, News.MOVED, "7")}


NONSENSE = [b"", b"\xff\xfe", b"\x00", b"moved", b"moved " + b"9" * 5000, b"missed ", b"here {", b"x" * 2_000_000]


async def test_a_subscription_that_fails_amid_a_reconnect_is_made_again(
    valkey_address: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """redis-py raises what it likes while its reading side reconnects; the room must not stay unheard for that."""
    monkeypatch.setattr(redis_bus, "PAUSE", 0.01)
    failures = [RuntimeError("read called while another coroutine is already waiting"), AttributeError("_writer")]
    subscribe = PubSub.subscribe

    async def subscribe_or_fail(self: PubSub, *channels: str) -> None:
        if failures and channels != (CHANNEL + EVERY_ROOM,):
            raise failures.pop()
        await subscribe(self, *channels)

    monkeypatch.setattr(PubSub, "subscribe", subscribe_or_fail)
    async with open_bus(valkey_address) as bus:
        await until_away(bus, is_away=False)
        await publish_until_heard(bus, Listener(bus), ROOM, 1)
    assert failures == []
    assert "Traceback" not in caplog.text
