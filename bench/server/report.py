"""Figures of several rounds: median, minimum and maximum."""

from collections import defaultdict
from statistics import median


class Table:
    """Values by name, in the order in which they first came."""

    def __init__(self) -> None:
        self._values: dict[str, list[float]] = defaultdict(list)

    def add(self, name: str, value: float) -> None:
        """Add the value of a round."""
        self._values[name].append(value)

    def text(self) -> str:
        """A line for each name."""
        head = f"{'':<64}{'median':>10}{'least':>10}{'most':>10}"
        return "\n".join([head, *(row(name, values) for name, values in self._values.items())])


def row(name: str, values: list[float]) -> str:
    figures = (median(values), min(values), max(values))
    return f"{name:<64}" + "".join(f"{figure:>10.{digits(figure)}f}" for figure in figures)


def digits(figure: float) -> int:
    return 2 if abs(figure) < 10 else 1 if abs(figure) < 100 else 0
