"""Sets of a board's routes as the bits of a number: a route is in it with the ways to pay for it, bit n for way n.

What a seat may have, what a hand can pay, where a token waits: each is such a set, and what is legal is what they
have in common, which the machine finds in one step.
"""

from collections.abc import Iterator

RouteSet = int


def members(routes: RouteSet) -> Iterator[int]:
    """The numbers of the set's ways, in their order."""
    while routes:
        lowest = routes & -routes
        yield lowest.bit_length() - 1
        routes -= lowest


def member(routes: RouteSet, number: int) -> int:
    """The number of one of the set's ways, counted from 0 in the order of `members`."""
    for _ in range(number):
        routes &= routes - 1
    return (routes & -routes).bit_length() - 1
