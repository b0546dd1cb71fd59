"""What a hand can pay for (R1, R2)."""

from collections.abc import Mapping
from functools import lru_cache

from .board import Board, RouteId
from .cards import FERRY, Card, Counts, Payment

Payments = tuple[Payment, ...]


@lru_cache(maxsize=1 << 13)
def affordable(board: Board, hand: Counts) -> Mapping[RouteId, Payments]:
    """The routes of a board whose price this hand holds, each with every payment for it.

    Ownership is not asked. Kept for the hands seen last, since most hands are asked about many times.
    """
    found: dict[RouteId, Payments] = {}
    for price, routes in board.routes_by_price.items():
        ways = payments(board.cards, hand, *price)
        if ways:
            found.update(dict.fromkeys(routes, ways))
    return found


def payments(cards: tuple[Card, ...], hand: Counts, length: int, color: Card | None, ferries: int) -> Payments:
    """Every set of `length` cards from `hand` that pays for a route (R1, R2), fewest ferries first.

    `color` None is a gray route; `ferries` is the number of ferry symbols. Sets of equally many ferries stand
    in the order of the board's colors.
    """
    if color is not None:
        return _in_color(color, hand[cards.index(color)], hand[-1], length, ferries)
    held = hand[-1]
    least = length - held
    fitting = [(card, number) for card, number in zip(cards, hand[:-1], strict=False) if number and number >= least]
    mixed = [
        _payment(card, length - wild, wild)
        for wild in range(ferries, min(held, length - 1) + 1)
        for card, number in fitting
        if number >= length - wild
    ]
    if held >= length:
        mixed.append(_payment(FERRY, length, 0))
    return tuple(mixed)


@lru_cache(maxsize=1 << 12)
def _in_color(card: Card, number: int, held: int, length: int, ferries: int) -> Payments:
    """The payments in one color from `number` cards of it and `held` ferries."""
    wilds = range(max(ferries, length - number), min(held, length - 1) + 1)
    mixed = tuple(_payment(card, length - wild, wild) for wild in wilds)
    return (*mixed, _payment(FERRY, length, 0)) if held >= length else mixed


@lru_cache(maxsize=1 << 12)
def _payment(card: Card, number: int, wild: int) -> Payment:
    """One object for equal payments: they stand in thousands of lists."""
    return {card: number, FERRY: wild} if wild else {card: number}
