"""What routes cost, and what a hand can pay for (R1, R2).

A way is one payment for one route. The ways of a board are numbered, so that an integer can be a set of them
(`routesets`).
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import or_
from typing import NamedTuple

from .cards import FERRY, Card, Counts, Payment
from .routesets import RouteSet, members

Price = tuple[int, Card | None, int]
"""What a route costs: length, color (None: gray), ferry symbols."""

Payments = tuple[Payment, ...]

HANDS_KEPT = 8192
"""The size of the caches by hand. Most hands are looked up many times."""


class Way(NamedTuple):
    """One payment for a route; `place` is the index of the route in `Board.routes`."""

    place: int
    payment: Payment


class Tariff:
    """All ways to pay for the routes of a board, route by route, whoever owns them.

    `ways[n]` is bit n of a set. `routes` has the set of all ways of each route.
    """

    def __init__(self, colors: Sequence[Card], cards_per_color: int, ferry_cards: int, prices: Sequence[Price]) -> None:
        self._colors, self._most, self._ferries = colors, cards_per_color, ferry_cards
        self.ways = tuple([Way(place, paid) for place, price in enumerate(prices) for paid in self._payments(price)])
        self._numbers = {(place, frozenset(paid.items())): number for number, (place, paid) in enumerate(self.ways)}
        self.routes = [0] * len(prices)
        for number, way in enumerate(self.ways):
            self.routes[way.place] |= 1 << number
        self._by_color = [self._affordable_with(color) for color in colors]
        self.affordable = lru_cache(HANDS_KEPT)(self._affordable)
        self.payments = lru_cache(HANDS_KEPT)(self._listed)

    def way(self, place: int, payment: Payment) -> int | None:
        """The number of a way, or None if the payment does not fit the route at this place."""
        return self._numbers.get((place, frozenset(payment.items())))

    def _payments(self, price: Price) -> Iterator[Payment]:
        """Every payment for a price: fewest ferries first, then in the order of the colors."""
        length, color, ferries = price
        for wild in range(max(ferries, length - self._most), min(length - 1, self._ferries) + 1):
            for card in self._colors if color is None else (color,):
                yield {card: length - wild, FERRY: wild} if wild else {card: length}
        if length <= self._ferries:
            yield {FERRY: length}

    def _affordable(self, hand: Counts) -> RouteSet:
        ferries = hand[-1]
        found = 0
        for by_number, number in zip(self._by_color, hand, strict=False):
            found |= by_number[number][ferries]
        return found

    def _affordable_with(self, color: Card) -> list[list[RouteSet]]:
        """By the number of cards of a color and then of ferries: the ways that these cards can pay."""
        table = [[0] * (self._ferries + 1) for _ in range(self._most + 1)]
        for number, (_, paid) in enumerate(self.ways):
            if paid.keys() <= {color, FERRY}:
                table[paid.get(color, 0)][paid.get(FERRY, 0)] |= 1 << number
        rows = [list(accumulate(row, or_)) for row in table]
        return list(accumulate(rows, lambda fewer, row: list(map(or_, fewer, row))))

    def _listed(self, ways: RouteSet) -> Payments:
        return tuple([self.ways[number].payment for number in members(ways)])
