"""Defines what is legal. The server checks actions by it, views contain it, and bots and clients choose from it.

The open_* functions tell what a seat may do in the present phase. `legal_actions` lists it, `any_action` picks from it
at random, and `refusal` explains why an action is not in it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations
from random import Random
from typing import Any, NamedTuple, overload

from .actions import Action, ClaimRoute, DrawCard, DrawTickets, KeepTickets, Pass, PlaceToken, Seat
from .board import Board, LocationId, Route, RouteId, Symbol, TicketId
from .cards import FERRY
from .game import FIRST_TICKETS, KEEP_TICKETS, MARKET_SIZE, OVER, SECOND_CARD, TOKENS, TURN
from .reasons import Reason
from .routesets import RouteSet, member, members
from .table import Position
from .tariff import Payments
from .tokens import Tokens

DRAW_FROM_DECK = DrawCard(None)
DRAW_TICKETS = DrawTickets()
DRAW_FROM_MARKET = tuple(DrawCard(slot) for slot in range(MARKET_SIZE))
ANY_CARD: tuple[Action, ...] = (*DRAW_FROM_MARKET, DRAW_FROM_DECK)
ANY_CARD_OR_TICKETS = (*ANY_CARD, DRAW_TICKETS)
NOTHING_BUT_PASS = (Pass(),)
"""What a turn offers besides claims. While there is a deck, the market is full (D5)."""

DRAWS_FROM = {
    slots: tuple(DRAW_FROM_MARKET[slot] for slot in slots)
    for size in range(MARKET_SIZE + 1)
    for slots in combinations(range(MARKET_SIZE), size)
}
"""The actions for each set of places of the market."""


class Claim(NamedTuple):
    """The ways in which a route may be claimed: each of the payments with each of the tokens (R1, R7)."""

    payments: Payments
    tokens: tuple[Symbol, ...]


@dataclass(frozen=True)
class Placement:
    """The stacks that may be placed, and where (S5)."""

    symbols: tuple[Symbol, ...]
    locations: tuple[LocationId, ...]


class TurnActions(Sequence[Action]):
    """Every legal action of a turn. There may be hundreds of claims, so they are only made when somebody asks for them.

    `claims` is a set as `_options` returns it.
    """

    __slots__ = ("_board", "_claims", "_others", "_seat", "_tokens")

    def __init__(self, game: Position, seat: Seat, others: tuple[Action, ...], claims: RouteSet) -> None:
        self._board = game.board
        self._tokens = game.tokens
        self._seat = seat
        self._others = others
        self._claims = claims

    def __len__(self) -> int:
        return len(self._others) + self._claims.bit_count()

    def __iter__(self) -> Iterator[Action]:
        return chain(self._others, map(self._claim, members(self._claims)))

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Action]: ...
    def __getitem__(self, index: int | slice) -> Action | Sequence[Action]:
        size = len(self)
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(size))]
        at = index + size if index < 0 else index
        if not 0 <= at < size:
            raise IndexError("there are not so many legal actions")
        claim = at - len(self._others)
        return self._others[at] if claim < 0 else self._claim(member(self._claims, claim))

    def _claim(self, member: int) -> ClaimRoute:
        return _claim(self._board, self._tokens, self._seat, member)


def legal_actions(game: Position, seat: Seat) -> Sequence[Action]:
    """Everything that the seat may do now; empty when it is not to act."""
    others, claims = _options(game, seat)
    return TurnActions(game, seat, others, claims) if claims else others


def any_action(game: Position, seat: Seat, rng: Random) -> Action:
    """A uniformly random one of the `legal_actions` of a seat that is to act, without listing them."""
    others, claims = _options(game, seat)
    number = int(rng.random() * (len(others) + claims.bit_count()))
    claim = number - len(others)
    return others[number] if claim < 0 else _claim(game.board, game.tokens, seat, member(claims, claim))


def _options(game: Position, seat: Seat) -> tuple[tuple[Action, ...], RouteSet]:
    """What a seat may do now: the actions other than claims, and the claims as a set.

    A claim is in the set as a way to pay, with the first token at the ends of its route. Claims with the second token
    follow above all ways, as the same bits shifted by the number of ways.
    """
    phase = game.phase
    if phase is TURN and seat == game.turn:
        return _turn_options(game, seat)
    if phase is SECOND_CARD and seat == game.turn:
        return _draws(game), 0
    if not game.waits_for(seat):
        return (), 0
    return _placements(open_placement(game)) if phase is TOKENS else ways_to_keep(open_offer(game, seat)), 0


def _turn_options(game: Position, seat: Seat) -> tuple[tuple[Action, ...], RouteSet]:
    if game.ticket_deck:
        others = ANY_CARD_OR_TICKETS if game.deck else (*_draws(game), DRAW_TICKETS)
    else:
        others = ANY_CARD if game.deck else _draws(game)
    claims = legal_ways(game, seat)
    twofold = claims & game.tokens.choices[seat]
    if twofold:
        claims |= twofold << len(game.board.tariff.ways)
    return others if others or claims else NOTHING_BUT_PASS, claims


def _claim(board: Board, tokens: Tokens, seat: Seat, member: int) -> ClaimRoute:
    """The claim for a member of a set as `_options` returns it."""
    choice, number = divmod(member, len(board.tariff.ways))
    offered = tokens.along(board.routes[board.tariff.ways[number].place], seat)
    return _claimed(board, number, offered[choice] if offered else None)


@lru_cache(maxsize=4096)
def _claimed(board: Board, number: int, token: Symbol | None) -> ClaimRoute:
    """Cached, because the same claims are used in game after game."""
    place, payment = board.tariff.ways[number]
    return ClaimRoute(board.routes[place].id, payment, token)


def legal_ways(game: Position, seat: Seat) -> RouteSet:
    """The claims that a seat can make in its turn: its open routes, each in the ways that its hand can pay (R)."""
    network = game.network
    return network.free & network.allowed[seat] & game.board.tariff.affordable(tuple(game.hands[seat]))


def _draws(game: Position) -> tuple[Action, ...]:
    if game.deck and FERRY not in game.market:
        return ANY_CARD
    draws = DRAWS_FROM[open_slots(game)]
    return (*draws, DRAW_FROM_DECK) if game.deck else draws


def open_slots(game: Position) -> tuple[int, ...]:
    """The places of the market from which a card may be drawn (D1, D2)."""
    if game.phase is SECOND_CARD:
        return tuple([slot for slot, card in enumerate(game.market) if card and card != FERRY])
    if game.phase is TURN:
        return tuple([slot for slot, card in enumerate(game.market) if card])
    return ()


def may_draw_from_deck(game: Position) -> bool:
    """Whether the deck's top card may be drawn (D1)."""
    return bool(game.deck) and (game.phase is TURN or game.phase is SECOND_CARD)


def may_draw_tickets(game: Position) -> bool:
    """Whether destination tickets may be drawn (K2)."""
    return game.phase is TURN and bool(game.ticket_deck)


def open_offer(game: Position, seat: Seat) -> tuple[TicketId, ...]:
    """The tickets of which the seat must keep at least one (S4, K1)."""
    return game.holdings[seat].offer


def open_placement(game: Position) -> Placement:
    """The stacks that may be placed now, and where (S5)."""
    if game.phase is not TOKENS:
        return Placement((), ())
    taken = {stack.location for stack in game.tokens.stacks}
    return Placement(
        tuple([stack.symbol for stack in game.tokens.stacks if stack.location is None]),
        tuple([place.id for place in game.board.locations if place.id not in taken]),
    )


def may_pass(game: Position, seat: Seat) -> bool:
    """Whether a seat that is to act can do nothing else (T2)."""
    if game.phase is not TURN or game.deck or game.ticket_deck or any(game.market):
        return False
    return not legal_ways(game, seat)


def open_claims(game: Position, seat: Seat) -> dict[RouteId, Claim]:
    """The routes that a seat that is to act may claim now, and how (R)."""
    if game.phase is not TURN:
        return {}
    board, tokens, left = game.board, game.tokens.along, legal_ways(game, seat)
    ways, routes, payments = board.tariff.ways, board.tariff.routes, board.tariff.payments
    claims = {}
    while left:
        place = ways[(left & -left).bit_length() - 1].place
        route, here = board.routes[place], left & routes[place]
        claims[route.id] = Claim(payments(here), tokens(route, seat))
        left ^= here
    return claims


def open_tokens(game: Position, seat: Seat, route: Route) -> tuple[Symbol, ...]:
    """The tokens at the ends of a route that the seat may take: still there, and of a symbol that it lacks (R7)."""
    return game.tokens.along(route, seat)


def normal_form(game: Position, seat: Seat, action: Action) -> Action:
    """The action as `legal_actions` has it: tickets in the offer's order, and the token named if there is one (R7)."""
    put_right = _PUT_RIGHT.get(type(action))
    return put_right(game, seat, action) if put_right else action


def _name_token(game: Position, seat: Seat, action: ClaimRoute) -> ClaimRoute:
    route = game.board.route.get(action.route)
    tokens = open_tokens(game, seat, route) if route and action.token is None else ()
    return ClaimRoute(action.route, action.payment, tokens[0]) if len(tokens) == 1 else action


def _put_in_order(game: Position, seat: Seat, action: KeepTickets) -> KeepTickets:
    offer = open_offer(game, seat)
    if action.tickets in subsets(offer):
        return action
    ordered = tuple([ticket for ticket in offer if ticket in action.tickets])
    return KeepTickets(ordered) if len(ordered) == len(action.tickets) else action


_PUT_RIGHT: dict[type[Action], Callable[[Position, Seat, Any], Action]] = {
    ClaimRoute: _name_token,
    KeepTickets: _put_in_order,
}


@lru_cache(maxsize=128)
def _placements(place: Placement) -> tuple[PlaceToken, ...]:
    return tuple([PlaceToken(symbol, location) for symbol in place.symbols for location in place.locations])


@lru_cache(maxsize=1024)
def ways_to_keep(offer: tuple[TicketId, ...]) -> tuple[KeepTickets, ...]:
    """The ways to choose from an offer (S4, K1)."""
    return tuple([KeepTickets(kept) for kept in subsets(offer)])


@lru_cache(maxsize=1024)
def subsets(offer: tuple[TicketId, ...]) -> tuple[tuple[TicketId, ...], ...]:
    """All non-empty subsets of an offer, each in its order."""
    return tuple([kept for size in range(1, len(offer) + 1) for kept in combinations(offer, size)])


def refusal(game: Position, seat: Seat, action: Action) -> Reason | None:
    """Why a seat that is to act may not do this; None if it is legal."""
    return _REFUSE[type(action)](game, seat, action)


_WANTED = {
    FIRST_TICKETS: Reason("choose_tickets", "First choose which of your destination tickets to keep."),
    TOKENS: Reason("place_tokens", "First the last stacks of tourist tokens have to be placed."),
    SECOND_CARD: Reason("draw_second", "You have drawn one card: now draw the second."),
    KEEP_TICKETS: Reason("choose_tickets", "First choose which of the drawn destination tickets to keep."),
    OVER: Reason("game_over", "The game is over."),
}


def _not_now(game: Position) -> Reason | None:
    """What the phase requires first; None in a turn."""
    return _WANTED.get(game.phase)


def _refuse_keep(game: Position, seat: Seat, action: KeepTickets) -> Reason | None:
    offer = open_offer(game, seat)
    if not offer:
        return Reason("no_offer", "You have no destination tickets to choose from.")
    if not action.tickets:
        return Reason("keep_one", "You have to keep at least one of the destination tickets.")
    if action.tickets in subsets(offer):
        return None
    return Reason("keep_offered", "Keep each ticket once, and only tickets you were offered.")


def _refuse_place(game: Position, _: Seat, action: PlaceToken) -> Reason | None:
    place = open_placement(game)
    if not place.symbols:
        return Reason("no_stack", "There is no stack of tourist tokens to place now.")
    if action.symbol not in place.symbols:
        return Reason("other_stack", "This stack is not one of those to be placed.")
    if action.location in place.locations:
        return None
    return Reason("location_taken", "This location has a stack already, or is not on the board.")


def _refuse_tickets(game: Position, _: Seat, __: DrawTickets) -> Reason | None:
    if may_draw_tickets(game):
        return None
    return _not_now(game) or Reason("no_tickets_left", "No destination tickets are left.")


def _refuse_pass(game: Position, seat: Seat, _: Pass) -> Reason | None:
    if may_pass(game, seat):
        return None
    return _not_now(game) or Reason("can_act", "You can pass only when you can do nothing else.")


def _refuse_draw(game: Position, _: Seat, action: DrawCard) -> Reason | None:
    if game.phase is not TURN and game.phase is not SECOND_CARD:
        return _not_now(game)
    slot = action.slot
    if slot is None:
        return None if game.deck else Reason("deck_empty", "The deck is empty.")
    if not 0 <= slot < MARKET_SIZE:
        return Reason("no_such_place", f"The market has the places 0 to {MARKET_SIZE - 1}.")
    card = game.market[slot]
    if card is None:
        return Reason("place_empty", "There is no card in this place of the market.")
    only_first = card == FERRY and game.phase is SECOND_CARD
    return Reason("ferry_second", "A ferry card of the market can't be the second card.") if only_first else None


def _refuse_claim(game: Position, seat: Seat, action: ClaimRoute) -> Reason | None:
    board = game.board
    route = board.route.get(action.route)
    if route is None or game.phase is not TURN:
        return _not_now(game) or Reason("no_such_route", "There is no such route on this board.")
    way = board.tariff.way(board.place[route.id], action.payment)
    if way is None or not legal_ways(game, seat) >> way & 1:
        affordable = board.bit[route.id] & board.tariff.affordable(tuple(game.hands[seat]))
        return game.network.barred(route, seat) or (WRONG_PAYMENT if affordable else CARDS_SHORT)
    return _refuse_token(open_tokens(game, seat, route), action.token)


def _refuse_token(tokens: tuple[Symbol, ...], token: Symbol | None) -> Reason | None:
    if token in tokens or (token is None and not tokens):
        return None
    if token is None:
        return Reason("token_choice", "Choose which tourist token to take.")
    return Reason("token_unavailable", "This tourist token can't be taken with this route.")


WRONG_PAYMENT = Reason("wrong_payment", "These cards don't pay for the route.")
CARDS_SHORT = Reason("cards_short", "You don't hold the cards for this route.")

_REFUSE: dict[type[Action], Callable[[Position, Seat, Any], Reason | None]] = {
    KeepTickets: _refuse_keep,
    PlaceToken: _refuse_place,
    DrawCard: _refuse_draw,
    DrawTickets: _refuse_tickets,
    ClaimRoute: _refuse_claim,
    Pass: _refuse_pass,
}
