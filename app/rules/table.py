"""A mutable position, and how cards move on it.

`play` makes a `Table` of a `Game`, carries out the action, and freezes the next `Game`. A simulation stays on one table
from the deal to the end, by `play_on`.
"""

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any

from .actions import Seat
from .board import Route
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
from .game import MARKET_SIZE, Game, Holdings, Turns
from .network import GrowingNetwork, Network
from .shuffle import shuffled

FLUSH_AT = 3
"""This many ferries in the market flush it (D4)."""

FLUSH_LIMIT = 20
"""Maximum consecutive flushes (D4)."""

_filled = cache(MarketFilled)
_taken = cache(MarketCardTaken)
_drawn = cache(DeckCardDrawn)
_reshuffled = cache(DeckReshuffled)
"""Nearly every move makes some of these events. A board has few different ones, so they are cached for good."""


SAME = Game._fields[: Game._fields.index("hands")]
"""The fields that a table shares with a `Game`. From `hands` on it has lists instead, or a growing network."""

same_of: Callable[[object], tuple[Any, ...]] = attrgetter(*SAME)


class Table(Turns):
    """The fields of a `Game`, with lists where moves change things in place.

    The top of `deck` is its last card, where `pop` takes it. The network is copied when it first grows. Events are made
    only for `tell`, which is called with each.
    """

    __slots__ = (*Game._fields, "tell")

    def __init__(self, game: Game, tell: Callable[[Event], None] | None = None) -> None:
        (
            self.board,
            self.seed,
            self.version,
            self.phase,
            self.first_player,
            self.turn,
            self.reshuffles,
            self.ticket_deck,
            self.tokens,
            self.passes,
            self.last_turns,
            hands,
            holdings,
            deck,
            market,
            discard,
            network,
        ) = game
        self.hands = list(map(list, hands))
        self.holdings: list[Holdings] = list(holdings)
        self.deck = list(deck[::-1])
        self.market = list(market)
        self.discard = list(discard)
        self.network: Network | GrowingNetwork = network
        self.tell = tell

    def frozen(self) -> Game:
        listed = (
            tuple(map(tuple, self.hands)),
            tuple(self.holdings),
            tuple(self.deck[::-1]),
            tuple(self.market),
            tuple(self.discard),
            self.network.frozen(),
        )
        return Game._make(same_of(self) + listed)

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
        """Discard cards of a hand. Call `settle_discards` afterwards (D3, D5)."""
        index, hand, discard = self.board.card_index, self.hands[seat], self.discard
        for card, number in payment.items():
            at = index[card]
            hand[at] -= number
            discard[at] += number

    def settle_discards(self) -> None:
        """After discarding: make a deck of the discards if it is empty, and fill the market (D3, D5)."""
        if not self.deck:
            self._reshuffle()
            self.fill_market()
        elif self.market.count(FERRY) >= FLUSH_AT:
            self._flush()

    def fill_market(self) -> None:
        """Fill the empty places as far as the deck goes, then flush as D4 says."""
        for slot, card in enumerate(self.market):
            if card is None:
                self._lay(slot)
        if self.market.count(FERRY) >= FLUSH_AT:
            self._flush()

    def _lay(self, slot: int) -> None:
        """Fill a place of the market from the deck, or leave it empty without a deck (D1, D5)."""
        if not self.deck:
            self.market[slot] = None
            return
        self.market[slot] = card = self.deck.pop()
        if self.tell:
            self.tell(_filled(slot, card))
        if not self.deck:
            self._reshuffle()

    def _reshuffle(self) -> None:
        """Make the discards the deck (D3), shuffled by the stream `reshuffle N`, N from 1."""
        cards = spread(self.board.cards, self.discard)
        if not cards:
            return
        self.reshuffles += 1
        self.discard[:] = [0] * len(self.discard)
        if self.tell:
            self.tell(_reshuffled(len(cards)))
        self.deck += reversed(shuffled(cards, self.seed, f"reshuffle {self.reshuffles}"))

    def _flush(self) -> None:
        """Discard the market and lay it out again for as long as D4 requires."""
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
"""What `legal` works on."""
