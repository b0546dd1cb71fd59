"""The mutable core under the frozen face: a game laid out to be moved on, with what its pieces do by themselves.

`play` takes a `Game`, lays it on a `Table`, carries the action out, and takes the next `Game` from it.
"""

from collections.abc import Iterable
from dataclasses import fields
from functools import lru_cache, partial

from .actions import Seat
from .board import Board, Route, Symbol, TicketId
from .cards import FERRY, Card, Counts, Payment, spread
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
from .game import MARKET_SIZE, Game, Holdings, Market, Phase, order_of_play
from .network import Network
from .shuffle import shuffled
from .tokens import Stack, Takeable, takeable

FLUSH_AT = 3
"""So many ferries in the market flush it (D4)."""

FLUSH_LIMIT = 20
"""So many flushes in a row are made at most (D4)."""

_holdings = partial(tuple.__new__, Holdings)
"""`Holdings` from its fields, as `_make` does it, which takes three times as long."""

_filled = lru_cache(maxsize=1024)(MarketFilled)
_taken = lru_cache(maxsize=1024)(MarketCardTaken)
_drawn = lru_cache(maxsize=1024)(DeckCardDrawn)
"""The events of nearly every move: there are few different ones."""


class Table:
    """A game while a move is made on it: the fields of `Game`, to be changed. `events` has what happens in the move.

    It is laid out in memory as a `Game` is, so that it becomes one in a single step.
    """

    __slots__ = tuple(field.name for field in fields(Game))

    board: Board
    seed: bytes
    version: int
    phase: Phase
    first_player: Seat
    turn: Seat
    holdings: tuple[Holdings, ...]
    deck: tuple[Card, ...]
    market: Market
    discard: Counts
    reshuffles: int
    ticket_deck: tuple[TicketId, ...]
    stacks: tuple[Stack, ...]
    network: Network
    passes: int
    last_turns: int | None
    takeable: tuple[Takeable, ...]
    events: list[Event]

    def __init__(self, game: Game) -> None:
        self.board = game.board
        self.seed = game.seed
        self.version = game.version
        self.phase = game.phase
        self.first_player = game.first_player
        self.turn = game.turn
        self.holdings = game.holdings
        self.deck = game.deck
        self.market = game.market
        self.discard = game.discard
        self.reshuffles = game.reshuffles
        self.ticket_deck = game.ticket_deck
        self.stacks = game.stacks
        self.network = game.network
        self.passes = game.passes
        self.last_turns = game.last_turns
        self.takeable = game.takeable
        self.events = []

    @property
    def order(self) -> tuple[Seat, ...]:
        """The seats in the order of play (S1)."""
        return order_of_play(self.first_player, len(self.holdings))

    def frozen(self) -> Game:
        """This very table as the position that was made on it. It can't be changed any more."""
        self.events = tuple(self.events)  # type: ignore[assignment]
        self.__class__ = Game  # type: ignore[assignment]
        return self  # type: ignore[return-value]

    def change(self, seat: Seat, held: Holdings) -> None:
        """Replace what a seat holds."""
        holdings = list(self.holdings)
        holdings[seat] = held
        self.holdings = tuple(holdings)

    def draw_from_deck(self, seat: Seat) -> Card:
        """Put the top card of the deck into a hand (D1)."""
        card = self.deck[0]
        self.events.append(_drawn(seat, card))
        self._give(seat, card)
        self.deck = self.deck[1:] or self._reshuffled()
        return card

    def draw_from_market(self, seat: Seat, slot: int) -> Card:
        """Put a card of the market into a hand, and the top of the deck in its place (D1)."""
        card = self.market[slot]
        if card is None:
            raise LookupError(f"no card lies in place {slot} of the market")
        self.events.append(_taken(seat, slot, card))
        self._give(seat, card)
        self._lay((slot,))
        self._flush_if_due()
        return card

    def spend(self, seat: Seat, payment: Payment) -> None:
        """Put cards of a hand on the discards. What follows from it (D3, D5) is `settle_discards`."""
        holdings, index = list(self.holdings), self.board.card_index
        hand, discard = list(holdings[seat].cards), list(self.discard)
        for card, number in payment.items():
            hand[index[card]] -= number
            discard[index[card]] += number
        holdings[seat] = _holdings((tuple(hand), *holdings[seat][1:]))
        self.holdings, self.discard = tuple(holdings), tuple(discard)

    def settle_discards(self) -> None:
        """After cards were discarded: an empty deck takes them, and a short market is filled (D3, D5)."""
        if self.deck:
            self._flush_if_due()
            return
        self.deck = self._reshuffled()
        self.fill_market()

    def fill_market(self) -> None:
        """Lay cards on the empty places while there are any, then flush as D4 says."""
        if None in self.market:
            self._lay([slot for slot, card in enumerate(self.market) if card is None])
        self._flush_if_due()

    def take_token(self, symbol: Symbol, seat: Seat) -> None:
        """Move a token from its stack to a player (R7)."""
        _, location, left = self.stack(symbol)
        self.events.append(TokenTaken(seat, symbol, location))
        held = self.holdings[seat]
        self.change(seat, _holdings((*held[:-1], (*held.tokens, symbol))))
        self.put(Stack(symbol, location, left - 1), range(len(self.holdings)) if left == 1 else (seat,))

    def stack(self, symbol: Symbol) -> Stack:
        """The stack of a symbol."""
        return self.stacks[self.board.stack_index[symbol]]

    def put(self, stack: Stack, seats: Iterable[int]) -> None:
        """Replace the stack of a symbol (S5, R7), by which these seats may take other tokens than before."""
        stacks = list(self.stacks)
        stacks[self.board.stack_index[stack.symbol]] = stack
        self.stacks = tuple(stacks)
        may_take = list(self.takeable)
        for seat in seats:
            may_take[seat] = takeable(self.board, self.stacks, self.holdings[seat].tokens)
        self.takeable = tuple(may_take)

    def own(self, route: Route, seat: Seat) -> None:
        """Make a seat the owner of a route (R4, R5)."""
        self.network = self.network.claimed(route, seat)

    def _give(self, seat: Seat, card: Card) -> None:
        holdings = list(self.holdings)
        hand = list(holdings[seat].cards)
        hand[self.board.card_index[card]] += 1
        holdings[seat] = _holdings((tuple(hand), *holdings[seat][1:]))
        self.holdings = tuple(holdings)

    def _lay(self, slots: Iterable[int]) -> None:
        """Fill places of the market from the deck as far as it goes; what lay there is gone already (D1, D5)."""
        market, deck = list(self.market), self.deck
        for slot in slots:
            if not deck:
                market[slot] = None
                continue
            market[slot] = card = deck[0]
            self.events.append(_filled(slot, card))
            deck = deck[1:] or self._reshuffled()
        self.market, self.deck = tuple(market), deck

    def _reshuffled(self) -> tuple[Card, ...]:
        """The discards as a new deck, when there is none any more (D3), by the stream `reshuffle N`, N from 1."""
        cards = spread(self.board.cards, self.discard)
        if not cards:
            return ()
        self.reshuffles += 1
        self.discard = (0,) * len(self.discard)
        self.events.append(DeckReshuffled(len(cards)))
        return shuffled(cards, self.seed, f"reshuffle {self.reshuffles}")

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
        cards = tuple([card for card in self.market if card is not None])
        self.events.append(MarketFlushed(cards))
        discard = list(self.discard)
        for card in cards:
            discard[self.board.card_index[card]] += 1
        self.discard = tuple(discard)
        if not self.deck:
            self.deck = self._reshuffled()
        self._lay(range(MARKET_SIZE))
