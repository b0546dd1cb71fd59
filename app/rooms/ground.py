"""What all rooms of a process stand on."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from secrets import token_hex
from typing import TYPE_CHECKING, Protocol

from app.bus import Bus
from app.rules import RULES_VERSION
from app.store import Store

from .turnstile import Turnstile

if TYPE_CHECKING:
    from .room import Room


class Watcher(Protocol):
    """Is told of every change; drives the bots."""

    def changed(self, room: "Room") -> None:
        """The room may have a bot to act."""
        ...


@dataclass(frozen=True)
class Ground:
    """Database, bus, bots and clock, the version of the rules, and the name by which other processes know this one.

    By the turnstile rooms are read that nobody asks for.
    """

    store: Store
    bus: Bus
    watcher: Watcher
    now: Callable[[], datetime]
    rules: int = RULES_VERSION
    process: str = field(default_factory=lambda: token_hex(8))
    turnstile: Turnstile = field(default_factory=Turnstile)
