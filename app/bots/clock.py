"""The time that a bot has for a thought."""

from collections.abc import Callable
from time import monotonic

SECONDS = 1.0
"""How long a thought may take unless its asker says otherwise."""


class Clock:
    """Tells when time is up. What a bot has found by then is its answer, so it has one at any moment."""

    def __init__(self, seconds: float = SECONDS, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._end = now() + seconds

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return self._now() >= self._end
