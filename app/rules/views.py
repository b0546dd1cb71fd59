"""What one viewer may know of a game, built up field by field. JSON, its schema and its types come from these classes.

A view has a public part, the same for all, and the viewer's own. Games that differ only in what a viewer may not know
give that viewer equal views. Nothing is removed from a position to make a view, so what is not named here is not told.

The classes have no slots, because `orjson` encodes instances with slots more than ten times slower.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from .actions import Seat
from .board import Board, LocationId, RouteId, Symbol, TicketId
from .cards import Card, named
from .events import Viewer
from .game import FIRST_TICKETS, OVER, TOKENS, Game, Holdings, Market, Phase
from .legal import (
    Claim,
    Placement,
    may_draw_from_deck,
    may_draw_tickets,
    may_pass,
    open_claims,
    open_offer,
    open_placement,
    open_slots,
)
from .network import cheapest
from .routesets import RouteSet
from .scoring import Score, score
from .tokens import Stack


@dataclass(frozen=True)
class StackView:
    """A stack that has a location."""

    symbol: Symbol
    left: int


@dataclass(frozen=True)
class PublicHoldings:
    """What everybody sees of a seat. `cards` and `tickets` are numbers, `points` those of its routes (K3)."""

    seat: Seat
    cars: int
    points: int
    cards: int
    tickets: int
    tokens: tuple[Symbol, ...]


@dataclass(frozen=True)
class TicketView:
    """A ticket of the viewer: whether its locations are joined, and whether the cars left are enough to join them."""

    id: TicketId
    done: bool
    reachable: bool


@dataclass(frozen=True)
class LegalDraw:
    """Whether a card may be drawn from the deck, and the places of the market that it may be drawn from."""

    deck: bool
    slots: tuple[int, ...]


@dataclass(frozen=True)
class LegalKeep:
    """Tickets to choose from; at least `least` must be kept."""

    source: tuple[TicketId, ...]
    least: int


class Legal(NamedTuple):
    """The `legal_actions` of a seat, grouped by kind."""

    draw: LegalDraw
    draw_tickets: bool
    keep: LegalKeep | None
    place: Placement | None
    claims: Mapping[RouteId, Claim]
    may_pass: bool


@dataclass(frozen=True)
class PublicView:
    """What everybody sees."""

    version: int
    phase: Phase
    to_act: tuple[Seat, ...]
    first_player: Seat
    market: Market
    deck: int
    discard: Mapping[Card, int]
    ticket_deck: int
    stacks: Mapping[LocationId, StackView]
    unplaced: tuple[Symbol, ...]
    owners: Mapping[RouteId, Seat]
    closed: tuple[RouteId, ...]
    players: tuple[PublicHoldings, ...]
    last_turns: int | None
    scores: tuple[Score, ...] | None


@dataclass(frozen=True)
class OwnView:
    """What only the viewer sees; empty for a spectator."""

    seat: Viewer
    hand: Mapping[Card, int]
    tickets: tuple[TicketView, ...]
    offer: tuple[TicketId, ...]
    unavailable: tuple[RouteId, ...]
    legal: Legal


@dataclass(frozen=True)
class View:
    """A game as one viewer may know it, and its board."""

    board: Board
    public: PublicView
    own: OwnView


NOTHING_LEGAL = Legal(
    LegalDraw(deck=False, slots=()), draw_tickets=False, keep=None, place=None, claims={}, may_pass=False
)
SPECTATOR = OwnView(seat=None, hand={}, tickets=(), offer=(), unavailable=(), legal=NOTHING_LEGAL)


def view(game: Game, viewer: Viewer) -> View:
    """The game as a seat may know it, or a spectator if `viewer` is None."""
    return View(game.board, public_view(game), own_view(game, viewer))


def public_view(game: Game) -> PublicView:
    return PublicView(
        version=game.version,
        phase=game.phase,
        to_act=game.to_act,
        first_player=game.first_player,
        market=game.market,
        deck=len(game.deck),
        discard=named(game.board.cards, game.discard),
        ticket_deck=len(game.ticket_deck),
        stacks=stack_views(game.tokens.stacks),
        unplaced=unplaced(game.tokens.stacks),
        owners=game.network.owners,
        closed=game.network.closed,
        players=tuple([_public_holdings(game, Seat(seat)) for seat in range(game.seats)]),
        last_turns=game.last_turns,
        scores=score(game) if game.phase is OVER else None,
    )


@lru_cache(maxsize=1024)
def stack_views(stacks: tuple[Stack, ...]) -> Mapping[LocationId, StackView]:
    """The placed stacks by location."""
    return {stack.location: StackView(stack.symbol, stack.left) for stack in stacks if stack.location}


def unplaced(stacks: tuple[Stack, ...]) -> tuple[Symbol, ...]:
    """The symbols of the stacks that are still to be placed."""
    return tuple([stack.symbol for stack in stacks if stack.location is None])


def _public_holdings(game: Game, seat: Seat) -> PublicHoldings:
    network, tickets = game.network, tickets_told(game, game.holdings[seat])
    cards, tokens = sum(game.hands[seat]), game.tokens.owned[seat]
    return _holdings(seat, network.cars[seat], network.points[seat], cards, tickets, tokens)


def tickets_told(game: Game, held: Holdings) -> int:
    """The number of a seat's tickets that everybody sees: 0 until all have made their first choice (K3)."""
    return 0 if game.phase is FIRST_TICKETS else len(held.tickets)


def own_view(game: Game, viewer: Viewer) -> OwnView:
    if viewer is None:
        return SPECTATOR
    held, network = game.holdings[viewer], game.network
    own, free, cars = network.own[viewer], network.open_to(viewer), network.cars[viewer]
    return OwnView(
        seat=viewer,
        hand=named(game.board.cards, game.hands[viewer]),
        tickets=ticket_views(game.board, own, free, cars, held.tickets),
        offer=held.offer,
        unavailable=network.unavailable_to(viewer),
        legal=legal(game, viewer),
    )


@lru_cache(maxsize=4096)
def ticket_views(
    board: Board, own: RouteSet, free: RouteSet, cars: int, tickets: tuple[TicketId, ...]
) -> tuple[TicketView, ...]:
    """Cached, because a seat's tickets change only when routes are claimed or tickets drawn."""
    costs = [(ticket, cheapest(board, own, free, *board.ticket[ticket].between)) for ticket in tickets]
    return tuple([TicketView(ticket, cost == 0, cost is not None and cost <= cars) for ticket, cost in costs])


_draw = lru_cache(maxsize=128)(LegalDraw)
_holdings = lru_cache(maxsize=4096)(PublicHoldings)
"""Looking one up is faster than making it, and a move changes few."""


def legal(game: Game, seat: Seat) -> Legal:
    if not game.waits_for(seat):
        return NOTHING_LEGAL
    offer = open_offer(game, seat)
    return Legal(
        draw=_draw(may_draw_from_deck(game), open_slots(game)),
        draw_tickets=may_draw_tickets(game),
        keep=LegalKeep(offer, 1) if offer else None,
        place=open_placement(game) if game.phase is TOKENS else None,
        claims=open_claims(game, seat),
        may_pass=may_pass(game, seat),
    )
