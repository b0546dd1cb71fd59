"""Transport cards: what a card is, and hands as counts (C3)."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NewType

Card = NewType("Card", str)
"""A color of the board, or `FERRY`."""

FERRY = Card("ferry")
"""The wild card (C3). Every board has it; a board's colors are its own."""

Counts = tuple[int, ...]
"""Cards as a number for each of `Board.cards`, ferries last."""

Payment = Mapping[Card, int]
"""The cards given for a route: only the kinds given, each at least 1."""


def spread(cards: Sequence[Card], counts: Sequence[int]) -> list[Card]:
    """Counted cards as single ones, in the board's order: where a shuffle starts from."""
    single: list[Card] = []
    for index, number in enumerate(counts):
        if number:
            single += [cards[index]] * number
    return single


@lru_cache(maxsize=4096)
def named(cards: tuple[Card, ...], counts: Counts) -> Mapping[Card, int]:
    """Counted cards by name, without the kinds of which there is none."""
    return {card: number for card, number in zip(cards, counts, strict=True) if number}
