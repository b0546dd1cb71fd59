"""Limits log lines that callers cause to one a minute for each kind and network, and counts those left out."""

import logging
import time
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass

PAUSE = 60.0
"""Seconds between two lines of a kind from one network."""

MOST_KINDS = 2000
"""Maximum pairs of kind and network that are remembered. The others share one line for each kind."""

OUTSIDE = ("uvicorn", "websockets", "asyncio", "app.bus")
"""Loggers of what happens before the application knows the network, and of what comes over the bus."""

UNLIMITED = frozenset({"data_damaged", "database_damaged"})
"""Events that are logged once anyway: if one was left out, nobody would learn of it."""

network: ContextVar[str | None] = ContextVar("network", default=None)
"""The network for which this task works, and all tasks that it starts."""


@dataclass(slots=True)
class Kept:
    """A line that was logged: when the next one may follow, and how many were left out since."""

    until: float
    left_out: int = 0


class OneAMinute(logging.Filter):
    """Passes lines that no caller has caused, and one a minute of all others for each kind and network."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._kept: dict[tuple[str, str], Kept] = {}

    def filter(self, record: logging.LogRecord) -> bool:
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
        """If too many are remembered, forget those whose time is over; if none is, all new networks share a key."""
        key = kind, caller
        if key not in self._kept and len(self._kept) >= MOST_KINDS:
            now = self._clock()
            self._kept = {each: kept for each, kept in self._kept.items() if now < kept.until or not each[1]}
            if len(self._kept) >= MOST_KINDS:
                return kind, ""
        return key


def note(record: logging.LogRecord, left_out: int) -> None:
    """Add to a line how many like it were left out."""
    if isinstance(record.msg, dict):
        record.msg = {**record.msg, "left_out": left_out}
    else:
        record.left_out = left_out
