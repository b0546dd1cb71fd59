"""What all rooms of a process stand on."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from app.bus import Bus
from app.store import Store

if TYPE_CHECKING:
    from .room import Room


class Watcher(Protocol):
    """Is told of every change; drives the bots."""

    def changed(self, room: "Room") -> None:
        """The room may have a bot to act."""
        ...


@dataclass(frozen=True)
class Ground:
    """Database, bus, bots and clock."""

    store: Store
    bus: Bus
    watcher: Watcher
    now: Callable[[], datetime]
