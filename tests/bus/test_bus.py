"""The bus in memory and over a real Valkey: what is published is heard, and an outage is survived."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from app.bus import EVERY_ROOM, Bus, BusSetupError, BusUnavailableError, open_bus
from tests.services.valkey import ValkeyServer


class Listener:
    """Remembers what it heard."""

    def __init__(self, bus: Bus) -> None:
        self.heard: list[tuple[str, int]] = []
        self._news = asyncio.Event()
        bus.listen(self.hear)

    def hear(self, code: str, number: int) -> None:
        self.heard.append((code, number))
        self._news.set()

    async def wait_for(self, code: str, number: int) -> None:
        async with asyncio.timeout(20):
            while (code, number) not in self.heard:
                self._news.clear()
                await self._news.wait()


async def publish_until_heard(bus: Bus, listener: Listener, code: str, number: int) -> None:
    """A message sent before the other side listens is lost, as it may be."""
    hearing = asyncio.create_task(listener.wait_for(code, number))
    while not hearing.done():
        bus.publish(code, number)
        await asyncio.wait({hearing}, timeout=0.05)
    await hearing


@pytest.fixture(params=["memory", "valkey"])
async def bus(request: pytest.FixtureRequest) -> AsyncIterator[Bus]:
    address = "memory" if request.param == "memory" else request.getfixturevalue("valkey_address")
    async with open_bus(address) as bus:
        yield bus


async def test_a_listener_hears_what_is_published(bus: Bus) -> None:
    listener = Listener(bus)
    await publish_until_heard(bus, listener, "ABCD1234", 7)


async def test_every_listener_hears_it(bus: Bus) -> None:
    first, second = Listener(bus), Listener(bus)
    await publish_until_heard(bus, first, "ABCD1234", 7)
    await second.wait_for("ABCD1234", 7)


async def test_a_listener_that_fails_silences_nobody(bus: Bus) -> None:
    def fail(code: str, number: int) -> None:
        raise ValueError(code)

    bus.listen(fail)
    listener = Listener(bus)
    await publish_until_heard(bus, listener, "ABCD1234", 1)
    await publish_until_heard(bus, listener, "ABCD1234", 2)


async def test_a_bus_that_is_there_answers(bus: Bus) -> None:
    await bus.ping()


async def test_another_process_hears_it(valkey_address: str) -> None:
    async with open_bus(valkey_address) as here, open_bus(valkey_address) as there:
        await publish_until_heard(here, Listener(there), "ABCD1234", 3)


async def test_foreign_messages_are_passed_over(valkey_address: str) -> None:
    from redis.asyncio import Redis

    from app.bus import CHANNEL

    async with open_bus(valkey_address) as bus, Redis.from_url(valkey_address) as stranger:
        listener = Listener(bus)
        await publish_until_heard(bus, listener, "ABCD1234", 1)
        for text in ("", "ABCD1234", "ABCD1234 x", "\xff"):
            await stranger.publish(CHANNEL, text)
        await publish_until_heard(bus, listener, "ABCD1234", 2)
        assert set(listener.heard) - {(EVERY_ROOM, 0)} == {("ABCD1234", 1), ("ABCD1234", 2)}


async def test_an_outage_is_survived_and_the_last_number_told_afterwards(own_valkey: ValkeyServer) -> None:
    async with open_bus(own_valkey.address) as here, open_bus(own_valkey.address) as there:
        listener = Listener(there)
        await publish_until_heard(here, listener, "ABCD1234", 1)
        own_valkey.stop()
        with pytest.raises(BusUnavailableError):
            await here.ping()
        here.publish("ABCD1234", 2)
        own_valkey.start()
        await publish_until_heard(here, listener, "ABCD1234", 3)
        await here.ping()


async def test_a_server_that_hangs_is_survived(own_valkey: ValkeyServer) -> None:
    async with open_bus(own_valkey.address) as bus:
        listener = Listener(bus)
        await publish_until_heard(bus, listener, "ABCD1234", 1)
        with own_valkey.hanging(), pytest.raises(BusUnavailableError):
            await bus.ping()
        await publish_until_heard(bus, listener, "ABCD1234", 2)


async def test_a_bus_can_be_opened_before_its_server_is_there(own_valkey: ValkeyServer) -> None:
    own_valkey.stop()
    async with open_bus(own_valkey.address) as bus:
        listener = Listener(bus)
        bus.publish("ABCD1234", 1)
        own_valkey.start()
        await publish_until_heard(bus, listener, "ABCD1234", 2)


@pytest.mark.parametrize("address", ["", "Memory", "amqp://localhost", "localhost:6379"])
async def test_an_unknown_address_is_refused_with_what_is_allowed(address: str) -> None:
    with pytest.raises(BusSetupError, match=r"memory.*redis://"):
        async with open_bus(address):
            pass
