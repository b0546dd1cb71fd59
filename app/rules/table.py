"""The mutable core under the frozen face: a game laid out to be moved on, with what its pieces do by themselves.

`play` lays a `Game` on a `Table`, carries the action out, and takes the next `Game` from it. A simulation keeps to one
table from the deal to the end: `play_on`.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from .actions import Seat
from .board import Board, Route, TicketId
from .cards import FERRY, Card, Payment, spread
from .events import (
    DeckCardDrawn,
    DeckReshuffled,
    Event,
    FlushStopped,
    MarketCardTaken,
    MarketFilled,
    MarketFlushed,
)
from .game import MARKET_SIZE, Game, Holdings, Phase, Turns
from .network import GrowingNetwork, Network
from .shuffle import shuffled
from .tokens import Tokens

FLUSH_AT = 3
"""So many ferries in the market flush it (D4)."""

FLUSH_LIMIT = 20
"""So many flushes in a row are made at most (D4)."""

_filled = cache(MarketFilled)
_taken = cache(MarketCardTaken)
_drawn = cache(DeckCardDrawn)
_reshuffled = cache(DeckReshuffled)
"""The events of nearly every move. A board has few different ones: they are kept for good."""


class _Draft(Turns):
    """A `Game` to be. It has the same place in memory, and so becomes one in a single step.

    Setting the fields of what is frozen, one by one, takes longer than most moves.
    """

    __slots__ = Game.__slots__


class Table(Turns):
    """A position to be moved on: the fields of a `Game`, with lists for what changes in place.

    The top of `deck` is its last card, as it is taken away from there. The network is laid out when it first grows.
    `tell`, which is no part of the position, is told of all that happens; without it no events are made.
    """

    __slots__ = (*Game.__slots__, "tell")

    board: Board
    seed: bytes
    version: int
    phase: Phase
    first_player: Seat
    turn: Seat
    hands: list[list[int]]
    holdings: list[Holdings]
    deck: list[Card]
    market: list[Card | None]
    discard: list[int]
    reshuffles: int
    ticket_deck: tuple[TicketId, ...]
    tokens: Tokens
    network: Network | GrowingNetwork
    passes: int
    last_turns: int | None
    tell: Callable[[Event], None] | None

    def __init__(self, game: Game, tell: Callable[[Event], None] | None = None) -> None:
        self.board = game.board
        self.seed = game.seed
        self.version = game.version
        self.phase = game.phase
        self.first_player = game.first_player
        self.turn = game.turn
        self.hands = list(map(list, game.hands))
        self.holdings = list(game.holdings)
        self.deck = list(game.deck[::-1])
        self.market = list(game.market)
        self.discard = list(game.discard)
        self.reshuffles = game.reshuffles
        self.ticket_deck = game.ticket_deck
        self.tokens = game.tokens
        self.network = game.network
        self.passes = game.passes
        self.last_turns = game.last_turns
        self.tell = tell

    def frozen(self) -> Game:
        """The position as it lies on the table now."""
        draft: Any = _Draft()
        draft.board = self.board
        draft.seed = self.seed
        draft.version = self.version
        draft.phase = self.phase
        draft.first_player = self.first_player
        draft.turn = self.turn
        draft.hands = tuple(map(tuple, self.hands))
        draft.holdings = tuple(self.holdings)
        draft.deck = tuple(self.deck[::-1])
        draft.market = tuple(self.market)
        draft.discard = tuple(self.discard)
        draft.reshuffles = self.reshuffles
        draft.ticket_deck = self.ticket_deck
        draft.tokens = self.tokens
        draft.network = self.network.frozen()
        draft.passes = self.passes
        draft.last_turns = self.last_turns
        draft.__class__ = Game
        game: Game = draft
        return game

    def claim(self, route: Route, seat: Seat) -> None:
        """Make a seat the owner of a route (R3 to R6)."""
        self.network = self.network.growing()
        self.network.claim(route, seat)

    def draw_from_deck(self, seat: Seat) -> Card:
        """Put the top card of the deck into a hand (D1)."""
        card = self.deck.pop()
        if self.tell:
            self.tell(_drawn(seat, card))
        self.hands[seat][self.board.card_index[card]] += 1
        if not self.deck:
            self._reshuffle()
        return card

    def draw_from_market(self, seat: Seat, slot: int) -> Card:
        """Put a card of the market into a hand, and the top of the deck in its place (D1)."""
        card = self.market[slot]
        if card is None:
            raise LookupError(f"no card lies in place {slot} of the market")
        if self.tell:
            self.tell(_taken(seat, slot, card))
        self.hands[seat][self.board.card_index[card]] += 1
        self._lay(slot)
        if self.market.count(FERRY) >= FLUSH_AT:
            self._flush()
        return card

    def spend(self, seat: Seat, payment: Payment) -> None:
        """Put cards of a hand on the discards. What follows from it (D3, D5) is `settle_discards`."""
        index, hand, discard = self.board.card_index, self.hands[seat], self.discard
        for card, number in payment.items():
            at = index[card]
            hand[at] -= number
            discard[at] += number

    def settle_discards(self) -> None:
        """After cards were discarded: an empty deck takes them, and a short market is filled (D3, D5)."""
        if not self.deck:
            self._reshuffle()
            self.fill_market()
        elif self.market.count(FERRY) >= FLUSH_AT:
            self._flush()

    def fill_market(self) -> None:
        """Lay cards on the empty places while there are any, then flush as D4 says."""
        for slot, card in enumerate(self.market):
            if card is None:
                self._lay(slot)
        if self.market.count(FERRY) >= FLUSH_AT:
            self._flush()

    def _lay(self, slot: int) -> None:
        """Fill a place of the market from the deck, if that has a card; what lay there is gone already (D1, D5)."""
        if not self.deck:
            self.market[slot] = None
            return
        self.market[slot] = card = self.deck.pop()
        if self.tell:
            self.tell(_filled(slot, card))
        if not self.deck:
            self._reshuffle()

    def _reshuffle(self) -> None:
        """The discards become the deck, when there is none any more (D3), by the stream `reshuffle N`, N from 1."""
        cards = spread(self.board.cards, self.discard)
        if not cards:
            return
        self.reshuffles += 1
        self.discard[:] = [0] * len(self.discard)
        if self.tell:
            self.tell(_reshuffled(len(cards)))
        self.deck += reversed(shuffled(cards, self.seed, f"reshuffle {self.reshuffles}"))

    def _flush(self) -> None:
        """Discard and lay out the market for as long as D4 wants it."""
        flushes = 0
        while self.market.count(FERRY) >= FLUSH_AT and None not in self.market:
            if flushes == FLUSH_LIMIT or self._others_left() < FLUSH_AT:
                if self.tell:
                    self.tell(FlushStopped("limit" if flushes == FLUSH_LIMIT else "few_cards"))
                return
            self._lay_anew()
            flushes += 1

    def _others_left(self) -> int:
        """Cards that are not ferries in market, deck and discards together (D4)."""
        return MARKET_SIZE + len(self.deck) + sum(self.discard[:-1]) - self.market.count(FERRY) - self.deck.count(FERRY)

    def _lay_anew(self) -> None:
        cards = list(filter(None, self.market))
        if self.tell:
            self.tell(MarketFlushed(tuple(cards)))
        index, discard = self.board.card_index, self.discard
        for card in cards:
            discard[index[card]] += 1
        if not self.deck:
            self._reshuffle()
        for slot in range(MARKET_SIZE):
            self._lay(slot)


Position = Game | Table
"""What is legal is asked in the same way of both."""
