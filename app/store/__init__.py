"""Players, boards, rooms and moves, on SQLite or PostgreSQL."""

from .errors import (
    ArchiveError,
    CodeTakenError,
    MoveTakenError,
    NotEmptyError,
    StoreError,
    StoreSetupError,
    StoreUnavailableError,
    UnknownRoomError,
)
from .rows import MoveRow, PlayerRow, RoomChange, RoomRow, SeatRow, Status
from .store import Store, open_store

__all__ = [
    "ArchiveError",
    "CodeTakenError",
    "MoveRow",
    "MoveTakenError",
    "NotEmptyError",
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
