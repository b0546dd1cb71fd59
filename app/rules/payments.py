"""What a hand can pay for (R1, R2).

One rule, `ferries_for`, says how many ferries may stand for cards of a color. Payments are counted by it, listed by
it, and a single one is tested by it.
"""

from functools import lru_cache

from .board import Board, Price
from .cards import FERRY, Card, Counts, Payment
from .routesets import RouteSet

Payments = tuple[Payment, ...]

Ways = tuple[tuple[int, RouteSet], ...]
"""Numbers of payments, each with the routes that can be paid in so many ways."""


@lru_cache(maxsize=4096)
def ferries_for(number: int, held: int, length: int, ferries: int) -> range:
    """How many ferries may be among `length` cards with at least one of a color, of which `number` are in hand.

    `held` are the ferries in hand, `ferries` the least that the route wants (R2).
    """
    return range(max(ferries, length - number), min(held, length - 1) + 1)


@lru_cache(maxsize=8192)
def affordable(board: Board, hand: Counts) -> Ways:
    """The routes of a board whose price this hand holds, by the number of payments for them. Ownership is not asked.

    Kept for the hands seen last, since most hands are asked about many times.
    """
    found: dict[int, RouteSet] = {}
    held, most = hand[-1], max(hand[:-1]) + hand[-1]
    for price, routes in board.routes_by_price.items():
        if price[0] <= most:
            number = _count(board, hand, held, price)
            found[number] = found.get(number, 0) | routes
    found.pop(0, None)
    return tuple(found.items())


def _count(board: Board, hand: Counts, held: int, price: Price) -> int:
    length, color, ferries = price
    if color is not None:
        return len(ferries_for(hand[board.card_index[color]], held, length, ferries)) + (held >= length)
    mixed = [len(ferries_for(number, held, length, ferries)) for number in hand[:-1] if number]
    return sum(mixed) + (held >= length)


@lru_cache(maxsize=8192)
def payments(board: Board, hand: Counts, price: Price) -> Payments:
    """Every set of cards from a hand that pays a price, fewest ferries first, then in the order of the colors."""
    length, color, ferries = price
    held = hand[-1]
    colors = board.colors if color is None else (color,)
    ways = [(card, ferries_for(hand[board.card_index[card]], held, length, ferries)) for card in colors]
    wilds = range(ferries, min(held, length - 1) + 1)
    mixed = [_payment(card, length - wild, wild) for wild in wilds for card, fitting in ways if wild in fitting]
    return (*mixed, _payment(FERRY, length, 0)) if held >= length else tuple(mixed)


def pays(board: Board, hand: Counts, price: Price, payment: Payment) -> bool:
    """Whether a payment is among the `payments` of a hand for a price."""
    length, color, ferries = price
    for card in payment:
        if card != FERRY:
            break
    else:
        return hand[-1] >= length and payment == _payment(FERRY, length, 0)
    if color not in (None, card) or card not in board.colors:
        return False
    fitting = ferries_for(hand[board.card_index[card]], hand[-1], length, ferries)
    wild = length - payment[card]
    return wild in fitting and payment == _payment(card, length - wild, wild)


@lru_cache(maxsize=4096)
def _payment(card: Card, number: int, wild: int) -> Payment:
    """One object for equal payments: they stand in thousands of lists."""
    return {card: number, FERRY: wild} if wild else {card: number}
