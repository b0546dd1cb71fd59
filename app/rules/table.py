"""The mutable core under the frozen face: a game laid out to be moved on, with what its pieces do by themselves.

`play` takes a `Game`, lays it on a `Table`, carries the action out, and takes the next `Game` from it.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from .actions import Seat
from .board import RouteId, Symbol
from .cards import FERRY, Card, add, spread
from .events import DeckReshuffled, Event, FlushStopped, MarketFilled, MarketFlushed, TokenTaken
from .game import MARKET_SIZE, Game
from .shuffle import shuffled

FLUSH_AT = 3
"""So many ferries in the market flush it (D4)."""

FLUSH_LIMIT = 20
"""So many flushes in a row are made at most (D4)."""


class Table:
    """A game while a move is made on it. `events` is what has happened so far."""

    def __init__(self, game: Game) -> None:
        self.board = game.board
        self.seed = game.seed
        self.phase = game.phase
        self.first_player = game.first_player
        self.order = game.order
        self.turn = game.turn
        self.holdings = list(game.holdings)
        self.deck = list(game.deck)
        self.market = list(game.market)
        self.discard = game.discard
        self.reshuffles = game.reshuffles
        self.ticket_deck = game.ticket_deck
        self.stacks = game.stacks
        self.network = game.network
        self.passes = game.passes
        self.last_turns = game.last_turns
        self.events: list[Event] = []

    def game(self, version: int) -> Game:
        """The position on the table, frozen, as the given version."""
        return Game(
            board=self.board,
            seed=self.seed,
            version=version,
            phase=self.phase,
            first_player=self.first_player,
            turn=self.turn,
            holdings=tuple(self.holdings),
            deck=tuple(self.deck),
            market=tuple(self.market),
            discard=self.discard,
            reshuffles=self.reshuffles,
            ticket_deck=self.ticket_deck,
            stacks=self.stacks,
            network=self.network,
            passes=self.passes,
            last_turns=self.last_turns,
        )

    def give(self, seat: Seat, card: Card) -> None:
        """Put a card into a hand."""
        held = self.holdings[seat]
        self.holdings[seat] = replace(held, cards=add(held.cards, self.board.card_index[card]))

    def draw(self, happened: Callable[[Card], Event]) -> Card:
        """Take the top card of the deck, which must have one, and record what became of it; D3 follows."""
        card = self.deck.pop(0)
        self.events.append(happened(card))
        self.reshuffle_if_empty()
        return card

    def pick(self, slot: int) -> Card:
        """Take the card that lies in a place of the market, and leave the place empty."""
        card = self.market[slot]
        if card is None:
            raise LookupError(f"no card lies in place {slot} of the market")
        self.market[slot] = None
        return card

    def throw(self, card: Card, number: int = 1) -> None:
        """Put cards on the discards. What follows from it (D3, D5) is `settle_discards`."""
        self.discard = add(self.discard, self.board.card_index[card], number)

    def settle_discards(self) -> None:
        """After cards were discarded: an empty deck takes them, and a short market is filled (D3, D5)."""
        self.reshuffle_if_empty()
        self.fill_market()

    def reshuffle_if_empty(self) -> None:
        """Make an empty deck anew from the discards (D3), by the stream `reshuffle N`, N from 1."""
        number = sum(self.discard)
        if self.deck or not number:
            return
        self.reshuffles += 1
        self.deck = list(shuffled(spread(self.board.cards, self.discard), self.seed, f"reshuffle {self.reshuffles}"))
        self.discard = (0,) * len(self.discard)
        self.events.append(DeckReshuffled(number))

    def fill_market(self) -> None:
        """Lay cards on the empty places while there are any, then flush as D4 says."""
        self._lay_cards()
        for _ in range(FLUSH_LIMIT):
            if not self._needs_flush():
                return
            if self._others_left() < FLUSH_AT:
                self.events.append(FlushStopped("few_cards"))
                return
            self._flush()
        if self._needs_flush():
            self.events.append(FlushStopped("limit"))

    def take_token(self, symbol: Symbol, seat: Seat) -> None:
        """Move a token from its stack to a player (R7)."""
        stack = next(stack for stack in self.stacks if stack.symbol == symbol)
        self.stacks = tuple(replace(stack, left=stack.left - 1) if each is stack else each for each in self.stacks)
        self.events.append(TokenTaken(seat, symbol, stack.location))
        held = self.holdings[seat]
        self.holdings[seat] = replace(held, tokens=(*held.tokens, symbol))

    def own(self, route: RouteId, seat: Seat) -> None:
        """Make a seat the owner of a route (R4, R5)."""
        self.network = self.network.claimed(route, seat)

    def _lay_cards(self) -> None:
        for slot, card in enumerate(self.market):
            if card is None and self.deck:
                self.market[slot] = self.draw(partial(MarketFilled, slot))

    def _needs_flush(self) -> bool:
        return self.market.count(FERRY) >= FLUSH_AT and None not in self.market

    def _others_left(self) -> int:
        """Cards that are not ferries in market, deck and discards together (D4)."""
        return MARKET_SIZE + len(self.deck) + sum(self.discard[:-1]) - self.market.count(FERRY) - self.deck.count(FERRY)

    def _flush(self) -> None:
        cards = tuple(card for card in self.market if card is not None)
        self.events.append(MarketFlushed(cards))
        for card in cards:
            self.throw(card)
        self.market = [None] * MARKET_SIZE
        self.reshuffle_if_empty()
        self._lay_cards()
