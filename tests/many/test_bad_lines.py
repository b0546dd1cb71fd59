"""A whole game while every line is bad: of players to servers, of servers to the database, and of servers to the bus.

Single packets are TCP's affair: it sends those that are lost again, and drops those that come twice. What reaches a
program is delay, a connection that is cut at any moment, and an answer that is lost with it, so that the request is
sent again. Between servers messages of the bus get lost and come twice or late: here those that Valkey publishes do.
"""

import asyncio
from collections import Counter
from contextlib import AsyncExitStack
from itertools import chain
from pathlib import Path
from random import Random

import psycopg
import pytest

from harness.forked import ForkedSite
from harness.postgres import PostgresServer
from harness.socket_players import SocketPlayer, start_game
from harness.tcp_proxy import TcpProxy, proxy_of, proxy_to
from harness.valkey import ValkeyServer
from harness.valkey_proxy import ValkeyProxy

pytestmark = [pytest.mark.heavy, pytest.mark.slow]

PEOPLE = 3
LONGEST = 420.0
"""Seconds in which the game has to end."""


class HurriedSite(ForkedSite):
    """Waits as the product does."""

    patient = False


KINDS = ("cut", "answer lost", "held up")


async def disturb(proxy: TcpProxy, rng: Random, done: Counter[str]) -> None:
    """Cut the line, lose answers with it, or hold everything up, again and again."""
    for what in chain(KINDS * 2, iter(lambda: rng.choice(KINDS), None)):
        await asyncio.sleep(rng.uniform(0.3, 2))
        if what == "answer lost":
            proxy.replies.clear()
            await asyncio.sleep(rng.uniform(0.05, 0.3))
        if what == "held up":
            proxy.hang()
            await asyncio.sleep(rng.uniform(0.1, 1))
        else:
            proxy.cut()
        proxy.resume()
        done[what] += 1


async def play_slowly_until_disturbed(people: list[SocketPlayer], counts: list[Counter[str]]) -> None:
    """Nobody hurries until each line was disturbed in each way twice, and some actions were sent again."""
    for person in people:
        person.pace = 2.0
    while min(done[what] for done in counts for what in KINDS) < 2 or sum(each.sent_again for each in people) < 3:  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    for person in people:
        person.pace = 0


async def stored_moves(database: str, code: str) -> dict[tuple[int, str], int]:
    """The number of each move by seat and action; each has its own, from 1 without a gap."""
    async with await psycopg.AsyncConnection.connect(database) as connection:
        query = "SELECT seat, action_id, number FROM moves WHERE room = %s ORDER BY number"
        rows = await (await connection.execute(query, [code])).fetchall()
    assert [number for *_, number in rows] == list(range(1, len(rows) + 1)), "none is skipped"
    stored = {(seat, action_id): number for seat, action_id, number in rows}
    assert len(stored) == len(rows), "none is there twice"
    return stored


def check_answers(people: list[SocketPlayer], stored: dict[tuple[int, str], int]) -> None:
    """What was acknowledged is stored under its number, and what was refused is not."""
    for person in people:
        assert person.acknowledged
        for action_id, version in person.acknowledged.items():
            assert stored.get((person.seat, action_id)) == version, "an acknowledged move is lost or is another one"
        assert not [each for each in person.refused if (person.seat, each) in stored]
    assert len({str(person.scores) for person in people}) == 1, "all saw the same end"


async def test_a_whole_game_over_bad_lines_loses_doubles_and_skips_nothing(
    own_postgres: PostgresServer, own_valkey: ValkeyServer, tmp_path: Path
) -> None:
    rng = Random(9)
    database = own_postgres.create()
    async with AsyncExitStack() as stack:
        sites, ports, lines, buses = [], [], list[TcpProxy](), []
        for number in range(2):
            to_database, database_url = await stack.enter_async_context(proxy_to(database))
            bus, bus_url = await stack.enter_async_context(proxy_of(ValkeyProxy, own_valkey.address))
            folder = tmp_path / str(number)
            site = await asyncio.to_thread(HurriedSite, folder, database_url=database_url, bus_url=bus_url)
            stack.callback(site.stop)
            to_site, address = await stack.enter_async_context(proxy_to(site.address))
            bus.dropping, bus.repeating, bus.late = 0.25, 0.25, 0.1
            sites.append(site)
            buses.append(bus)
            ports.append(int(address.rpartition(":")[2]))
            lines += [to_database, bus, to_site]
        people = await start_game(ports, PEOPLE, rng)
        for line in lines:
            line.longest_delay = 0.02
        counts = [Counter[str]() for _ in lines]
        bad = [
            asyncio.create_task(disturb(line, Random(number), done))
            for number, (line, done) in enumerate(zip(lines, counts, strict=True))
        ]
        bad.append(asyncio.create_task(play_slowly_until_disturbed(people, counts)))
        try:
            async with asyncio.timeout(LONGEST):
                await asyncio.gather(*(person.play() for person in people))
        finally:
            for task in bad:
                task.cancel()
            for line in lines:
                line.resume()
        check_answers(people, await stored_moves(database, people[0].code))
        assert min(done[what] for done in counts for what in KINDS) >= 2
        assert min(bus.dropped for bus in buses) > 0
        assert min(bus.repeated for bus in buses) > 0
        assert sum(person.returns for person in people) > 0
        assert sum(person.sent_again for person in people) > 0
        for site in sites:
            assert "Traceback" not in site.log, site.log[-6000:]
