"""What a seat remembers: the cards that others took openly and have not spent since."""

from collections.abc import Iterable

from app.rules import Board, Card, Event
from app.rules.events import MarketCardTaken, RouteClaimed

Known = tuple[tuple[int, ...], ...]
"""For each seat how many of each of `Board.cards` it holds at least. Empty where nothing is remembered."""


def known_cards(board: Board, seats: int, events: Iterable[Event]) -> Known:
    """What all may know of the hands by events that all have seen. The first may be missing: it is then less."""
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
