"""The mutable core under the frozen face: a game laid out to be moved on, with what its pieces do by themselves.

`play` lays a `Game` on a `Table`, carries the action out, and takes the next `Game` from it. A simulation keeps to one
table from the deal to the end: `play_on`.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

from .actions import Seat
from .board import Board, LocationId, Route, Symbol, TicketId
from .cards import FERRY, Card, Payment, spread
from .events import (
    DeckCardDrawn,
    DeckReshuffled,
    Event,
    FlushStopped,
    MarketCardTaken,
    MarketFilled,
    MarketFlushed,
    TokenTaken,
)
from .game import MARKET_SIZE, Game, Holdings, Phase, Tray, Turns
from .network import GrowingNetwork, Network
from .shuffle import shuffled
from .tokens import Stack, Takeable, takeable

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
    """A `Game` to be. It has the same place in memory, and so becomes one in a single step, however many fields."""

    __slots__ = Game.__slots__


class Table(Turns):
    """A position to be moved on, with lists for what changes in place.

    The top of `deck` is its last card, as it is taken away from there. What a seat holds, and the network, are laid out
    when they are changed first. `events`, which is no part of the position, is what happened in the last move.
    """

    __slots__ = (*Game.__slots__, "events")

    board: Board
    seed: bytes
    version: int
    phase: Phase
    first_player: Seat
    turn: Seat
    holdings: list[Holdings | Tray]
    deck: list[Card]
    market: list[Card | None]
    discard: list[int]
    reshuffles: int
    ticket_deck: tuple[TicketId, ...]
    stacks: list[Stack]
    network: Network | GrowingNetwork
    passes: int
    last_turns: int | None
    takeable: list[Takeable]
    events: list[Event]

    def __init__(self, game: Game) -> None:
        self.board = game.board
        self.seed = game.seed
        self.version = game.version
        self.phase = game.phase
        self.first_player = game.first_player
        self.turn = game.turn
        self.holdings = list(game.holdings)
        self.deck = list(game.deck[::-1])
        self.market = list(game.market)
        self.discard = list(game.discard)
        self.reshuffles = game.reshuffles
        self.ticket_deck = game.ticket_deck
        self.stacks = list(game.stacks)
        self.network = game.network
        self.passes = game.passes
        self.last_turns = game.last_turns
        self.takeable = list(game.takeable)
        self.events = []

    def frozen(self) -> Game:
        """The position as it lies on the table now."""
        draft: Any = _Draft()
        draft.board = self.board
        draft.seed = self.seed
        draft.version = self.version
        draft.phase = self.phase
        draft.first_player = self.first_player
        draft.turn = self.turn
        draft.holdings = tuple([held.frozen() for held in self.holdings])
        draft.deck = tuple(self.deck[::-1])
        draft.market = tuple(self.market)
        draft.discard = tuple(self.discard)
        draft.reshuffles = self.reshuffles
        draft.ticket_deck = self.ticket_deck
        draft.stacks = tuple(self.stacks)
        draft.network = self.network.frozen()
        draft.passes = self.passes
        draft.last_turns = self.last_turns
        draft.takeable = tuple(self.takeable)
        draft.__class__ = Game
        game: Game = draft
        return game

    def tray(self, seat: Seat) -> Tray:
        """What a seat holds, to be changed."""
        tray = self.holdings[seat] = self.holdings[seat].tray()
        return tray

    def claim(self, route: Route, seat: Seat) -> None:
        """Make a seat the owner of a route (R3 to R6)."""
        self.network = self.network.growing()
        self.network.claim(route, seat)

    def draw_from_deck(self, seat: Seat) -> Card:
        """Put the top card of the deck into a hand (D1)."""
        card = self.deck.pop()
        self.events.append(_drawn(seat, card))
        self.tray(seat).cards[self.board.card_index[card]] += 1
        if not self.deck:
            self._reshuffle()
        return card

    def draw_from_market(self, seat: Seat, slot: int) -> Card:
        """Put a card of the market into a hand, and the top of the deck in its place (D1)."""
        card = self.market[slot]
        if card is None:
            raise LookupError(f"no card lies in place {slot} of the market")
        self.events.append(_taken(seat, slot, card))
        self.tray(seat).cards[self.board.card_index[card]] += 1
        self._lay((slot,))
        self._flush_if_due()
        return card

    def spend(self, seat: Seat, payment: Payment) -> None:
        """Put cards of a hand on the discards. What follows from it (D3, D5) is `settle_discards`."""
        index, hand, discard = self.board.card_index, self.tray(seat).cards, self.discard
        for card, number in payment.items():
            at = index[card]
            hand[at] -= number
            discard[at] += number

    def settle_discards(self) -> None:
        """After cards were discarded: an empty deck takes them, and a short market is filled (D3, D5)."""
        if self.deck:
            self._flush_if_due()
            return
        self._reshuffle()
        self.fill_market()

    def fill_market(self) -> None:
        """Lay cards on the empty places while there are any, then flush as D4 says."""
        if None in self.market:
            self._lay([slot for slot, card in enumerate(self.market) if card is None])
        self._flush_if_due()

    def take_token(self, symbol: Symbol, seat: Seat) -> None:
        """Move a token from its stack to a player (R7)."""
        place = self.board.stack_index[symbol]
        _, location, left = self.stacks[place]
        self.events.append(TokenTaken(seat, symbol, location))
        self.tray(seat).tokens += (symbol,)
        self.stacks[place] = Stack(symbol, location, left - 1)
        for other in range(len(self.holdings)) if left == 1 else (seat,):
            self.takeable[other] = self.takeable[other].without(self.board, location)

    def place(self, symbol: Symbol, location: LocationId) -> None:
        """Put a stack on a location (S5)."""
        place = self.board.stack_index[symbol]
        self.stacks[place] = Stack(symbol, location, self.stacks[place].left)
        self.takeable[:] = [takeable(self.board, self.stacks, held.tokens) for held in self.holdings]

    def _lay(self, slots: Iterable[int]) -> None:
        """Fill places of the market from the deck as far as it goes; what lay there is gone already (D1, D5)."""
        deck, market, events = self.deck, self.market, self.events
        for slot in slots:
            if deck:
                market[slot] = card = deck.pop()
                events.append(_filled(slot, card))
                if not deck:
                    self._reshuffle()
            else:
                market[slot] = None

    def _reshuffle(self) -> None:
        """The discards become the deck, when there is none any more (D3), by the stream `reshuffle N`, N from 1."""
        cards = spread(self.board.cards, self.discard)
        if not cards:
            return
        self.reshuffles += 1
        self.discard[:] = [0] * len(self.discard)
        self.events.append(_reshuffled(len(cards)))
        self.deck += reversed(shuffled(cards, self.seed, f"reshuffle {self.reshuffles}"))

    def _flush_if_due(self) -> None:
        """Discard and lay out the market for as long as D4 wants it."""
        flushes = 0
        while self.market.count(FERRY) >= FLUSH_AT and None not in self.market:
            if flushes == FLUSH_LIMIT or self._others_left() < FLUSH_AT:
                self.events.append(FlushStopped("limit" if flushes == FLUSH_LIMIT else "few_cards"))
                return
            self._flush()
            flushes += 1

    def _others_left(self) -> int:
        """Cards that are not ferries in market, deck and discards together (D4)."""
        return MARKET_SIZE + len(self.deck) + sum(self.discard[:-1]) - self.market.count(FERRY) - self.deck.count(FERRY)

    def _flush(self) -> None:
        cards = tuple(filter(None, self.market))
        self.events.append(MarketFlushed(cards))
        index, discard = self.board.card_index, self.discard
        for card in cards:
            discard[index[card]] += 1
        if not self.deck:
            self._reshuffle()
        self._lay(range(MARKET_SIZE))


Position = Game | Table
"""What is legal is asked in the same way of both."""
