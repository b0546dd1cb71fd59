"""`kill -9` at random moments of running games: nothing acknowledged is lost, nothing is half done or done twice."""

import asyncio
import json
import os
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest
from httpx import AsyncClient
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from app.rules import Game, Seat, deal, parse_board, play
from app.store import MoveRow, RoomRow, open_store
from app.wire import parse_action
from tests.durability.servers import Process
from tests.web.callers import Caller, Json, first_legal, follow, seated

KILLS = int(os.environ.get("TEST_KILLS", "30"))
LONGEST_LIFE = 0.6
"""Seconds between two kills, at most."""


@dataclass
class Player:
    """A client as it should be: it comes back by itself, and sends what was not answered again with its id."""

    caller: Caller
    code: str
    rng: Random
    acknowledged: dict[str, int] = field(default_factory=dict)
    waiting: Json | None = None
    tally: Counter[str] = field(default_factory=Counter)
    scores: Json | None = None

    async def play(self) -> None:
        """Play to the end, whatever happens to the line."""
        while self.scores is None:
            try:
                await self._sit_down()
            except (ConnectionClosed, InvalidHandshake, OSError, TimeoutError):
                self.tally["reconnects"] += 1
                await asyncio.sleep(self.rng.uniform(0.05, 0.3))

    async def _sit_down(self) -> None:
        async with asyncio.timeout(20), follow(self.caller.client, self.code, self.caller) as socket:
            greeted = False
            while self.scores is None:
                message = json.loads(await socket.recv())
                self._hear(message)
                again = self.waiting is not None and not greeted and message["type"] == "room"
                if again:
                    self.tally["sent again"] += 1
                greeted = greeted or message["type"] == "room"
                if message["type"] == "room" and (again or self._decide(message["view"])):
                    await socket.send(json.dumps({"type": "act", **(self.waiting or {})}))

    def _hear(self, message: Json) -> None:
        match message["type"]:
            case "ack":
                assert self.waiting is not None
                assert message["id"] == self.waiting["id"]
                self.acknowledged[message["id"]] = message["version"]
                self.waiting = None
            case "refused":
                self.tally[message["code"]] += 1
                self.waiting = None
            case "room" if message["view"]["phase"] == "over":
                self.scores = message["view"]["scores"]

    def _decide(self, view: Json) -> bool:
        """Whether there is something new to send."""
        if self.waiting is not None or view["seat"] not in view["to_act"]:
            return False
        name = f"{view['seat']}-{view['version']}-{self.rng.getrandbits(32)}"
        self.waiting = {"id": name, "version": view["version"], "action": first_legal(view)}
        return True


async def play_through_kills(server: Process, rng: Random, kills: int) -> tuple[list[Player], int]:
    """A game of four while the server is killed again and again; the players, and how often it was."""
    async with AsyncClient(base_url=server.address, timeout=20) as client:
        code, callers = await seated(client, 4)
        await callers[0].post(f"{code}/start")
        players = [Player(caller, code, Random(rng.random())) for caller in callers]
        games = [asyncio.create_task(player.play()) for player in players]
        killed = 0
        while killed < kills and not all(game.done() for game in games):
            await asyncio.sleep(rng.uniform(0, LONGEST_LIFE))
            await server.kill()
            killed += 1
            await server.start()
        await asyncio.gather(*games)
    return players, killed


def played_again(room: RoomRow, board: str, moves: list[MoveRow]) -> Game:
    """The game as the record has it; playing it again proves that every move is whole and was legal."""
    assert room.seed is not None
    game = deal(parse_board(board, room.board_id), len(room.seats), room.seed)
    for move in moves:
        game, _ = play(game, Seat(move.seat), parse_action(move.action))
    return game


async def check_record(folder: Path, players: list[Player]) -> int:
    """Everything acknowledged is in the record, once, and under its number; how many moves there are."""
    async with open_store(f"sqlite:///{folder / 'fogline.db'}") as store:
        room = await store.find_room(players[0].code)
        assert room is not None
        board = await store.find_board(room.board)
        assert board is not None
        moves = await store.load_moves(players[0].code)
    assert [move.number for move in moves] == list(range(1, len(moves) + 1))
    recorded = Counter(move.action_id for move in moves)
    assert set(recorded.values()) == {1}
    numbers = {move.action_id: move.number for move in moves}
    for player in players:
        assert {name: numbers.get(name) for name in player.acknowledged} == player.acknowledged
    assert not played_again(room, board, moves).to_act
    return len(moves)


@pytest.mark.slow
async def test_kill_9_at_random_moments(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = Random()
    server = Process(tmp_path)
    await server.start()
    killed, games, moves, tally = 0, 0, 0, Counter[str]()
    try:
        while killed < KILLS:
            players, kills = await play_through_kills(server, rng, KILLS - killed)
            killed, games = killed + kills, games + 1
            moves += await check_record(tmp_path, players)
            for player in players:
                tally += player.tally
                tally["acknowledged"] += len(player.acknowledged)
            assert len({json.dumps(player.scores) for player in players}) == 1
    finally:
        await server.stop()
    with capsys.disabled():
        sys.stdout.write(f"\n{killed} kills in {games} games of four: {moves} moves stored, {dict(tally)}\n")
