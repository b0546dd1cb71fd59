"""Games on a real server that is killed again and again, and checks of what its database holds afterwards."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from random import Random

from app.boards import parse_board
from app.rooms.replica import entry_of
from app.rules import Game, ReplayError, deal, replay
from app.store import MoveRow, RoomRow, Store, open_store, queries, results
from app.wire import WireError
from harness.server_process import ServerProcess, Start
from harness.socket_players import SocketPlayer, start_game

TABLES = 3
"""Games in progress at the same time."""

LONGEST_LIFE = 0.6
"""Maximum seconds between readiness and a kill at a random moment."""

MOST_MOVES = 60
"""Maximum moves before a kill at a chosen point."""

POINTS = ("read", "write", "commit")
"""Where a third of all kills happen; `harness.dying_server` explains them."""


@dataclass
class KillReport:
    """The number of kills of each kind, the times until the server was ready again, and the damage.

    `lost`, `half` and `twice` count moves: acknowledged but not stored under their number, stored but illegal or
    refused, stored more than once. An end that only the room or only the game knows counts as half.
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
        """Numbers that have to be zero."""
        return self.lost, self.half, self.twice


async def kill_repeatedly(server: ServerProcess, address: str, kills: int, rng: Random) -> KillReport:
    """Kill the server so many times while games go on, then let the games end and check every move in the database."""
    report, finished = KillReport(), list[list[SocketPlayer]]()
    over = asyncio.Event()
    tables = [asyncio.create_task(keep_playing(server.port, rng, finished, over)) for _ in range(TABLES)]
    try:
        for point in shuffled_points(kills, rng):
            await live_once(server, point, rng, report)
        report.ready.append(await server.start())
        over.set()
        await asyncio.gather(*tables)
    finally:
        for table in tables:
            table.cancel()
        await server.stop()
    report.ready.pop(0)  # the first start followed no kill
    async with open_store(address) as store:
        for people in finished:
            await check_record(store, people, report)
    return report


def shuffled_points(kills: int, rng: Random) -> list[str]:
    """The point of each kill."""
    points = [POINTS[number % len(POINTS)] if number < kills / 3 else "moment" for number in range(kills)]
    rng.shuffle(points)
    return points


async def live_once(server: ServerProcess, point: str, rng: Random, report: KillReport) -> None:
    """Start the server and have it killed at this point."""
    if point == "moment":
        report.ready.append(await server.start())
        await asyncio.sleep(rng.uniform(0, LONGEST_LIFE))
        await server.kill()
    else:
        report.ready.append(await server.start("harness.dying_server", point, str(rng.randint(1, MOST_MOVES))))
        async with asyncio.timeout(120):
            await server.died()
    report.kills[point] += 1


async def keep_playing(port: int, rng: Random, finished: list[list[SocketPlayer]], over: asyncio.Event) -> None:
    """Play one game after another."""
    while not over.is_set():
        people = await start_game([port], rng.randint(2, 4), rng)
        await asyncio.gather(*(person.play() for person in people))
        finished.append(people)


async def check_record(store: Store, people: list[SocketPlayer], report: KillReport) -> None:
    """Compare the stored moves of a game with what its players were told."""
    room = await store.read(queries.find_room, people[0].code)
    assert room is not None
    board = await store.read(queries.find_board, room.board)
    assert board is not None
    moves = await store.load_moves(room.code)
    stored = {(move.seat, move.action_id): move.number for move in moves}
    report.games += 1
    report.moves += len(moves)
    report.twice += len(moves) - len(stored)
    ended = await store.read(results.results_of, [room.code])
    report.half += count_half_done(room, board, moves) + (bool(ended) != (room.status == "over"))
    for person in people:
        report.acknowledged += len(person.acknowledged)
        report.sent_again += person.sent_again
        report.returns += person.returns
        report.lost += sum(stored.get((person.seat, each)) != number for each, number in person.acknowledged.items())
        report.half += sum((person.seat, each) in stored for each in person.refused)
        report.lost += person.scores != people[0].scores


def count_half_done(room: RoomRow, board: str, moves: list[MoveRow]) -> int:
    """Count gaps, illegal moves, and an end that only the room or only the game knows."""
    gaps = [move.number for move in moves] != list(range(1, len(moves) + 1))
    try:
        game = played_again(room, board, moves)
    except (ReplayError, WireError):
        return 1 + gaps
    return gaps + ((room.status == "over") != (not game.to_act)) + (room.ended_at != moves[-1].at)


def played_again(room: RoomRow, board: str, moves: list[MoveRow]) -> Game:
    """The game after its stored moves. Replaying them proves that every move is whole and legal."""
    assert room.seed is not None
    game = deal(parse_board(board, room.board_id), len(room.seats), room.seed)
    for table in replay(game, map(entry_of, moves)):
        game = table.frozen()
    return game
