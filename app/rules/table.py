"""The mutable core under the frozen face: a game laid out to be moved on, with what its pieces do by themselves.

`play` takes a `Game`, lays it on a `Table`, carries the action out, and takes the next `Game` from it.
"""

from .actions import Seat
from .board import Board, RouteId, Symbol, TicketId
from .cards import FERRY, Card, Counts, add, spread
from .events import DeckReshuffled, Event, FlushStopped, MarketFilled, MarketFlushed, TokenTaken
from .game import MARKET_SIZE, Game, Holdings, Market, Phase, Stack, order_of_play
from .network import Network
from .shuffle import shuffled

FLUSH_AT = 3
"""So many ferries in the market flush it (D4)."""

FLUSH_LIMIT = 20
"""So many flushes in a row are made at most (D4)."""


class Table:
    """A game while a move is made on it: the fields of `Game`, to be changed, and `events`, what has happened."""

    __slots__ = ("__dict__", "events")

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

    def __init__(self, game: Game) -> None:
        vars(self).update(vars(game))
        self.events: list[Event] = []

    @property
    def order(self) -> tuple[Seat, ...]:
        """The seats in the order of play (S1)."""
        return order_of_play(self.first_player, len(self.holdings))

    def game(self) -> Game:
        """The position on the table, frozen. Field by field would cost as much as the whole move."""
        game = object.__new__(Game)
        vars(game).update(vars(self))
        return game

    def change(self, seat: Seat, held: Holdings) -> None:
        """Replace what a seat holds."""
        self.holdings = (*self.holdings[:seat], held, *self.holdings[seat + 1 :])

    def give(self, seat: Seat, card: Card) -> None:
        """Put a card into a hand."""
        held = self.holdings[seat]
        cards = add(held.cards, self.board.card_index[card])
        self.change(seat, Holdings(cards, held.tickets, held.offer, held.returned, held.tokens))

    def draw(self) -> Card:
        """Take the top card of the deck, which must have one. D3 is to follow, when it is said where the card went."""
        card = self.deck[0]
        self.deck = self.deck[1:]
        return card

    def pick(self, slot: int) -> Card:
        """Take the card that lies in a place of the market, and leave the place empty."""
        card = self.market[slot]
        if card is None:
            raise LookupError(f"no card lies in place {slot} of the market")
        self._lay(slot, None)
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
        number = 0 if self.deck else sum(self.discard)
        if not number:
            return
        self.reshuffles += 1
        self.deck = shuffled(spread(self.board.cards, self.discard), self.seed, f"reshuffle {self.reshuffles}")
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
        self.stacks = tuple(stack._replace(left=stack.left - 1) if each is stack else each for each in self.stacks)
        self.events.append(TokenTaken(seat, symbol, stack.location))
        held = self.holdings[seat]
        self.change(seat, held._replace(tokens=(*held.tokens, symbol)))

    def own(self, route: RouteId, seat: Seat) -> None:
        """Make a seat the owner of a route (R4, R5)."""
        self.network = self.network.claimed(self.board.route[route], seat)

    def _lay(self, slot: int, card: Card | None) -> None:
        self.market = (*self.market[:slot], card, *self.market[slot + 1 :])

    def _lay_cards(self) -> None:
        while None in self.market and self.deck:
            slot = self.market.index(None)
            card = self.draw()
            self._lay(slot, card)
            self.events.append(MarketFilled(slot, card))
            self.reshuffle_if_empty()

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
        self.market = (None,) * MARKET_SIZE
        self.reshuffle_if_empty()
        self._lay_cards()
