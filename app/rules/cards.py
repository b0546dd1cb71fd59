"""Transport cards, and hands as counts (C3)."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NewType

Card = NewType("Card", str)
"""A color of the board, or `FERRY`."""

FERRY = Card("ferry")
"""The wild card (C3), which every board has."""

Counts = tuple[int, ...]
"""The number of cards of each kind, in the order of `Board.cards`, ferries last."""

Payment = Mapping[Card, int]
"""The cards given for a route: only the kinds given, each at least 1."""


def spread(cards: Sequence[Card], counts: Sequence[int]) -> list[Card]:
    """Single cards from counts, in the board's order. Shuffles start from this order."""
    single: list[Card] = []
    for index, number in enumerate(counts):
        if number:
            single += [cards[index]] * number
    return single


@lru_cache(maxsize=4096)
def named(cards: tuple[Card, ...], counts: Counts) -> Mapping[Card, int]:
    """Counts by kind, without zeros."""
    return {card: number for card, number in zip(cards, counts, strict=True) if number}
