"""What happened in a game, for animations and the log.

Every event goes through `seen_by` before anybody is told of it.
"""

from typing import Literal, NamedTuple, assert_never

from .actions import Seat
from .board import LocationId, RouteId, Symbol, TicketId
from .cards import Card, Payment

Viewer = Seat | None
"""A seat, or None for a spectator."""


class FirstTicketsKept(NamedTuple):
    """A player chose first tickets. Until all have chosen, others learn only that (S4)."""

    seat: Seat
    kept: tuple[TicketId, ...] | None
    type: Literal["first_tickets_kept"] = "first_tickets_kept"


class TokenPlaced(NamedTuple):
    """A stack was put on a location (S5)."""

    seat: Seat
    symbol: Symbol
    location: LocationId
    type: Literal["token_placed"] = "token_placed"


class MarketCardTaken(NamedTuple):
    """A card of the market went to a hand (D1)."""

    seat: Seat
    slot: int
    card: Card
    type: Literal["market_card_taken"] = "market_card_taken"


class DeckCardDrawn(NamedTuple):
    """The top card of the deck went to a hand (D1)."""

    seat: Seat
    card: Card | None
    type: Literal["deck_card_drawn"] = "deck_card_drawn"


class MarketFilled(NamedTuple):
    """A card was laid on an empty place of the market."""

    slot: int
    card: Card
    type: Literal["market_filled"] = "market_filled"


class MarketFlushed(NamedTuple):
    """Three or more ferries: the market was discarded (D4)."""

    cards: tuple[Card, ...]
    type: Literal["market_flushed"] = "market_flushed"


class FlushStopped(NamedTuple):
    """The market keeps its ferries (D4), because too few other cards are left or it was flushed too often."""

    reason: Literal["few_cards", "limit"]
    type: Literal["flush_stopped"] = "flush_stopped"


class DeckReshuffled(NamedTuple):
    """The discards became the deck (D3)."""

    cards: int
    type: Literal["deck_reshuffled"] = "deck_reshuffled"


class RouteClaimed(NamedTuple):
    """A player claimed a route and scored its points (R5)."""

    seat: Seat
    route: RouteId
    payment: Payment
    points: int
    type: Literal["route_claimed"] = "route_claimed"


class TokenTaken(NamedTuple):
    """A tourist token went to a player (R7)."""

    seat: Seat
    symbol: Symbol
    location: LocationId | None
    type: Literal["token_taken"] = "token_taken"


class TicketsDrawn(NamedTuple):
    """A player drew tickets to choose from (K1). Their number is public."""

    seat: Seat
    number: int
    tickets: tuple[TicketId, ...] | None
    type: Literal["tickets_drawn"] = "tickets_drawn"


class TicketsKept(NamedTuple):
    """A player kept some of the tickets drawn; the rest went under the deck (K1)."""

    seat: Seat
    number: int
    returned: int
    kept: tuple[TicketId, ...] | None
    type: Literal["tickets_kept"] = "tickets_kept"


class Passed(NamedTuple):
    """A player had no other legal action (T2)."""

    seat: Seat
    type: Literal["passed"] = "passed"


class LastTurnsBegan(NamedTuple):
    """A player is almost out of cars, so everybody has one more turn (F1)."""

    seat: Seat
    turns: int
    type: Literal["last_turns_began"] = "last_turns_began"


class GameEnded(NamedTuple):
    """The game is over, after the last turns (F1) or because all players passed in a row (T2)."""

    reason: Literal["last_turns", "all_passed"]
    type: Literal["game_ended"] = "game_ended"


Event = (
    FirstTicketsKept
    | TokenPlaced
    | MarketCardTaken
    | DeckCardDrawn
    | MarketFilled
    | MarketFlushed
    | FlushStopped
    | DeckReshuffled
    | RouteClaimed
    | TokenTaken
    | TicketsDrawn
    | TicketsKept
    | Passed
    | LastTurnsBegan
    | GameEnded
)


def seen_by(event: Event, viewer: Viewer) -> Event:
    """The event without what this viewer may not know. Of others' hidden cards and tickets only the number stays."""
    match event:
        case DeckCardDrawn():
            return event if event.seat == viewer else event._replace(card=None)
        case (
            MarketFilled()
            | MarketCardTaken()
            | RouteClaimed()
            | TokenTaken()
            | TokenPlaced()
            | MarketFlushed()
            | FlushStopped()
            | DeckReshuffled()
            | Passed()
            | LastTurnsBegan()
            | GameEnded()
        ):
            return event
        case FirstTicketsKept() | TicketsKept():
            return event if event.seat == viewer else event._replace(kept=None)
        case TicketsDrawn():
            return event if event.seat == viewer else event._replace(tickets=None)
        case _:
            assert_never(event)
