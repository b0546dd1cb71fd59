"""A strategy that ignores tickets: keep the cheapest one, claim long gray routes, end the game soon.

    ./run bench bots --against bench/quick_end.py

No strategy of this kind should win more than its share against the hard bot.
"""

from collections.abc import Mapping
from random import Random

from app.rules import (
    FERRY,
    Action,
    Card,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    KeepTickets,
    Pass,
    PlaceToken,
    Route,
    View,
)
from app.rules.game import LAST_TURNS_AT

LONG = 4
"""Length below which it claims a route only with a full hand, or near the end."""

FULL_HAND = 12


def choose(view: View, rng: Random) -> Action:
    """Choose one of the view's legal actions."""
    legal, board = view.own.legal, view.board
    if legal.keep:
        return KeepTickets((min(legal.keep.source, key=lambda ticket: board.ticket[ticket].points),))
    if legal.place:
        return PlaceToken(legal.place.symbols[0], rng.choice(legal.place.locations))
    return claim(view) or draw(view) or (DrawTickets() if legal.draw_tickets else Pass())


def claim(view: View) -> ClaimRoute | None:
    """Claim the longest route that it can pay for, if that is long enough."""
    board, claims = view.board, view.own.legal.claims
    if not claims:
        return None
    longest = max(claims, key=lambda route: (board.route[route].length, board.route[route].color is None))
    near_end = min(player.cars for player in view.public.players) <= LAST_TURNS_AT + LONG
    if board.route[longest].length < LONG and not near_end and sum(view.own.hand.values()) < FULL_HAND:
        return None
    payments, tokens = claims[longest]
    return ClaimRoute(longest, payments[0], tokens[0] if tokens else None)


def draw(view: View) -> DrawCard | None:
    """Draw a ferry card if a long ferry route is open, else the color it holds most, else from the deck."""
    hand, market, legal = view.own.hand, view.public.market, view.own.legal
    ferries = [slot for slot in legal.draw.slots if market[slot] == FERRY]
    if ferries and not hand.get(FERRY) and any(route.ferries and route.length >= LONG for route in open_routes(view)):
        return DrawCard(ferries[0])
    most = held_most(hand)
    wanted = [slot for slot in legal.draw.slots if market[slot] == most]
    if wanted:
        return DrawCard(wanted[0])
    if legal.draw.deck:
        return DrawCard(None)
    return DrawCard(legal.draw.slots[0]) if legal.draw.slots else None


def held_most(hand: Mapping[Card, int]) -> Card | None:
    """The color it holds most cards of."""
    colors = [card for card in hand if card != FERRY]
    return max(colors, key=lambda card: hand[card], default=None)


def open_routes(view: View) -> list[Route]:
    """The unclaimed routes."""
    return [route for route in view.board.routes if route.id not in view.public.owners]
