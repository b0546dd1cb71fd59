"""Tourist tokens: their stacks, and which of them a seat may take (C5, S2, R7)."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from .board import Board, LocationId, Route, Symbol
from .routesets import RouteSet


class Stack(NamedTuple):
    """A stack of tourist tokens: its symbol, its location once it has one, and the tokens left."""

    symbol: Symbol
    location: LocationId | None
    left: int


class Takeable(NamedTuple):
    """The tokens a seat may take: in stock, and of a symbol it has not (R7); and the routes with a choice of two."""

    at: Mapping[LocationId | None, Symbol]
    choices: RouteSet

    def along(self, route: Route) -> tuple[Symbol, ...]:
        """Those at the ends of a route."""
        start, end = route.between
        if start in self.at:
            return (self.at[start], self.at[end]) if end in self.at else (self.at[start],)
        return (self.at[end],) if end in self.at else ()

    def without(self, board: Board, location: LocationId | None) -> "Takeable":
        """What is left when the token at a location may not be taken any more."""
        if location not in self.at:
            return self
        return _takeable(board, {place: symbol for place, symbol in self.at.items() if place != location})


def takeable(board: Board, stacks: Iterable[Stack], owned: tuple[Symbol, ...]) -> Takeable:
    """What a seat that owns these tokens may take from these stacks."""
    return _takeable(board, {location: symbol for symbol, location, left in stacks if left and symbol not in owned})


def _takeable(board: Board, at: Mapping[LocationId | None, Symbol]) -> Takeable:
    one_end = both_ends = 0
    ending_at = board.ending_at
    for location in at:
        if location is not None:
            both_ends |= one_end & ending_at[location]
            one_end |= ending_at[location]
    return Takeable(at, both_ends)


def stack_size(seats: int) -> int:
    """Tokens in a stack that stands on the board from the start (S2)."""
    return 3 if seats == 4 else 2


def placed_stack_size(seats: int) -> int:
    """Tokens in a stack that a player places (S5)."""
    return 1 if seats == 2 else stack_size(seats)
