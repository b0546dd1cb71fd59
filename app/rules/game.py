"""A position of a game, with everything that players can't see."""

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
"""When a player ends a turn with this many cars or fewer, the last turns begin (F1)."""

SEATS = range(2, 5)
"""The possible numbers of players (S1)."""

LAST_SEAT = SEATS[-1] - 1
"""Seats are numbered from 0."""

AFTER = {seats: tuple(Seat((seat + 1) % seats) for seat in range(seats)) for seats in SEATS}
"""For each number of players, the seat that plays after each seat (S1)."""

Market = tuple[Card | None, ...]


class Phase(StrEnum):
    """What the game waits for."""

    FIRST_TICKETS = "first_tickets"
    TOKENS = "tokens"
    TURN = "turn"
    SECOND_CARD = "second_card"
    KEEP_TICKETS = "keep_tickets"
    OVER = "over"


FIRST_TICKETS, TOKENS, TURN, SECOND_CARD, KEEP_TICKETS, OVER = Phase
"""As names of the module, because `Phase.TURN` takes longer to look up than most moves take to use it."""


class Holdings(NamedTuple):
    """The tickets of a seat. Its cards are in `Game.hands`, its tokens in `Game.tokens`, its routes in the network.

    `offer` are the drawn tickets that the player still has to choose from. `returned` are the first tickets that the
    player gave back; they go under the deck when all have chosen (S4).
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
        return len(self.holdings)

    @property
    def order(self) -> tuple[Seat, ...]:
        """The seats in the order of play, from the first player (S1)."""
        return order_of_play(self.first_player, self.seats)

    def waits_for(self, seat: Seat) -> bool:
        """Whether this seat is to act."""
        if self.phase is FIRST_TICKETS:
            return 0 <= seat < self.seats and bool(self.holdings[seat].offer)
        return seat == self.turn and self.phase is not OVER

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that are to act, in the order of play: several only while first tickets are chosen."""
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
    """Counts of single cards."""
    counts = [0] * len(board.cards)
    for card in cards:
        counts[board.card_index[card]] += 1
    return tuple(counts)
