"""Positions as they are stored, so that a game survives a change of these rules.

A game is its seed and its moves only under the rules that it began with. Other rules might deal other cards, so they
continue from a stored position.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import get_type_hints

from .actions import Seat
from .board import Board, LocationId, RouteId, Symbol, TicketId
from .cards import Card, Counts, named
from .game import Game, Holdings, Market, Phase
from .network import Network
from .tokens import Stack, Tokens

RULES_VERSION = 1
"""The version of these rules. Raise it with any change after which stored moves mean something else, and give what the
change adds to a position its first value in `resumed`."""

Cards = Mapping[Card, int]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A game at a version, by names; `owners` are in the order of the claims. Hands and the like are by seat.

    A field of the same name and type as in `Game` has the same value.
    """

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


OF_GAME, OF_SNAPSHOT = get_type_hints(Game), get_type_hints(Snapshot)
COPIED = tuple(name for name, kind in OF_SNAPSHOT.items() if OF_GAME.get(name) == kind)


def snapshot(game: Game) -> Snapshot:
    kinds, held = game.board.cards, game.holdings
    return Snapshot(
        **{name: getattr(game, name) for name in COPIED},
        cards=tuple(named(kinds, hand) for hand in game.hands),
        tickets=tuple(each.tickets for each in held),
        offers=tuple(each.offer for each in held),
        returned=tuple(each.returned for each in held),
        tokens=game.tokens.owned,
        discard=named(kinds, game.discard),
        stacks=tuple((stack.symbol, stack.location, stack.left) for stack in game.tokens.stacks),
        owners=tuple(game.network.owners.items()),
    )


def resumed(board: Board, seed: bytes, taken: Snapshot) -> Game:
    """The game that goes on from a snapshot. The seed decides what is shuffled from now on."""
    holdings = tuple(map(Holdings, taken.tickets, taken.offers, taken.returned))
    stacks = tuple(Stack(*stack) for stack in taken.stacks)
    return Game(
        **{name: getattr(taken, name) for name in COPIED},
        board=board,
        seed=seed,
        hands=tuple(_counts(board, cards) for cards in taken.cards),
        holdings=holdings,
        discard=_counts(board, taken.discard),
        tokens=Tokens.of(board, stacks, taken.tokens),
        network=_network(board, taken, len(holdings)),
    )


def _counts(board: Board, cards: Cards) -> Counts:
    return tuple(cards.get(kind, 0) for kind in board.cards)


def _network(board: Board, taken: Snapshot, seats: int) -> Network:
    def claimed(network: Network, claim: tuple[RouteId, Seat]) -> Network:
        route, seat = claim
        return network.claimed(board.route[route], seat)

    return reduce(claimed, taken.owners, Network.empty(board, seats))
