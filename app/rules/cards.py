"""Transport cards: what a card is, hands as counts, and the payments a hand allows (C3, R1, R2)."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import repeat
from typing import NewType

Card = NewType("Card", str)
"""A color of the board, or `FERRY`."""

FERRY = Card("ferry")
"""The wild card (C3). Every board has it; a board's colors are its own."""

Counts = tuple[int, ...]
"""Cards as a number for each of `Board.cards`, ferries last."""

Payment = Mapping[Card, int]
"""The cards given for a route: only the kinds given, each at least 1."""


def add(counts: Counts, index: int, number: int = 1) -> Counts:
    """The counts with `number` more (or fewer) of the card at `index`."""
    return (*counts[:index], counts[index] + number, *counts[index + 1 :])


def spread(cards: Sequence[Card], counts: Counts) -> list[Card]:
    """Counted cards as single ones, in the board's order: where a shuffle starts from."""
    return [card for card, number in zip(cards, counts, strict=True) for card in repeat(card, number)]


def named(cards: Sequence[Card], counts: Counts) -> dict[Card, int]:
    """Counted cards by name, without the kinds of which there is none."""
    return {card: number for card, number in zip(cards, counts, strict=True) if number}


@lru_cache(maxsize=1 << 16)
def payments(
    cards: tuple[Card, ...], hand: Counts, length: int, color: Card | None, ferries: int
) -> tuple[Payment, ...]:
    """Every set of `length` cards from `hand` that pays for a route (R1, R2), fewest ferries first.

    `color` None is a gray route; `ferries` is the number of ferry symbols. Sets of equally many ferries stand
    in the order of the board's colors.
    """
    held = hand[-1]
    most = min(held, length - 1)
    fitting = [
        (card, number)
        for card, number in zip(cards[:-1], hand, strict=False)
        if number and (color is None or card == color)
    ]
    mixed = [
        _payment(card, length - wild, wild)
        for wild in range(ferries, most + 1)
        for card, number in fitting
        if number >= length - wild
    ]
    return (*mixed, {FERRY: length}) if held >= length else tuple(mixed)


def _payment(card: Card, number: int, wild: int) -> Payment:
    return {card: number, FERRY: wild} if wild else {card: number}
