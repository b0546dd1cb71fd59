"""What players may do. Actions hold ids only."""

from dataclasses import dataclass
from typing import Literal, NewType

from .board import LocationId, RouteId, Symbol, TicketId
from .cards import Payment
from .reasons import FACTS, Reason

Seat = NewType("Seat", int)
"""A place in the game, from 0; the order of the seats is the order of play (S1)."""


@dataclass(frozen=True, slots=True)
class KeepTickets:
    """Keep these of the tickets on offer; the others go back (S4, K1)."""

    tickets: tuple[TicketId, ...]
    type: Literal["keep_tickets"] = "keep_tickets"


@dataclass(frozen=True, slots=True)
class PlaceToken:
    """Put an unplaced stack on a location that has none (S5)."""

    symbol: Symbol
    location: LocationId
    type: Literal["place_token"] = "place_token"


@dataclass(frozen=True, slots=True)
class DrawCard:
    """Take one card (D1): from a place of the market, 0 to 4, or None for the deck."""

    slot: int | None
    type: Literal["draw_card"] = "draw_card"


@dataclass(frozen=True, slots=True)
class DrawTickets:
    """Draw destination tickets, to keep some of them (K1)."""

    type: Literal["draw_tickets"] = "draw_tickets"


@dataclass(frozen=True, slots=True)
class ClaimRoute:
    """Pay for a route and put cars on it (R1). `token` may be None where there is at most one to take (R7)."""

    route: RouteId
    payment: Payment
    token: Symbol | None = None
    type: Literal["claim_route"] = "claim_route"


@dataclass(frozen=True, slots=True)
class Pass:
    """Do nothing, which is legal only when nothing else is (T2)."""

    type: Literal["pass"] = "pass"


Action = KeepTickets | PlaceToken | DrawCard | DrawTickets | ClaimRoute | Pass


class IllegalActionError(ValueError):
    """An action the rules refuse. The game is unchanged.

    `code` is `not_your_turn` or `illegal_action`. The text is one sentence for the player, and reveals nothing that the
    player may not know.
    """

    def __init__(self, reason: Reason, code: Literal["illegal_action", "not_your_turn"] = "illegal_action") -> None:
        assert reason.facts.keys() == FACTS.get(reason.name, frozenset()), reason
        super().__init__(reason.sentence)
        self.reason = reason
        self.code = code
