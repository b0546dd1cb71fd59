"""Rows for the store's tests, and a store with a room in it."""

import json
from datetime import UTC, datetime, timedelta

from app.store import DamagedRowError, MoveRow, PlayerRow, RoomRow, SeatRow, Store, devices, queries

NOW = datetime(2026, 3, 29, 1, 30, 0, 123456, tzinfo=UTC)
CODE = "ABCD1234"
END = '{"scores": []}'
"""How a game ended, as it is stored."""


def later(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def room(code: str = CODE, *, host: str = "ann", seats: tuple[SeatRow, ...] = ()) -> RoomRow:
    return RoomRow(
        code=code,
        status="lobby",
        host=host,
        board="digest",
        board_id="san-francisco",
        options={"seats": 4, "clock_seconds": None, "spectators": True},
        server_seed=bytes(range(32)),
        seed=None,
        rules_version=1,
        created_at=NOW,
        seats=seats or (SeatRow(0, "ann", "Ann", None, "nonce"), SeatRow(1, None, "", None, "")),
    )


def move(number: int, *, seat: int = 0, action_id: str | None = None) -> MoveRow:
    action = json.dumps({"type": "draw_card", "slot": None})
    return MoveRow(number, seat, action, action_id or f"action-{number}", later(number))


async def add_people(store: Store) -> None:
    """Ann and Ben, and the board that all rooms play on."""
    await store.write(devices.add_player, PlayerRow("ann", "Ann"), b"a" * 32, NOW)
    await store.write(devices.add_player, PlayerRow("ben", "Ben"), b"b" * 32, NOW)
    await store.write(queries.add_board, "digest", "{}")


async def listed(store: Store) -> list[RoomRow]:
    """The newest rooms, none of which is damaged."""
    found = [row for row, _ in await store.read(queries.newest_rooms)]
    assert not any(isinstance(row, DamagedRowError) for row in found)
    return [row for row in found if isinstance(row, RoomRow)]


async def player_of(store: Store, token_hash: bytes, at: datetime = NOW) -> PlayerRow | None:
    """Whose token it is, if it is valid."""
    token = await store.read(devices.find_token, token_hash, at)
    return token.player if token else None
