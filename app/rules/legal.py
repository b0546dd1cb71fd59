"""What is legal: the one definition. The server checks by it, views carry it, bots and clients choose from it.

The open_* functions say what a seat may do in the present phase; `legal_actions` lists it, and `refusal` says of one
action why it is not among them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import assert_never, overload

from .actions import Action, ClaimRoute, DrawCard, DrawTickets, KeepTickets, Pass, PlaceToken, Seat
from .board import LocationId, Route, RouteId, Symbol, TicketId
from .cards import FERRY
from .game import MARKET_SIZE, Game, Phase
from .payments import Payments, affordable

DRAW_FROM_DECK = DrawCard(None)
DRAW_TICKETS = DrawTickets()
DRAW_FROM_MARKET = tuple(DrawCard(slot) for slot in range(MARKET_SIZE))


Claim = tuple[Payments, tuple[Symbol, ...]]
"""The ways in which a route may be claimed: each of the payments with each of the tokens (R1, R7)."""


@dataclass(frozen=True, slots=True)
class Placement:
    """The stacks that may be placed, and where (S5)."""

    symbols: tuple[Symbol, ...]
    locations: tuple[LocationId, ...]


class LegalActions(Sequence[Action]):
    """Every legal action of a seat; a claim is made only when it is asked for, since there may be hundreds."""

    def __init__(self, plain: Sequence[Action], claims: Mapping[RouteId, Claim]) -> None:
        self._plain = plain
        self._claims = claims
        self._length = len(plain) + sum([len(ways) * (len(tokens) or 1) for ways, tokens in claims.values()])

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Action]: ...
    def __getitem__(self, index: int | slice) -> Action | Sequence[Action]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(self._length))]
        at = index + self._length if index < 0 else index
        if not 0 <= at < self._length:
            raise IndexError(index)
        return self._plain[at] if at < len(self._plain) else self._claim(at - len(self._plain))

    def __iter__(self) -> Iterator[Action]:
        yield from self._plain
        for route, (ways, tokens) in self._claims.items():
            for payment in ways:
                yield from (ClaimRoute(route, payment, token) for token in tokens or (None,))

    def _claim(self, at: int) -> ClaimRoute:
        for route, (ways, tokens) in self._claims.items():
            number = len(ways) * (len(tokens) or 1)
            if at < number:
                payment, token = divmod(at, len(tokens) or 1)
                return ClaimRoute(route, ways[payment], tokens[token] if tokens else None)
            at -= number
        raise IndexError(at)


def legal_actions(game: Game, seat: Seat) -> LegalActions:
    """All that this seat may do now; empty when it is not its time to act."""
    claims = open_claims(game, seat)
    return LegalActions(_plain_actions(game, seat, claims), claims)


def _plain_actions(game: Game, seat: Seat, claims: Mapping[RouteId, Claim]) -> Sequence[Action]:
    """All but the claims."""
    if game.phase is Phase.TOKENS:
        place = open_placement(game, seat)
        return [PlaceToken(symbol, spot) for symbol in place.symbols for spot in place.locations] if place else ()
    if game.phase is Phase.FIRST_TICKETS or game.phase is Phase.KEEP_TICKETS:
        return [KeepTickets(kept) for kept in subsets(open_offer(game, seat))]
    actions: list[Action] = [DRAW_FROM_MARKET[slot] for slot in open_slots(game, seat)]
    if may_draw_from_deck(game, seat):
        actions.append(DRAW_FROM_DECK)
    if may_draw_tickets(game, seat):
        actions.append(DRAW_TICKETS)
    return actions or ([Pass()] if game.phase is Phase.TURN and game.turn == seat and not claims else ())


def open_slots(game: Game, seat: Seat) -> tuple[int, ...]:
    """Places of the market this seat may take from (D1, D2)."""
    if game.turn != seat:
        return ()
    if game.phase is Phase.TURN:
        return tuple([slot for slot, card in enumerate(game.market) if card])
    if game.phase is Phase.SECOND_CARD:
        return tuple([slot for slot, card in enumerate(game.market) if card and card != FERRY])
    return ()


def may_draw_from_deck(game: Game, seat: Seat) -> bool:
    """Whether this seat may take the top of the deck (D1)."""
    return bool(game.deck) and game.turn == seat and (game.phase is Phase.TURN or game.phase is Phase.SECOND_CARD)


def may_draw_tickets(game: Game, seat: Seat) -> bool:
    """Whether this seat may draw destination tickets (K2)."""
    return game.turn == seat and game.phase is Phase.TURN and bool(game.ticket_deck)


def open_offer(game: Game, seat: Seat) -> tuple[TicketId, ...]:
    """Tickets of which this seat has to keep at least one (S4, K1)."""
    return game.holdings[seat].offer


def open_placement(game: Game, seat: Seat) -> Placement | None:
    """The stacks this seat may place now, and where (S5)."""
    if game.turn != seat or game.phase is not Phase.TOKENS:
        return None
    taken = {stack.location for stack in game.stacks}
    return Placement(
        tuple(stack.symbol for stack in game.stacks if stack.location is None),
        tuple(place.id for place in game.board.locations if place.id not in taken),
    )


def may_pass(game: Game, seat: Seat) -> bool:
    """Whether this seat can do nothing else (T2)."""
    if game.turn != seat or game.phase is not Phase.TURN:
        return False
    return not (game.deck or any(game.market) or game.ticket_deck or open_claims(game, seat))


def open_claims(game: Game, seat: Seat) -> dict[RouteId, Claim]:
    """The routes this seat may claim now, and how (R)."""
    if game.turn != seat or game.phase is not Phase.TURN:
        return {}
    routes, symbols = game.network.open[seat], _symbols_for(game, seat)
    prices = affordable(game.board, game.holdings[seat].cards)
    return {name: (ways, _at_ends(symbols, routes[name])) for name, ways in prices.items() if name in routes}


def open_tokens(game: Game, seat: Seat, route: Route) -> tuple[Symbol, ...]:
    """The tokens at the ends of a route that this seat may take: in stock, and of a symbol it has not (R7)."""
    return _at_ends(_symbols_for(game, seat), route)


def _symbols_for(game: Game, seat: Seat) -> dict[LocationId | None, Symbol]:
    owned = game.holdings[seat].tokens
    return {stack.location: stack.symbol for stack in game.stacks if stack.left and stack.symbol not in owned}


def _at_ends(symbols: Mapping[LocationId | None, Symbol], route: Route) -> tuple[Symbol, ...]:
    start, end = route.between
    if start in symbols:
        return (symbols[start], symbols[end]) if end in symbols else (symbols[start],)
    return (symbols[end],) if end in symbols else ()


def normal_form(game: Game, seat: Seat, action: Action) -> Action:
    """The action as `legal_actions` has it: tickets in the order of the offer, a single token named (R7)."""
    match action:
        case ClaimRoute(token=None) if action.route in game.board.route:
            tokens = open_tokens(game, seat, game.board.route[action.route])
            return ClaimRoute(action.route, action.payment, tokens[0]) if len(tokens) == 1 else action
        case KeepTickets():
            return KeepTickets(_in_order(open_offer(game, seat), action.tickets))
        case _:
            return action


def _in_order(offer: tuple[TicketId, ...], tickets: tuple[TicketId, ...]) -> tuple[TicketId, ...]:
    ordered = tuple(ticket for ticket in offer if ticket in tickets)
    return ordered if len(ordered) == len(tickets) else tickets


def subsets(offer: tuple[TicketId, ...]) -> Iterator[tuple[TicketId, ...]]:
    """The ways to keep at least one ticket of an offer, in its order."""
    return (kept for size in range(1, len(offer) + 1) for kept in combinations(offer, size))


def refusal(game: Game, seat: Seat, action: Action) -> str | None:
    """Why a seat that is to act may not do this, in a sentence for the player; None when it is legal."""
    match action:
        case DrawCard():
            return _refuse_draw(game, action)
        case ClaimRoute():
            return _not_now(game) or _refuse_claim(game, seat, action)
        case DrawTickets():
            return None if may_draw_tickets(game, seat) else _not_now(game) or "No destination tickets are left."
        case KeepTickets():
            return _refuse_keep(game, seat, action)
        case PlaceToken():
            return _refuse_place(game, seat, action)
        case Pass():
            allowed = may_pass(game, seat)
            return None if allowed else _not_now(game) or "You can pass only when you can do nothing else."
    assert_never(action)


_WANTED = {
    Phase.FIRST_TICKETS: "First choose which of your destination tickets to keep.",
    Phase.TOKENS: "First the last stacks of tourist tokens have to be placed.",
    Phase.SECOND_CARD: "You have drawn one card: now draw the second.",
    Phase.KEEP_TICKETS: "First choose which of the drawn destination tickets to keep.",
    Phase.OVER: "The game is over.",
}


def _not_now(game: Game) -> str | None:
    """What has to be done before a turn's actions; None in a turn."""
    return _WANTED.get(game.phase)


def _refuse_keep(game: Game, seat: Seat, action: KeepTickets) -> str | None:
    offer = open_offer(game, seat)
    if not offer:
        return "You have no destination tickets to choose from."
    if not action.tickets:
        return "You have to keep at least one of the destination tickets."
    return None if action.tickets in subsets(offer) else "Keep each ticket once, and only tickets you were offered."


def _refuse_place(game: Game, seat: Seat, action: PlaceToken) -> str | None:
    place = open_placement(game, seat)
    if place is None:
        return "There is no stack of tourist tokens to place now."
    if action.symbol not in place.symbols:
        return "This stack is not one of those to be placed."
    return None if action.location in place.locations else "This location has a stack already, or is not on the board."


def _refuse_draw(game: Game, action: DrawCard) -> str | None:
    if game.phase is not Phase.TURN and game.phase is not Phase.SECOND_CARD:
        return _not_now(game)
    if action.slot is None:
        return None if game.deck else "The deck is empty."
    if not 0 <= action.slot < MARKET_SIZE:
        return f"The market has the places 0 to {MARKET_SIZE - 1}."
    card = game.market[action.slot]
    if card is None:
        return "There is no card in this place of the market."
    only_first = card == FERRY and game.phase is Phase.SECOND_CARD
    return "A ferry card of the market can't be the second card." if only_first else None


def _refuse_claim(game: Game, seat: Seat, action: ClaimRoute) -> str | None:
    route = game.board.route.get(action.route)
    if route is None:
        return "There is no such route on this board."
    barred = game.network.barred(route, seat)
    if barred:
        return barred
    ways = affordable(game.board, game.holdings[seat].cards).get(route.id, ())
    if action.payment not in ways:
        return "These cards don't pay for the route." if ways else "You don't hold the cards for this route."
    return _refuse_token(open_tokens(game, seat, route), action.token)


def _refuse_token(tokens: tuple[Symbol, ...], token: Symbol | None) -> str | None:
    if token in tokens or (token is None and not tokens):
        return None
    return (
        "Choose which tourist token to take." if token is None else "This tourist token can't be taken with this route."
    )
