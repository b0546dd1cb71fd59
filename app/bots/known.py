"""What a seat remembers: cards that others took from the market and have not spent since."""

from collections.abc import Iterable

from app.rules import Board, Card, Event
from app.rules.events import MarketCardTaken, RouteClaimed

Known = tuple[tuple[int, ...], ...]
"""For each seat, at least how many of each of `Board.cards` it holds. Empty if nothing is remembered."""


def known_cards(board: Board, seats: int, events: Iterable[Event]) -> Known:
    """What everybody may know of the hands from public events. If the first ones are missing, it is less."""
    hands = [dict.fromkeys(board.cards, 0) for _ in range(seats)]
    for event in events:
        if isinstance(event, MarketCardTaken):
            hands[event.seat][event.card] += 1
        elif isinstance(event, RouteClaimed):
            _spend(hands[event.seat], event.payment.items())
    return tuple(tuple(hand.values()) for hand in hands)


def _spend(hand: dict[Card, int], payment: Iterable[tuple[Card, int]]) -> None:
    for card, number in payment:
        hand[card] = max(0, hand[card] - number)
