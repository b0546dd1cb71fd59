"""What a hand can pay for (R1, R2).

One rule, `ferries_for`, says how many ferries may stand for cards of a color: payments are listed by it, and counted.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from .cards import FERRY, Card, Counts, Payment
from .routesets import RouteSet

Price = tuple[int, Card | None, int]
"""What a route costs: length, color (None: gray), ferry symbols."""

Payments = tuple[Payment, ...]

Ways = tuple[tuple[int, RouteSet], ...]
"""Numbers of payments, each with the routes that can be paid in so many ways."""

HANDS_KEPT = 4096
"""Most hands are asked about many times: what they can pay is kept for those seen last."""


class Tariff:
    """The prices of a board and the routes that have them. Ownership is not asked here."""

    def __init__(self, colors: Sequence[Card], routes: Mapping[Price, RouteSet]) -> None:
        self._colors = {color: index for index, color in enumerate(colors)}
        self._colored = {color: [(price, routes[price]) for price in routes if price[1] == color] for color in colors}
        self._gray = [(price, routes[price]) for price in routes if price[1] is None]
        self.affordable = lru_cache(HANDS_KEPT)(self._affordable)
        self._mixed = lru_cache(HANDS_KEPT)(self._in_any_color)
        self._colored_ways = lru_cache(HANDS_KEPT)(self._count_colored)
        self._gray_ways = lru_cache(HANDS_KEPT)(self._count_gray)

    def payments(self, hand: Counts, price: Price) -> Payments:
        """Every set of cards from a hand that pays a price, fewest ferries first, then in the order of the colors."""
        length, color, ferries = price
        if color is None:
            return self._mixed(hand, length, ferries)
        return _in_color(color, hand[self._colors[color]], hand[-1], length, ferries)

    def pays(self, hand: Counts, price: Price, payment: Payment) -> bool:
        """Whether a payment is among the `payments` of a hand for a price."""
        length, color, ferries = price
        card = next((card for card in payment if card != FERRY), color or next(iter(self._colors)))
        if color not in (None, card) or card not in self._colors:
            return False
        return payment in _in_color(card, hand[self._colors[card]], hand[-1], length, ferries)

    def _affordable(self, hand: Counts) -> Ways:
        """The routes whose price a hand holds, by the number of payments for them."""
        held = hand[-1]
        found: dict[int, RouteSet] = {}
        for color, number in zip(self._colors, hand, strict=False):
            for ways, routes in self._colored_ways(color, number, held):
                found[ways] = found.get(ways, 0) | routes
        mixed = map(sum, zip(*[self._gray_ways(number, held) for number in hand[:-1]], strict=True))
        for ways, (price, routes) in zip(mixed, self._gray, strict=True):
            number = ways + (held >= price[0])
            found[number] = found.get(number, 0) | routes
        found.pop(0, None)
        return tuple(found.items())

    def _count_colored(self, color: Card, number: int, held: int) -> Ways:
        """The routes of a color by the number of payments with `number` cards of it and `held` ferries in hand."""
        found: dict[int, RouteSet] = {}
        for (length, _, ferries), routes in self._colored[color]:
            ways = len(_in_color(color, number, held, length, ferries))
            found[ways] = found.get(ways, 0) | routes
        found.pop(0, None)
        return tuple(found.items())

    def _count_gray(self, number: int, held: int) -> tuple[int, ...]:
        """For each price of gray routes the payments with at least one of the `number` cards of a color."""
        return tuple([len(ferries_for(number, held, length, ferries)) for (length, _, ferries), _ in self._gray])

    def _in_any_color(self, hand: Counts, length: int, ferries: int) -> Payments:
        held = hand[-1]
        ways = [
            (card, ferries_for(number, held, length, ferries))
            for card, number in zip(self._colors, hand, strict=False)
            if number
        ]
        wilds = range(ferries, min(held, length - 1) + 1)
        mixed = [_payment(card, length - wild, wild) for wild in wilds for card, fitting in ways if wild in fitting]
        return (*mixed, _payment(FERRY, length, 0)) if held >= length else tuple(mixed)


def ferries_for(number: int, held: int, length: int, ferries: int) -> range:
    """How many ferries may be among `length` cards with at least one of a color, of which `number` are in hand.

    `held` are the ferries in hand, `ferries` the least that the route wants (R2).
    """
    return range(max(ferries, length - number), min(held, length - 1) + 1)


@lru_cache(maxsize=4096)
def _in_color(card: Card, number: int, held: int, length: int, ferries: int) -> Payments:
    """The payments with `number` cards of a color and `held` ferries in hand."""
    mixed = [_payment(card, length - wild, wild) for wild in ferries_for(number, held, length, ferries)]
    return (*mixed, _payment(FERRY, length, 0)) if held >= length else tuple(mixed)


@lru_cache(maxsize=1024)
def _payment(card: Card, number: int, wild: int) -> Payment:
    """One object for equal payments: they stand in thousands of lists."""
    return {card: number, FERRY: wild} if wild else {card: number}
