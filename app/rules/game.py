"""The whole truth of a game at one moment."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from .actions import Seat
from .board import Board, TicketId
from .cards import Card, Counts
from .network import Network
from .tokens import Tokens

MARKET_SIZE = 5
"""Face-up cards (S3)."""

LAST_TURNS_AT = 2
"""A player who ends a turn with so few cars brings the last turns (F1)."""

SEATS = range(2, 5)
"""How many may play (S1)."""

LAST_SEAT = SEATS[-1] - 1
"""Seats are numbered from 0."""

AFTER = {seats: tuple(Seat((seat + 1) % seats) for seat in range(seats)) for seats in SEATS}
"""For each number of seats, the next in the order of play (S1) after each."""

Market = tuple[Card | None, ...]


class Phase(StrEnum):
    """The question the game asks, and of whom."""

    FIRST_TICKETS = "first_tickets"
    TOKENS = "tokens"
    TURN = "turn"
    SECOND_CARD = "second_card"
    KEEP_TICKETS = "keep_tickets"
    OVER = "over"


FIRST_TICKETS, TOKENS, TURN, SECOND_CARD, KEEP_TICKETS, OVER = Phase
"""The phases by themselves: finding one in its enumeration takes longer than what most moves do with it."""


class Holdings(NamedTuple):
    """The tickets of a seat. Its cards are in `Game.hands`, its tokens in `Game.tokens`, its routes in the network.

    `offer` are tickets drawn and not yet chosen from. `returned` are first tickets given back that wait for the
    last player's choice (S4).
    """

    tickets: tuple[TicketId, ...] = ()
    offer: tuple[TicketId, ...] = ()
    returned: tuple[TicketId, ...] = ()


class Turns:
    """Who is to act in a `Game` or on a `Table`."""

    __slots__ = ()

    phase: Phase
    first_player: Seat
    turn: Seat
    holdings: Sequence[Holdings]

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.holdings)

    @property
    def order(self) -> tuple[Seat, ...]:
        """The seats in the order of play, from the first player (S1)."""
        return order_of_play(self.first_player, self.seats)

    def waits_for(self, seat: Seat) -> bool:
        """Whether it is this seat's time to act."""
        if self.phase is FIRST_TICKETS:
            return 0 <= seat < self.seats and bool(self.holdings[seat].offer)
        return seat == self.turn and self.phase is not OVER

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats the game waits for, in the order of play: several only in the first choice of tickets."""
        if self.phase is FIRST_TICKETS:
            return tuple([seat for seat in self.order if self.holdings[seat].offer])
        return () if self.phase is OVER else (self.turn,)


class Fields(NamedTuple):
    """The fields of a position. A `Table` has the same, and lists in place of what is listed last here.

    `version` is the number of moves played. `turn` is the seat to act, except in the simultaneous first choice of
    tickets. `passes` counts the turns passed in a row (T2); `last_turns` is how many turns are left, None before (F1).
    `deck` and `ticket_deck` have their top first. `hands` and `discard` are counts, since the order of their cards
    means nothing.
    """

    board: Board
    seed: bytes
    version: int
    phase: Phase
    first_player: Seat
    turn: Seat
    reshuffles: int
    ticket_deck: tuple[TicketId, ...]
    tokens: Tokens
    passes: int
    last_turns: int | None
    hands: tuple[Counts, ...]
    holdings: tuple[Holdings, ...]
    deck: tuple[Card, ...]
    market: Market
    discard: Counts
    network: Network


class Game(Fields, Turns):  # type: ignore[misc] # its fields can't be set, those of `Turns` can
    """A position, which can't be changed: `play` makes the next one."""

    __slots__ = ()

    def __copy__(self) -> "Game":
        return self


@cache
def order_of_play(first: Seat, seats: int) -> tuple[Seat, ...]:
    """The seats from the first player on (S1)."""
    return tuple(Seat((first + step) % seats) for step in range(seats))


def counted(board: Board, cards: Iterable[Card]) -> Counts:
    """Single cards as counts in the board's order."""
    counts = [0] * len(board.cards)
    for card in cards:
        counts[board.card_index[card]] += 1
    return tuple(counts)
