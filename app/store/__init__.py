"""Players, boards, rooms and moves, on SQLite or PostgreSQL."""

from .errors import (
    CodeTakenError,
    MoveTakenError,
    StoreError,
    StoreSetupError,
    StoreUnavailableError,
    UnknownRoomError,
)
from .rows import MoveRow, PlayerRow, RoomChange, RoomRow, SeatRow, Status
from .store import Store, open_store

__all__ = [
    "CodeTakenError",
    "MoveRow",
    "MoveTakenError",
    "PlayerRow",
    "RoomChange",
    "RoomRow",
    "SeatRow",
    "Status",
    "Store",
    "StoreError",
    "StoreSetupError",
    "StoreUnavailableError",
    "UnknownRoomError",
    "open_store",
]
