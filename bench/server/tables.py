"""Games in progress, written straight into a database before its server starts."""

import asyncio
import secrets
from collections.abc import Iterable
from datetime import UTC, datetime
from random import Random

from app.rooms import Boards, lobby
from app.rooms.codes import new_code
from app.rules import RULES_VERSION, Board, deal, end_of, legal_actions
from app.rules import play as rules_play
from app.store import MoveRow, PlayerRow, RoomRow, SeatRow, Store, devices, open_store, queries
from app.web.identity import hash_of
from app.wire import dump_action, dump_end

SEATS = 4
TOKENS = tuple(f"seat-{seat}" for seat in range(SEATS))
"""The tokens of four players, who sit at every table."""

OPTIONS = {
    "seats": SEATS,
    "board": "san-francisco",
    "clock_seconds": None,
    "public": False,
    "spectators": True,
    "planner": True,
}
PLAYERS = tuple(PlayerRow(f"player-{seat}", f"Player {seat}") for seat in range(SEATS))


async def lay_tables(address: str, people: Iterable[int], moves: int = 0) -> list[str]:
    """The codes of games with so many moves, one for each number of people; bots have the other seats."""
    now = datetime.now(UTC)
    async with open_store(address) as store:
        board = Boards(None, store).named("san-francisco")
        await store.write(queries.add_board, board.digest, board.text)
        for player, token in zip(PLAYERS, TOKENS, strict=True):
            await store.write(devices.add_player, player, hash_of(token), now)
        tables = [new_table(board.digest, number, now) for number in people]
        for table in tables:
            await store.write(queries.create_room, table)
        await asyncio.gather(*(play(store, table, board.board, moves) for table in tables if moves))
        return [table.code for table in tables]


async def play(store: Store, table: RoomRow, board: Board, moves: int) -> None:
    """Store the first moves of a game."""
    assert table.seed is not None
    game, rng = deal(board, SEATS, table.seed), Random(table.code)
    while game.to_act and game.version < moves:
        seat = game.to_act[0]
        action = rng.choice(legal_actions(game, seat))
        game, _ = rules_play(game, seat, action)
        move = MoveRow(game.version, seat, dump_action(action), f"a{game.version}", table.created_at)
        end = end_of(game)
        await store.append_move(table.code, move, None if end is None else dump_end(end))


def new_table(board: str, people: int, now: datetime) -> RoomRow:
    """A game that has just begun."""
    seats = tuple(seat_of(number, is_bot=number >= people) for number in range(SEATS))
    begun = RoomRow(
        code=new_code(),
        status="lobby",
        host=PLAYERS[0].id,
        board=board,
        board_id="san-francisco",
        options=OPTIONS,
        server_seed=secrets.token_bytes(32),
        seed=None,
        rules_version=RULES_VERSION,
        created_at=now,
        seats=seats,
    )
    return lobby.start(begun, PLAYERS[0].id, now)


def seat_of(number: int, *, is_bot: bool) -> SeatRow:
    player = PLAYERS[number]
    return SeatRow(number, None, "Karl", "easy", "") if is_bot else SeatRow(number, player.id, player.name, None, "")
