"""Tourist tokens: their stacks, and which of them a seat may take (C5, S2, R7)."""

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from .actions import Seat
from .board import Board, LocationId, Route, Symbol
from .routesets import RouteSet


class Stack(NamedTuple):
    """A stack of tourist tokens; `location` is None until it is placed."""

    symbol: Symbol
    location: LocationId | None
    left: int


Owned = tuple[tuple[Symbol, ...], ...]
"""For each seat, the symbols of its tokens in the order in which it took them."""


class Tokens(NamedTuple):
    """The stacks, the tokens of the seats, and what follows from them, which is kept because every turn needs it.

    - `at`: the symbols of the stacks that have a location;
    - `takeable`: for each seat, the locations with a token that it may take, of a symbol that it lacks (R7);
    - `choices`: for each seat, the routes with two such tokens to choose from.
    """

    stacks: tuple[Stack, ...]
    owned: Owned
    at: Mapping[LocationId, Symbol]
    takeable: tuple[frozenset[LocationId], ...]
    choices: tuple[RouteSet, ...]

    @classmethod
    def of(cls, board: Board, stacks: tuple[Stack, ...], owned: Owned) -> "Tokens":
        at = {location: symbol for symbol, location, _ in stacks if location}
        takeable = {symbols: _takeable(stacks, symbols) for symbols in set(owned)}
        choices = {symbols: _between(board, places) for symbols, places in takeable.items()}
        return cls(stacks, owned, at, tuple(map(takeable.__getitem__, owned)), tuple(map(choices.__getitem__, owned)))

    def along(self, route: Route, seat: Seat) -> tuple[Symbol, ...]:
        """The tokens at the ends of a route that a seat may take."""
        start, end = route.between
        at, places = self.at, self.takeable[seat]
        if start in places:
            return (at[start], at[end]) if end in places else (at[start],)
        return (at[end],) if end in places else ()

    def placed(self, board: Board, symbol: Symbol, location: LocationId) -> "Tokens":
        """The tokens after a stack was placed (S5)."""
        stacks, index = list(self.stacks), board.stack_index[symbol]
        stacks[index] = Stack(symbol, location, stacks[index].left)
        return Tokens.of(board, tuple(stacks), self.owned)

    def taken(self, board: Board, symbol: Symbol, seat: Seat) -> "Tokens":
        """The tokens after a seat took one that it may take (R7)."""
        index = board.stack_index[symbol]
        _, location, left = self.stacks[index]
        if location is None:
            raise LookupError(f"the stack of {symbol} has no location")
        stacks, owned, takeable, choices = list(self.stacks), list(self.owned), list(self.takeable), list(self.choices)
        stacks[index] = Stack(symbol, location, left - 1)
        owned[seat] += (symbol,)
        elsewhere = ~board.ending_at[location]
        for loser in range(len(owned)) if left == 1 else (seat,):
            takeable[loser] -= {location}
            choices[loser] &= elsewhere
        return Tokens(tuple(stacks), tuple(owned), self.at, tuple(takeable), tuple(choices))


def _takeable(stacks: Iterable[Stack], owned: Collection[Symbol]) -> frozenset[LocationId]:
    return frozenset([location for symbol, location, left in stacks if location and left and symbol not in owned])


def _between(board: Board, places: Iterable[LocationId]) -> RouteSet:
    """The routes with both ends among these locations."""
    one_end = both_ends = 0
    for place in places:
        both_ends |= one_end & board.ending_at[place]
        one_end |= board.ending_at[place]
    return both_ends


@lru_cache(maxsize=64)
def tokens_at_start(board: Board, seats: int) -> Tokens:
    """The stacks before the first move (S2), including those that players place (S5)."""
    on_board, to_place = stack_size(seats), placed_stack_size(seats)
    stacks = [
        Stack(stack.symbol, stack.location, on_board if stack.location else to_place) for stack in board.token_stacks
    ]
    return Tokens.of(board, tuple(stacks), ((),) * seats)


def stack_size(seats: int) -> int:
    """Tokens in a stack that stands on the board from the start (S2)."""
    return 3 if seats == 4 else 2


def placed_stack_size(seats: int) -> int:
    """Tokens in a stack that a player places (S5)."""
    return 1 if seats == 2 else stack_size(seats)
