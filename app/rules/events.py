"""What happened, in the past tense, for animation and the log.

Every event says by `seen_by` what a viewer may know of it; a new kind that doesn't can't be made.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Literal

from .actions import Seat
from .board import LocationId, RouteId, Symbol, TicketId
from .cards import Card, Payment

Viewer = Seat | None
"""A seat, or None for a spectator."""


class Event(ABC):
    """Something that happened in a game."""

    __slots__ = ()

    @abstractmethod
    def seen_by(self, viewer: Viewer) -> "Event":
        """The event with nothing in it that this viewer may not know."""


class PublicEvent(Event):
    """An event that all see whole."""

    __slots__ = ()

    def seen_by(self, viewer: Viewer) -> Event:
        """The event itself."""
        return self


@dataclass(frozen=True, slots=True)
class FirstTicketsKept(Event):
    """A first choice was made. Others learn only that (S4), until all have chosen."""

    seat: Seat
    kept: tuple[TicketId, ...] | None
    type: Literal["first_tickets_kept"] = "first_tickets_kept"

    def seen_by(self, viewer: Viewer) -> Event:
        """Others don't learn which or how many were kept."""
        return self if viewer == self.seat else replace(self, kept=None)


@dataclass(frozen=True, slots=True)
class TokenPlaced(PublicEvent):
    """A stack was put on a location (S5)."""

    seat: Seat
    symbol: Symbol
    location: LocationId
    type: Literal["token_placed"] = "token_placed"


@dataclass(frozen=True, slots=True)
class TurnBegan(PublicEvent):
    """It is this seat's turn."""

    seat: Seat
    type: Literal["turn_began"] = "turn_began"


@dataclass(frozen=True, slots=True)
class MarketCardTaken(PublicEvent):
    """A card of the market went to a hand (D1)."""

    seat: Seat
    slot: int
    card: Card
    type: Literal["market_card_taken"] = "market_card_taken"


@dataclass(frozen=True, slots=True)
class DeckCardDrawn(Event):
    """The top card of the deck went to a hand (D1)."""

    seat: Seat
    card: Card | None
    type: Literal["deck_card_drawn"] = "deck_card_drawn"

    def seen_by(self, viewer: Viewer) -> Event:
        """Others don't learn the card."""
        return self if viewer == self.seat else replace(self, card=None)


@dataclass(frozen=True, slots=True)
class MarketFilled(PublicEvent):
    """A card was laid on an empty place of the market."""

    slot: int
    card: Card
    type: Literal["market_filled"] = "market_filled"


@dataclass(frozen=True, slots=True)
class MarketFlushed(PublicEvent):
    """Three or more ferries: the market was discarded (D4)."""

    cards: tuple[Card, ...]
    type: Literal["market_flushed"] = "market_flushed"


@dataclass(frozen=True, slots=True)
class FlushStopped(PublicEvent):
    """The market stays in spite of its ferries (D4): too few other cards are left, or it was flushed too often."""

    reason: Literal["few_cards", "limit"]
    type: Literal["flush_stopped"] = "flush_stopped"


@dataclass(frozen=True, slots=True)
class DeckReshuffled(PublicEvent):
    """The discards became the deck (D3)."""

    cards: int
    type: Literal["deck_reshuffled"] = "deck_reshuffled"


@dataclass(frozen=True, slots=True)
class RouteClaimed(PublicEvent):
    """A route has an owner, and the points are scored (R5)."""

    seat: Seat
    route: RouteId
    payment: Payment
    points: int
    type: Literal["route_claimed"] = "route_claimed"


@dataclass(frozen=True, slots=True)
class TokenTaken(PublicEvent):
    """A tourist token went to a player (R7)."""

    seat: Seat
    symbol: Symbol
    location: LocationId | None
    type: Literal["token_taken"] = "token_taken"


@dataclass(frozen=True, slots=True)
class TicketsDrawn(Event):
    """A player looks at tickets (K1). Their number is public."""

    seat: Seat
    number: int
    tickets: tuple[TicketId, ...] | None
    type: Literal["tickets_drawn"] = "tickets_drawn"

    def seen_by(self, viewer: Viewer) -> Event:
        """Others don't learn which."""
        return self if viewer == self.seat else replace(self, tickets=None)


@dataclass(frozen=True, slots=True)
class TicketsKept(Event):
    """A player kept some of the tickets drawn; the rest went under the deck (K1)."""

    seat: Seat
    number: int
    returned: int
    kept: tuple[TicketId, ...] | None
    type: Literal["tickets_kept"] = "tickets_kept"

    def seen_by(self, viewer: Viewer) -> Event:
        """Others don't learn which."""
        return self if viewer == self.seat else replace(self, kept=None)


@dataclass(frozen=True, slots=True)
class Passed(PublicEvent):
    """A player could do nothing (T2)."""

    seat: Seat
    type: Literal["passed"] = "passed"


@dataclass(frozen=True, slots=True)
class LastTurnsBegan(PublicEvent):
    """This player is nearly out of cars: everybody has one more turn (F1)."""

    seat: Seat
    turns: int
    type: Literal["last_turns_began"] = "last_turns_began"


@dataclass(frozen=True, slots=True)
class GameEnded(PublicEvent):
    """The game is over: after the last turns (F1), or because nobody could do anything (T2)."""

    reason: Literal["last_turns", "all_passed"]
    type: Literal["game_ended"] = "game_ended"
