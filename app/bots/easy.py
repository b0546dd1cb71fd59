"""The easy bot, for a first game: it builds its tickets one by one, and never blocks others on purpose.

It claims only what it needs itself, takes the first color that helps, and often draws without looking at the market.
"""

from collections.abc import Sequence
from random import Random

from app.rules import (
    Action,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    KeepTickets,
    Pass,
    PlaceToken,
    Route,
    Seat,
    View,
)

from .clock import Clock
from .known import Known
from .needs import lacking, turns_to_claim
from .plans import open_routes, routes_to_claim, survey

CARELESS = 0.75
"""Probability that it draws from the deck without looking at the market."""

WANDERING = 0.5
"""Probability that it draws a card although it could claim a route it wants."""

SHORT = 3
"""Length above which it takes routes last."""

FULL_HAND = 16
"""Number of cards with which it claims any route it can."""


def choose(view: View, rng: Random, _: Clock, __: Known) -> Action:
    """Choose one of the view's legal actions."""
    seat, legal = view.own.seat, view.own.legal
    assert seat is not None
    if legal.keep:
        return KeepTickets(legal.keep.source if rng.random() < 0.5 else legal.keep.source[:1])
    if legal.place:
        return PlaceToken(rng.choice(legal.place.symbols), rng.choice(legal.place.locations))
    wanted = _wanted(view, seat)
    last = view.public.last_turns is not None
    patient = not last and legal.draw.deck and rng.random() < WANDERING
    claim = None if patient else _claim(view, wanted, rng, anything=last or sum(view.own.hand.values()) >= FULL_HAND)
    return claim or _draw(view, wanted, rng) or _last_resort(view, rng)


def _wanted(view: View, seat: Seat) -> Sequence[Route]:
    """The routes of its first unfinished ticket; without one, all routes, those first that it can pay for soonest."""
    ground = survey(view, seat)
    for ticket in view.own.tickets:
        if ticket.done or not ticket.reachable:
            continue
        routes = routes_to_claim(view.board, ground.tolls, view.board.ticket[ticket.id].between)
        if routes is not None:
            return routes
    hand, colors = view.own.hand, view.board.colors
    any_route = sorted(open_routes(view), key=lambda route: (route.length > SHORT, turns_to_claim(colors, hand, route)))
    return any_route[:1]


def _claim(view: View, wanted: Sequence[Route], rng: Random, *, anything: bool) -> ClaimRoute | None:
    claims = view.own.legal.claims
    routes = [route.id for route in wanted if route.id in claims] or (list(claims) if anything else [])
    if not routes:
        return None
    payments, tokens = claims[routes[0]]
    return ClaimRoute(routes[0], payments[0], rng.choice(tokens) if tokens else None)


def _draw(view: View, wanted: Sequence[Route], rng: Random) -> DrawCard | None:
    """Draw from the deck often, else the first card of the market that helps."""
    draw, market = view.own.legal.draw, view.public.market
    lacks = lacking(view.board.colors, view.own.hand, wanted)
    useful = [slot for slot in draw.slots if market[slot] in lacks]
    if useful and not (draw.deck and rng.random() < CARELESS):
        return DrawCard(useful[0])
    if draw.deck:
        return DrawCard(None)
    return DrawCard(rng.choice(draw.slots)) if draw.slots else None


def _last_resort(view: View, rng: Random) -> Action:
    """If there is no card to draw, claim anything, else draw tickets, else pass (T2)."""
    claim = _claim(view, (), rng, anything=True)
    return claim or (DrawTickets() if view.own.legal.draw_tickets else Pass())
