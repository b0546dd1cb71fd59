"""Tables that are played at: laid straight into a database, before its server starts."""

import secrets
from collections.abc import Iterable
from datetime import UTC, datetime

from app.rooms import Boards, lobby
from app.rooms.codes import new_code
from app.rooms.rooms import RULES_VERSION
from app.store import PlayerRow, RoomRow, SeatRow, Store, open_store
from app.web.identity import hash_of

SEATS = 4
TOKENS = tuple(f"seat-{seat}" for seat in range(SEATS))
"""The same four play at every table: a player is known by a token, and may sit at any number of tables."""

OPTIONS = {
    "seats": SEATS,
    "board": "san-francisco",
    "clock_seconds": None,
    "public": False,
    "spectators": True,
    "planner": True,
}
PLAYERS = tuple(PlayerRow(f"player-{seat}", f"Player {seat}") for seat in range(SEATS))


async def lay_tables(address: str, people: Iterable[int]) -> list[str]:
    """The codes of new games, one for each number of people; bots have the other seats."""
    now = datetime.now(UTC)
    async with open_store(address) as store:
        board = Boards(None, store).named("san-francisco")
        await store.add_board(board.digest, board.text)
        for player, token in zip(PLAYERS, TOKENS, strict=True):
            await store.add_player(player, hash_of(token), now)
        return [await lay(store, new_table(board.digest, number, now)) for number in people]


async def lay(store: Store, table: RoomRow) -> str:
    await store.create_room(table)
    return table.code


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
