"""Counts and times of this process since its start, for `/metrics`. Counting costs less than a microsecond."""

from bisect import bisect_left
from collections import Counter
from time import perf_counter

SECONDS = (0.00001, 0.00003, 0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000)


class Histogram:
    """The number of values up to each bound, with one more for those above the last, and their sum."""

    __slots__ = ("bounds", "counts", "sum")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.sum = 0.0

    def observe(self, value: float) -> None:
        self.counts[bisect_left(self.bounds, value)] += 1
        self.sum += value


class Stage(Histogram):
    """The seconds that a stage of a move takes."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(SECONDS)

    def since(self, start: float) -> float:
        """Count the seconds since `start`, a reading of `perf_counter`. Gives a new reading."""
        now = perf_counter()
        self.observe(now - start)
        return now


PARSE, PLAY, COMMIT, PUBLISH = Stage(), Stage(), Stage(), Stage()
STAGES = {"parse": PARSE, "play": PLAY, "commit": COMMIT, "publish": PUBLISH}
"""Parse the message, play the move by the rules, commit it, then make the views and put them into the outboxes."""

COMMIT_SIZES = Histogram(SIZES)
"""The number of moves in each transaction."""

MOVES: Counter[str] = Counter()
"""Moves that this process stored, by `human` or `bot`."""

REFUSALS: Counter[str] = Counter()
"""Refusals to clients, by code."""
