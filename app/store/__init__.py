"""Players, boards, rooms and moves, on SQLite or PostgreSQL."""

from .errors import (
    ArchiveError,
    CodeTakenError,
    FileGoneError,
    MoveTakenError,
    NotEmptyError,
    PlaceTakenError,
    StoreError,
    StoreSetupError,
    StoreUnavailableError,
    UnknownRoomError,
)
from .place import hold_place
from .rows import Circle, LineRow, MoveRow, PlayerRow, RoomChange, RoomRow, SeatRow, SnapshotRow, Status
from .store import Store, open_store

__all__ = [
    "ArchiveError",
    "Circle",
    "CodeTakenError",
    "FileGoneError",
    "LineRow",
    "MoveRow",
    "MoveTakenError",
    "NotEmptyError",
    "PlaceTakenError",
    "PlayerRow",
    "RoomChange",
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
