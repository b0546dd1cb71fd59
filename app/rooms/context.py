"""What all rooms of a process share: database, bus, clock."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from secrets import token_hex

from app.bus import Bus
from app.rules import RULES_VERSION
from app.store import Store

from .tasks import LoadLimit


@dataclass(frozen=True)
class Context:
    """Shared by all rooms of a process.

    `shared` is whether other processes serve the same rooms, `rules` the version of the rules, `process` the name by
    which other processes know this one. `unasked` limits how many rooms are read at once that nobody waits for.
    """

    store: Store
    bus: Bus
    now: Callable[[], datetime]
    shared: bool = False
    rules: int = RULES_VERSION
    process: str = field(default_factory=lambda: token_hex(8))
    unasked: LoadLimit = field(default_factory=LoadLimit)
