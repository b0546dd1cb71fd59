"""Sets of a board's routes as the bits of a number: bit n is route n of `Board.routes`.

What a seat could claim, what a hand could pay, where a token waits: each is such a set, and what is legal is what they
have in common, which the machine finds in one step.
"""

from collections.abc import Iterator

RouteSet = int


def members(routes: RouteSet) -> Iterator[int]:
    """The places of the set's routes on the board, in its order."""
    while routes:
        lowest = routes & -routes
        yield lowest.bit_length() - 1
        routes -= lowest


def member(routes: RouteSet, number: int) -> int:
    """The place of one of the set's routes, counted from 0 in the order of `members`."""
    for _ in range(number):
        routes &= routes - 1
    return (routes & -routes).bit_length() - 1
