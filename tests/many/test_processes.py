"""Several real processes on PostgreSQL and Valkey are one site."""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from itertools import chain
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

import httpx
import psycopg
import pytest
from websockets.asyncio.client import ClientConnection

from app.cli.records import findings
from app.wire import parse_record
from harness.figures import Tell
from harness.forked import ForkedSite
from harness.postgres import PostgresServer
from harness.site import Site
from harness.socket_players import SocketPlayer, choose_action, connect_to_room, start_game
from harness.valkey import ValkeyServer

pytestmark = [pytest.mark.heavy, pytest.mark.slow]

SOON = 60.0
"""Seconds; what is tested is that it comes."""


class HurriedSite(ForkedSite):
    """Waits as the product does."""

    patient = False


@pytest.fixture(scope="module")
def database(own_postgres: PostgresServer) -> str:
    return own_postgres.create()


@pytest.fixture(scope="module")
def sites(database: str, own_valkey: ValkeyServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Site]]:
    """Three processes."""
    folder: Path = tmp_path_factory.mktemp("sites")
    settings = {"database_url": database, "bus_url": own_valkey.address}
    running: list[Site] = [HurriedSite(folder / str(number), **settings) for number in range(3)]
    yield running
    for site in running:
        site.stop()


async def record_of(site: Site, code: str) -> bytes:
    async with httpx.AsyncClient(trust_env=False, timeout=SOON) as web:
        return (await web.get(f"{site.address}/api/v1/rooms/{code}/record")).raise_for_status().content


async def agree(sites: list[Site], people: list[SocketPlayer]) -> None:
    """All of a room saw the same end, all processes tell the same record, and it is a true one."""
    assert all(person.scores == people[0].scores for person in people)
    texts = [await record_of(site, people[0].code) for site in sites]
    first, *others = map(json.loads, texts)
    for other in others:
        assert {name: told for name, told in other.items() if told != first[name]} == {}
    assert len(set(texts)) == 1
    assert list(findings(parse_record(texts[0])))
    assert first["scores"] == people[0].scores


async def stored(database: str, people: list[SocketPlayer]) -> None:
    """Every action that was acknowledged is stored once, and none that was refused."""
    async with await psycopg.AsyncConnection.connect(database) as connection:
        query = "SELECT seat, action_id FROM moves WHERE room = %s"
        rows = await (await connection.execute(query, [people[0].code])).fetchall()
    assert len(rows) == len(set(rows))
    acknowledged = {(person.seat, action_id) for person in people for action_id in person.acknowledged}
    refused = {(person.seat, action_id) for person in people for action_id in person.refused}
    assert acknowledged <= set(rows)
    assert not refused & set(rows)


async def test_players_of_a_room_on_three_processes_see_one_game(sites: list[Site], database: str) -> None:
    people = await start_game([site.port for site in sites], 3, Random(1))
    for person, site in zip(people, sites, strict=True):
        person.ports = [site.port]
    await asyncio.gather(*(person.play() for person in people))
    await agree(sites, people)
    await stored(database, people)
    await one_room_for_all_who_play_again(people)
    await everybody_hears_what_is_said_anywhere(people)


async def everybody_hears_what_is_said_anywhere(people: list[SocketPlayer]) -> None:
    """All talk at once, each at a process of his own, and send it twice; then all have heard the same."""
    async with AsyncExitStack() as stack:
        lines = [
            await stack.enter_async_context(connect_to_room(each.ports[0], each.code, each.token)) for each in people
        ]
        for number, line in enumerate(lines):
            for _ in range(2):
                await line.send(json.dumps({"type": "say", "id": f"said-{number}", "text": f"From {number}"}))
        told = [sorted([(await next_of(line, "said"))["text"] for _ in people]) for line in lines]
    assert told == [[f"From {number}" for number in range(len(people))]] * len(people)


async def next_of(line: ClientConnection, *kinds: str) -> dict[str, Any]:
    """The next message of these kinds; others are passed over."""
    async with asyncio.timeout(SOON):
        while True:
            message: dict[str, Any] = json.loads(await line.recv())
            if message["type"] in kinds:
                return message


async def one_room_for_all_who_play_again(people: list[SocketPlayer]) -> None:
    """Everybody asks twice, at once, each at a process of his own; all who follow are told."""
    async with httpx.AsyncClient(trust_env=False, timeout=SOON) as web, AsyncExitStack() as stack:
        lines = [
            await stack.enter_async_context(connect_to_room(each.ports[0], each.code, each.token)) for each in people
        ]
        answers = await asyncio.gather(*(ask_again(web, person) for person in people * 2))
        [code] = set(answers)
        for line in lines:
            while (await next_of(line, "room"))["room"]["next"] != code:
                pass
        async with asyncio.timeout(SOON):  # of who sat down elsewhere a process hears a little later
            while await kinds(web, people[0], code) != ["human"] * len(people):
                pass


async def kinds(web: httpx.AsyncClient, person: SocketPlayer, code: str) -> list[str | None]:
    """Who has the seats of a room, as this person's process says."""
    room = (await web.get(f"http://127.0.0.1:{person.ports[0]}/api/v1/rooms/{code}")).json()
    return [seat["kind"] for seat in room["seats"]]


async def ask_again(web: httpx.AsyncClient, person: SocketPlayer) -> str:
    """The code of the next room, as this person is told."""
    address = f"http://127.0.0.1:{person.ports[0]}/api/v1/rooms/{person.code}/rematch"
    answer = await web.post(address, headers={"Authorization": f"Bearer {person.token}"})
    code: str = answer.raise_for_status().json()["code"]
    return code


async def test_of_two_at_the_same_version_one_wins_and_the_other_sees_what_was_played(
    sites: list[Site], tell: Tell
) -> None:
    """Each turn the seat to act acts at two processes at once, with different ids."""
    rng = Random(2)
    people = await start_game([site.port for site in sites], 2, rng)
    seconds = []
    for _ in range(25):
        for person in people:
            seconds += await race(person, [site.port for site in sites[:2]], rng)
    tell(f"until both had seen it: {median(seconds) * 1000:.0f} ms, at most {max(seconds) * 1000:.0f} ms")


async def race(person: SocketPlayer, ports: list[int], rng: Random) -> list[float]:
    """The seconds until each process had answered, and shown what was played; none if the seat is not to act."""
    async with AsyncExitStack() as stack:
        lines = [await stack.enter_async_context(connect_to_room(port, person.code, person.token)) for port in ports]
        views = [await first_view(line) for line in lines]
        view = max(views, key=lambda view: view["version"])
        if view["seat"] not in view["to_act"]:
            return []
        act = {"type": "act", "version": view["version"], "action": choose_action(view, rng)}
        first_choice = view["phase"] == "first_tickets"
        texts = [json.dumps(act | {"id": f"{rng.getrandbits(40):x}"}) for _ in lines]
        start = perf_counter()
        await asyncio.gather(*(line.send(text) for line, text in zip(lines, texts, strict=True)))
        answers = await asyncio.gather(*(until_answered(line) for line in lines))
        seconds = perf_counter() - start
    assert sorted(kind for kind, _, _ in answers) == ["ack", "refused"]
    [(_, code_of_refusal, seen)] = [answer for answer in answers if answer[0] == "refused"]
    if not first_choice:
        assert code_of_refusal == "stale_version"
        assert seen > view["version"]
    return [seconds]


async def first_view(line: ClientConnection) -> dict[str, Any]:
    """The first view on a line: its process may not know yet that the game has begun."""
    view: dict[str, Any] | None = None
    while view is None:
        view = (await next_of(line, "room"))["view"]
    return view


async def until_answered(line: ClientConnection) -> tuple[str, str, int]:
    """The answer to an action, its code, and the version that was seen when all had come that belongs to it."""
    seen, answer = -1, None
    while answer is None or (answer.get("code") == "stale_version" and seen < answer["version"]):
        message = await next_of(line, "room", "ack", "refused")
        if message["type"] == "room":
            seen = message["view"]["version"]
        else:
            answer = message
    return answer["type"], answer.get("code", ""), seen


async def test_rooms_play_to_their_ends_through_every_outage(
    sites: list[Site], database: str, own_postgres: PostgresServer, own_valkey: ValkeyServer
) -> None:
    rng = Random(3)
    ports = [site.port for site in sites]
    rooms = [await start_game(ports, 2 + number % 3, rng) for number in range(6)]
    rooms += [await start_game(ports, 1, rng, bots=2) for _ in range(2)]
    everyone = list(chain.from_iterable(rooms))
    for person in everyone:
        person.pace = 1
    games = asyncio.gather(*(person.play() for person in everyone))
    await through_outages(sites, own_postgres, own_valkey, everyone)
    assert sum(person.scores is None for person in everyone) > len(everyone) / 2
    for person in everyone:
        person.pace = 0
    async with asyncio.timeout(240):
        await games
    for people in rooms:
        await agree(sites, people)
        await stored(database, people)


async def through_outages(
    sites: list[Site], postgres: PostgresServer, valkey: ValkeyServer, everyone: list[SocketPlayer]
) -> None:
    """A process is killed and started again, another hangs and goes on, a third is replaced in good order.

    Then bus and database are restarted. Each outage lasts until the players have noticed it, or have played on.
    """
    await grown(everyone, moves)
    sites[0].kill()
    await asyncio.to_thread(sites[0].start)
    with sites[1].hanging():
        await grown(everyone, lambda person: person.returns)
    await asyncio.to_thread(sites[2].stop)
    await asyncio.to_thread(sites[2].start)
    valkey.stop()
    await grown(everyone, moves)
    valkey.start()
    postgres.stop()
    await grown(everyone, lambda person: person.sent_again)
    await asyncio.to_thread(postgres.start)


def moves(person: SocketPlayer) -> int:
    return len(person.acknowledged)


async def grown(people: list[SocketPlayer], number: Callable[[SocketPlayer], int], by: int = 5) -> None:
    """Wait until the sum of a number of all people has grown."""
    goal = sum(map(number, people)) + by
    async with asyncio.timeout(60):
        while sum(map(number, people)) < goal:  # noqa: ASYNC110  nothing signals it
            await asyncio.sleep(0.02)
