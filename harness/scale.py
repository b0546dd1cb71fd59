"""Scales long runs of properties and playouts: `TEST_SCALE=10` makes them ten times longer."""

import os

SCALE = float(os.environ.get("TEST_SCALE", "1"))


def scaled(number: int, least: int = 1) -> int:
    """A number of games or examples, times the scale."""
    return max(least, round(number * SCALE))
