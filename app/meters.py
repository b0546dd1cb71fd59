"""What this process has counted and timed since it started, for `/metrics`. Counting costs less than a microsecond."""

from bisect import bisect_left
from collections import Counter
from time import perf_counter

SECONDS = (0.00001, 0.00003, 0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000)


class Histogram:
    """How many values fell under each bound, the last being for those over all, and their sum."""

    __slots__ = ("bounds", "counts", "sum")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.sum = 0.0

    def observe(self, value: float) -> None:
        """Count a value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.sum += value


class Stage(Histogram):
    """A stage of a move's way."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(SECONDS)

    def since(self, start: float) -> float:
        """Count the seconds since a reading of `perf_counter`, and read it again."""
        now = perf_counter()
        self.observe(now - start)
        return now


PARSE, PLAY, COMMIT, PUBLISH = Stage(), Stage(), Stage(), Stage()
STAGES = {"parse": PARSE, "play": PLAY, "commit": COMMIT, "publish": PUBLISH}
"""The text of a message is read; the rules say what follows; it is stored; views are made and put into outboxes."""

COMMIT_SIZES = Histogram(SIZES)
"""Moves that shared a transaction."""

MOVES: Counter[str] = Counter()
"""Moves that this process stored, by who made them: `human` or `bot`."""

REFUSALS: Counter[str] = Counter()
"""What was refused to clients, by code."""
