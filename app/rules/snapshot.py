"""A position written down, so that a game outlives a change of these rules.

Seed and moves say all of a game as long as the rules are those it was begun by. Other rules might deal other cards:
they go on from the position that the old ones have left.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce

from .actions import Seat
from .board import Board, LocationId, RouteId, Symbol, TicketId
from .cards import Card, Counts, named
from .game import Game, Holdings, Market, Phase
from .network import Network
from .tokens import Stack, Tokens

RULES_VERSION = 1
"""Of the rules that this server plays by. It goes up with any change after which stored moves would mean something
else; what such a change adds to a position gets its first value in `resumed`."""

Cards = Mapping[Card, int]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A game at a version, by names; `owners` are in the order of the claims. Hands and the like are by seat."""

    version: int
    phase: Phase
    first_player: Seat
    turn: Seat
    cards: tuple[Cards, ...]
    tickets: tuple[tuple[TicketId, ...], ...]
    offers: tuple[tuple[TicketId, ...], ...]
    returned: tuple[tuple[TicketId, ...], ...]
    tokens: tuple[tuple[Symbol, ...], ...]
    deck: tuple[Card, ...]
    market: Market
    discard: Cards
    reshuffles: int
    ticket_deck: tuple[TicketId, ...]
    stacks: tuple[tuple[Symbol, LocationId | None, int], ...]
    owners: tuple[tuple[RouteId, Seat], ...]
    passes: int
    last_turns: int | None


def snapshot(game: Game) -> Snapshot:
    """The game as it stands."""
    kinds, held = game.board.cards, game.holdings
    return Snapshot(
        version=game.version,
        phase=game.phase,
        first_player=game.first_player,
        turn=game.turn,
        cards=tuple(named(kinds, hand) for hand in game.hands),
        tickets=tuple(each.tickets for each in held),
        offers=tuple(each.offer for each in held),
        returned=tuple(each.returned for each in held),
        tokens=game.tokens.owned,
        deck=tuple(game.deck),
        market=game.market,
        discard=named(kinds, game.discard),
        reshuffles=game.reshuffles,
        ticket_deck=tuple(game.ticket_deck),
        stacks=tuple((stack.symbol, stack.location, stack.left) for stack in game.tokens.stacks),
        owners=tuple(game.network.owners.items()),
        passes=game.passes,
        last_turns=game.last_turns,
    )


def resumed(board: Board, seed: bytes, taken: Snapshot) -> Game:
    """The game that goes on from there; what is shuffled from now on comes from the same seed."""
    holdings = tuple(map(Holdings, taken.tickets, taken.offers, taken.returned))
    stacks = tuple(Stack(*stack) for stack in taken.stacks)
    return Game(
        board=board,
        seed=seed,
        version=taken.version,
        phase=taken.phase,
        first_player=taken.first_player,
        turn=taken.turn,
        hands=tuple(_counts(board, cards) for cards in taken.cards),
        holdings=holdings,
        deck=taken.deck,
        market=taken.market,
        discard=_counts(board, taken.discard),
        reshuffles=taken.reshuffles,
        ticket_deck=taken.ticket_deck,
        tokens=Tokens.of(board, stacks, taken.tokens),
        network=_network(board, taken, len(holdings)),
        passes=taken.passes,
        last_turns=taken.last_turns,
    )


def _counts(board: Board, cards: Cards) -> Counts:
    return tuple(cards.get(kind, 0) for kind in board.cards)


def _network(board: Board, taken: Snapshot, seats: int) -> Network:
    def claimed(network: Network, claim: tuple[RouteId, Seat]) -> Network:
        route, seat = claim
        return network.claimed(board.route[route], seat)

    return reduce(claimed, taken.owners, Network.empty(board, seats))
