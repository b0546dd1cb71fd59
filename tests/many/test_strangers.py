"""A stranger who can publish on the bus floods it while a game goes on at two processes."""

import asyncio
import itertools
from collections.abc import Iterator
from pathlib import Path
from random import Random

import psycopg
import pytest
from redis.asyncio import Redis

from app.bus.redis_bus import CHANNEL
from harness.forked import ForkedSite
from harness.postgres import PostgresServer
from harness.site import Site
from harness.socket_players import SocketPlayer, start_game
from harness.valkey import ValkeyServer

pytestmark = [pytest.mark.heavy, pytest.mark.slow]

MESSAGES = 10_000


@pytest.fixture
def database(own_postgres: PostgresServer) -> str:
    return own_postgres.create()


@pytest.fixture
def sites(database: str, own_valkey: ValkeyServer, tmp_path: Path) -> Iterator[list[Site]]:
    """Two processes."""
    settings = {"database_url": database, "bus_url": own_valkey.address}
    running: list[Site] = [ForkedSite(tmp_path / str(number), **settings) for number in range(2)]
    yield running
    for site in running:
        site.stop()


def inventions(rng: Random) -> Iterator[bytes]:
    """Every kind, of the right form and of none, without end."""
    while True:
        process = f"{rng.getrandbits(64):016x}".encode()
        yield from (
            b"moved 9999999999",
            b"moved " + b"9" * 5000,
            b"moved -1",
            b"changed " + process,
            b"changed",
            b"said " + process,
            b"who ",
            b"who " + process,
            b"alive " + process,
            b"gone " + process,
            b"player " + process,
            b"missed ",
            b"here " + process + b' [["nobody"],3,[["nobody","Eve"]]]',
            b"here " + process + b' [["nobody"],-3]',
            b"here " + process + b" [[]]",
            b"here " + process + b" {",
            b"here",
            b"unheard of",
            rng.randbytes(200),
            b"",
        )
        if rng.random() < 0.01:
            yield b"x" * 200_000


async def flood(address: str, code: str, rng: Random) -> None:
    channels = itertools.cycle([CHANNEL, CHANNEL + code, CHANNEL + "NOROOM00"])
    messages = inventions(rng)
    async with Redis.from_url(address) as stranger:
        for _ in range(MESSAGES // 100):
            async with stranger.pipeline(transaction=False) as pipeline:
                for channel, message in zip(itertools.islice(channels, 100), messages, strict=False):
                    pipeline.publish(channel, message)
                await pipeline.execute()


async def stored(database: str, code: str) -> set[tuple[int, str]]:
    async with await psycopg.AsyncConnection.connect(database) as connection:
        rows = await (await connection.execute("SELECT seat, action_id FROM moves WHERE room = %s", [code])).fetchall()
    assert len(rows) == len(set(rows))
    return set(rows)


async def test_a_game_goes_on_to_its_end_under_a_flood_on_the_bus(
    sites: list[Site], database: str, own_valkey: ValkeyServer
) -> None:
    people: list[SocketPlayer] = await start_game([site.port for site in sites], 2, Random(5))
    for person, site in zip(people, sites, strict=True):
        person.ports = [site.port]
    async with asyncio.timeout(240):
        flooding = asyncio.create_task(flood(own_valkey.address, people[0].code, Random(6)))
        await asyncio.gather(flooding, *(person.play() for person in people))
    assert people[0].scores == people[1].scores is not None
    acknowledged = {(person.seat, action_id) for person in people for action_id in person.acknowledged}
    assert acknowledged <= await stored(database, people[0].code)
    for site in sites:
        assert "Traceback" not in site.log
        assert "bus_away" not in site.log
        assert "bus_failed" not in site.log
        assert 1 <= site.log.count("news_not_understood") <= 5, "one a minute"
