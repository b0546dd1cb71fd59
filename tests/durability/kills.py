"""Games of a real server that is killed again and again, and what its database holds afterwards."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from random import Random

from app.rules import Game, Seat, deal, parse_board, play
from app.store import MoveRow, RoomRow, Store, open_store
from app.wire import parse_action
from tests.durability.servers import Process, Start
from tests.many.players import Person, seated

TABLES = 3
"""Games that go on at the same time."""

LONGEST_LIFE = 0.6
"""Seconds between readiness and a kill at a random moment, at most."""

MOST_MOVES = 60
"""Moves of a life that ends at a chosen point, at most."""

POINTS = ("read", "write", "commit")
"""Where a third of all kills strike; `tests.durability.doomed` says what they are."""


@dataclass
class Toll:
    """What came of the kills: how many there were of each kind, and the seconds until the server was ready again.

    `lost`, `half` and `twice` count moves: acknowledged but not stored under their number, stored but no legal move or
    refused, stored more than once. Ends that are stored on one side only count as half.
    """

    kills: Counter[str] = field(default_factory=Counter)
    ready: list[Start] = field(default_factory=list)
    games: int = 0
    moves: int = 0
    acknowledged: int = 0
    sent_again: int = 0
    returns: int = 0
    lost: int = 0
    half: int = 0
    twice: int = 0

    @property
    def harm(self) -> tuple[int, int, int]:
        """What must not be."""
        return self.lost, self.half, self.twice


async def take_toll(server: Process, address: str, kills: int, rng: Random) -> Toll:
    """Kill the server on this database so often, while games go on; then let them end, and look at every move."""
    toll, finished = Toll(), list[list[Person]]()
    over = asyncio.Event()
    tables = [asyncio.create_task(keep_playing(server.port, rng, finished, over)) for _ in range(TABLES)]
    try:
        for point in shuffled_points(kills, rng):
            await live_once(server, point, rng, toll)
        toll.ready.append(await server.start())
        over.set()
        await asyncio.gather(*tables)
    finally:
        for table in tables:
            table.cancel()
        await server.stop()
    toll.ready.pop(0)  # the first start followed no kill
    async with open_store(address) as store:
        for people in finished:
            await look_at(store, people, toll)
    return toll


def shuffled_points(kills: int, rng: Random) -> list[str]:
    """How each life ends."""
    points = [POINTS[number % len(POINTS)] if number < kills / 3 else "moment" for number in range(kills)]
    rng.shuffle(points)
    return points


async def live_once(server: Process, point: str, rng: Random, toll: Toll) -> None:
    """A life of the server that ends in a kill at this point."""
    if point == "moment":
        toll.ready.append(await server.start())
        await asyncio.sleep(rng.uniform(0, LONGEST_LIFE))
        await server.kill()
    else:
        toll.ready.append(await server.start("tests.durability.doomed", point, str(rng.randint(1, MOST_MOVES))))
        async with asyncio.timeout(120):
            await server.died()
    toll.kills[point] += 1


async def keep_playing(port: int, rng: Random, finished: list[list[Person]], over: asyncio.Event) -> None:
    """One game after the other at a table."""
    while not over.is_set():
        people = await seated([port], rng.randint(2, 4), rng)
        await asyncio.gather(*(person.play() for person in people))
        finished.append(people)


async def look_at(store: Store, people: list[Person], toll: Toll) -> None:
    """Hold the record of a game against what its players were told."""
    room = await store.find_room(people[0].code)
    assert room is not None
    board = await store.find_board(room.board)
    assert board is not None
    moves = await store.load_moves(room.code)
    stored = {(move.seat, move.action_id): move.number for move in moves}
    toll.games += 1
    toll.moves += len(moves)
    toll.twice += len(moves) - len(stored)
    toll.half += half_done(room, board, moves)
    for person in people:
        toll.acknowledged += len(person.acknowledged)
        toll.sent_again += person.sent_again
        toll.returns += person.returns
        toll.lost += sum(stored.get((person.seat, each)) != number for each, number in person.acknowledged.items())
        toll.half += sum((person.seat, each) in stored for each in person.refused)
        toll.lost += person.scores != people[0].scores


def half_done(room: RoomRow, board: str, moves: list[MoveRow]) -> int:
    """Gaps, moves that can't have been played, and an end that the room knows and the game does not, or the reverse."""
    gaps = [move.number for move in moves] != list(range(1, len(moves) + 1))
    try:
        game = played_again(room, board, moves)
    except ValueError:
        return 1 + gaps
    return gaps + ((room.status == "over") != (not game.to_act)) + (room.ended_at != moves[-1].at)


def played_again(room: RoomRow, board: str, moves: list[MoveRow]) -> Game:
    """The game as the record has it; playing it again proves that every move is whole and was legal."""
    assert room.seed is not None
    game = deal(parse_board(board, room.board_id), len(room.seats), room.seed)
    for move in moves:
        game, _ = play(game, Seat(move.seat), parse_action(move.action))
    return game
