"""The medium bot: it plans its tickets together, then builds long routes.

It counts cards, sees when the end is near, and takes first what it might lose: a route at which others have built.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from app.rules import (
    FERRY,
    Action,
    Card,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    KeepTickets,
    LocationId,
    Pass,
    Payment,
    PlaceToken,
    Route,
    Seat,
    TicketId,
    View,
)
from app.rules.legal import Placement, subsets

from .clock import Clock
from .known import Known
from .needs import lacking, least_missed, saves_ferries, turns_to_claim
from .plans import Plan, make_plan, open_routes, survey

CARS_SPARED = 4
"""Cars that its tickets must leave it, since others may block its routes."""

CARS_FOR_TICKETS = 9
"""It draws no more tickets once a player has fewer cars."""

TICKETS_WISHED = 0.4
"""Probability that it draws tickets when it can."""

FULL_HAND = 12
"""Number of cards with which it claims any route it can instead of waiting for those it wants."""

TOKEN_WORTH = 2
"""Approximate points of one more tourist token (F3)."""

ENDING = 4
"""It claims any route it can once another player has no more cars than this."""

RIVAL_WORTH = 1.5
"""Added to the worth of a route for each end that another player has reached, since it may soon be lost."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The facts of a turn. `wanted` are the routes it draws cards for: those of its plan, or else the best one."""

    view: View
    seat: Seat
    plan: Plan
    wanted: tuple[Route, ...]

    @property
    def is_last(self) -> bool:
        """Whether it is the seat's last turn (F1)."""
        return self.view.public.last_turns is not None

    @property
    def end_is_near(self) -> bool:
        """Whether another player may soon end the game (F1)."""
        return self.is_last or any(
            player.cars <= ENDING for player in self.view.public.players if player.seat != self.seat
        )

    @property
    def hand_is_full(self) -> bool:
        """Whether the seat has more cards than it should wait with."""
        return sum(self.view.own.hand.values()) >= FULL_HAND

    def wanted_besides(self, route: Route) -> list[Route]:
        """The wanted routes without this one."""
        return [other for other in self.wanted if other is not route]


def choose(view: View, rng: Random, _: Clock, __: Known) -> Action:
    """Choose one of the view's legal actions."""
    seat, legal = view.own.seat, view.own.legal
    assert seat is not None
    if legal.keep:
        return _keep(view, seat, legal.keep.source)
    plan = make_plan(survey(view, seat), _undone(view))
    if legal.place:
        return _place(legal.place, plan, rng)
    turn = Turn(view, seat, plan, plan.routes or _best_route(view, seat))
    return _claim_wanted(turn, rng) or _draw_tickets(turn, rng) or _draw_card(turn, rng) or _last_resort(turn, rng)


def _undone(view: View) -> list[TicketId]:
    return [ticket.id for ticket in view.own.tickets if not ticket.done]


def _keep(view: View, seat: Seat, offer: tuple[TicketId, ...]) -> KeepTickets:
    """The tickets to keep that bring most points; those out of reach count against them (F2)."""
    ground = survey(view, seat)
    modest = replace(ground, cars=ground.cars - CARS_SPARED)

    def worth(kept: tuple[TicketId, ...]) -> tuple[int, int]:
        plan = make_plan(modest, (*_undone(view), *kept))
        return 2 * plan.points - sum(view.board.ticket[ticket].points for ticket in kept), -plan.cars

    return KeepTickets(max(subsets(offer), key=worth))


def _place(place: Placement, plan: Plan, rng: Random) -> PlaceToken:
    """Place any stack where most routes of the plan end."""
    ends = [end for route in plan.routes for end in route.between]
    most = max(ends.count(location) for location in place.locations)
    nearest = [location for location in place.locations if ends.count(location) == most]
    return PlaceToken(rng.choice(place.symbols), rng.choice(nearest))


def _best_route(view: View, seat: Seat) -> tuple[Route, ...]:
    """The open route that brings most points per turn; empty if none is open."""

    def rate(route: Route) -> float:
        return _worth(view, seat, route) / turns_to_claim(view.board.colors, view.own.hand, route)

    return tuple(sorted(open_routes(view), key=rate, reverse=True)[:1])


def _worth(view: View, seat: Seat, route: Route) -> int:
    owned = view.public.players[seat].tokens
    stacks = [view.public.stacks[end] for end in route.between if end in view.public.stacks]
    token = any(stack.left and stack.symbol not in owned for stack in stacks)
    return view.board.route_points[route.length] + (TOKEN_WORTH if token else 0)


def _claim_wanted(turn: Turn, rng: Random) -> ClaimRoute | None:
    """Claim a wanted route; in the last turn, or with too many cards, any route."""
    options = [route for route in turn.wanted if _payments(turn, route)]
    if turn.is_last or ((turn.hand_is_full or turn.end_is_near) and not options):
        return _claim_any(turn, rng)
    return _claim(turn, options, rng)


def _claim_any(turn: Turn, rng: Random) -> ClaimRoute | None:
    return _claim(turn, [turn.view.board.route[route] for route in turn.view.own.legal.claims], rng)


def _claim(turn: Turn, options: Sequence[Route], rng: Random) -> ClaimRoute | None:
    """The option that brings most points now, including those of tickets it completes."""
    if not options:
        return None

    rivals = _reached_by_others(turn.view, turn.seat)

    def gain(route: Route) -> float:
        done = turn.plan.points if turn.plan.routes == (route,) else 0
        contested = 0 if turn.is_last else RIVAL_WORTH * sum(end in rivals for end in route.between)
        return _worth(turn.view, turn.seat, route) + 2 * done + contested

    route = max(options, key=gain)
    payments, tokens = turn.view.own.legal.claims[route.id]
    ways = _payments(turn, route) or payments
    payment = least_missed(turn.view.board.colors, turn.view.own.hand, ways, turn.wanted_besides(route))
    return ClaimRoute(route.id, payment, rng.choice(tokens) if tokens else None)


def _reached_by_others(view: View, seat: Seat) -> set[LocationId]:
    routes = [view.board.route[route] for route, owner in view.public.owners.items() if owner != seat]
    return {end for route in routes for end in route.between}


def _payments(turn: Turn, route: Route) -> list[Payment]:
    """The legal payments for a route that leave enough ferries for the other wanted routes."""
    if route.id not in turn.view.own.legal.claims:
        return []
    payments, _ = turn.view.own.legal.claims[route.id]
    later = turn.wanted_besides(route)
    return [payment for payment in payments if saves_ferries(turn.view.own.hand, route, payment, later)]


def _draw_tickets(turn: Turn, rng: Random) -> DrawTickets | None:
    """Sometimes draw tickets, if its own are done and nobody is short of cars."""
    if not turn.view.own.legal.draw_tickets or turn.plan.routes or turn.is_last:
        return None
    early = all(player.cars >= CARS_FOR_TICKETS for player in turn.view.public.players)
    return DrawTickets() if early and rng.random() < TICKETS_WISHED else None


def _draw_card(turn: Turn, rng: Random) -> DrawCard | None:
    """Draw a lacking ferry, else the color that lacks least, else from the deck, else any card."""
    draw, market = turn.view.own.legal.draw, turn.view.public.market
    lacks = lacking(turn.view.board.colors, turn.view.own.hand, turn.wanted)
    useful = {slot: lacks[card] for slot in draw.slots if (card := market[slot]) and card in lacks}
    ferries = [slot for slot in useful if market[slot] == FERRY]
    if useful:
        to_come = _to_come(turn.view)
        return DrawCard(ferries[0] if ferries else min(useful, key=lambda slot: (useful[slot], to_come[market[slot]])))
    if draw.deck:
        return DrawCard(None)
    return DrawCard(rng.choice(draw.slots)) if draw.slots else None


def _to_come(view: View) -> Counter[Card | None]:
    """How many of each card are neither in its hand nor visible."""
    cards = Counter[Card | None](dict(zip(view.board.cards, view.board.all_cards, strict=True)))
    cards.subtract(view.own.hand)
    cards.subtract(view.public.discard)
    cards.subtract(view.public.market)
    return cards


def _last_resort(turn: Turn, rng: Random) -> Action:
    """If there is no card to draw, claim anything, else draw tickets, else pass (T2)."""
    claim = _claim_any(turn, rng)
    return claim or (DrawTickets() if turn.view.own.legal.draw_tickets else Pass())
