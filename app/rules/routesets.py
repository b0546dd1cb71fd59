"""Sets of a board's routes as integers. A set has a bit for each way to pay for each route: bit n is way n.

The routes open to a seat, the ways that a hand can pay, the routes with a token: each is such a set, so `&` finds what
is legal in one step.
"""

from collections.abc import Iterator

RouteSet = int


def members(routes: RouteSet) -> Iterator[int]:
    """The numbers of the ways in the set, in ascending order."""
    while routes:
        lowest = routes & -routes
        yield lowest.bit_length() - 1
        routes -= lowest


def member(routes: RouteSet, number: int) -> int:
    """The way at an index of `members`."""
    for _ in range(number):
        routes &= routes - 1
    return (routes & -routes).bit_length() - 1
