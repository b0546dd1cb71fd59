"""Lines of the log that a caller causes: one a minute of each kind and network, and how many were left out."""

import logging
import time
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass

PAUSE = 60.0
"""Seconds between two lines of a kind from one network."""

MOST_KINDS = 2000
"""Kinds and networks that are remembered; all others share one line of each kind."""

OUTSIDE = ("uvicorn", "websockets", "asyncio", "app.bus")
"""Who logs what a connection does before the application knows of it, and what comes over the bus."""

UNLIMITED = frozenset({"data_damaged", "database_damaged"})
"""Events that are logged once of each thing anyway: one that was left out would never be told."""

network: ContextVar[str | None] = ContextVar("network", default=None)
"""For whom this task works, and all that come of it."""


@dataclass(slots=True)
class Kept:
    """A line that was let through: when the next one may follow, and how many were left out since."""

    until: float
    left_out: int = 0


class OneAMinute(logging.Filter):
    """Lets through what nobody outside caused, and of all else one line a minute of each kind and network."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._kept: dict[tuple[str, str], Kept] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether this line is logged; one that is says how many before it were not."""
        caller = network.get()
        if caller is None and not record.name.startswith(OUTSIDE):
            return True
        kind = record.msg.get("event", "") if isinstance(record.msg, dict) else str(record.msg).partition("\n")[0]
        if kind in UNLIMITED:
            return True
        key = self._key(f"{record.name} {kind}", caller or "")
        now = self._clock()
        kept = self._kept.get(key)
        if kept is not None and now < kept.until:
            kept.left_out += 1
            return False
        if kept is not None and kept.left_out:
            note(record, kept.left_out)
        self._kept[key] = Kept(now + PAUSE)
        return True

    def _key(self, kind: str, caller: str) -> tuple[str, str]:
        """Where too many are remembered, those that are over are forgotten; if none are, newcomers are one."""
        key = kind, caller
        if key not in self._kept and len(self._kept) >= MOST_KINDS:
            now = self._clock()
            self._kept = {each: kept for each, kept in self._kept.items() if now < kept.until or not each[1]}
            if len(self._kept) >= MOST_KINDS:
                return kind, ""
        return key


def note(record: logging.LogRecord, left_out: int) -> None:
    """Say in a line how many like it were left out."""
    if isinstance(record.msg, dict):
        record.msg = {**record.msg, "left_out": left_out}
    else:
        record.left_out = left_out
