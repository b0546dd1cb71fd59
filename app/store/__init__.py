"""Players, boards, rooms and moves, on SQLite or PostgreSQL."""

from .errors import (
    ArchiveError,
    CodeTakenError,
    DamagedRowError,
    DatabaseDamagedError,
    FileGoneError,
    MoveTakenError,
    NotEmptyError,
    PlaceTakenError,
    RoomOverError,
    StoreError,
    StoreSetupError,
    StoreUnavailableError,
    UnknownRoomError,
)
from .place import hold_place
from .rows import Circle, LineRow, MoveRow, PlayerRow, RoomChange, RoomRow, SeatRow, SnapshotRow, Status
from .store import BEFORE_ALL, Store, open_store

__all__ = [
    "BEFORE_ALL",
    "ArchiveError",
    "Circle",
    "CodeTakenError",
    "DamagedRowError",
    "DatabaseDamagedError",
    "FileGoneError",
    "LineRow",
    "MoveRow",
    "MoveTakenError",
    "NotEmptyError",
    "PlaceTakenError",
    "PlayerRow",
    "RoomChange",
    "RoomOverError",
    "RoomRow",
    "SeatRow",
    "SnapshotRow",
    "Status",
    "Store",
    "StoreError",
    "StoreSetupError",
    "StoreUnavailableError",
    "UnknownRoomError",
    "hold_place",
    "open_store",
]
