"""The shape of a view in JSON, for the OpenAPI document; a test holds every view against it.

Views are not built from it: they are encoded in two parts for speed (`views`).
"""

from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from app.rules import Phase, Score
from app.rules.game import LAST_SEAT
from app.rules.legal import Placement
from app.rules.views import LegalDraw, PublicHoldings, StackView, TicketView

CLOSED = ConfigDict(extra="forbid")
Seat = Annotated[int, Field(ge=0, le=LAST_SEAT)]
Count = Annotated[int, Field(ge=0)]


@dataclass(frozen=True, config=CLOSED)
class KeepShape:
    """Tickets to choose from, and how many have to be kept."""

    source: Annotated[list[str], Field(alias="from")]
    least: Count


@dataclass(frozen=True, config=CLOSED)
class ClaimShape:
    """Each payment with each token claims the route."""

    payments: list[dict[str, Count]]
    tokens: list[str]


@dataclass(frozen=True, config=CLOSED)
class LegalShape:
    """All that the seat may do now."""

    draw: LegalDraw
    draw_tickets: bool
    keep: KeepShape | None
    place: Placement | None
    claims: dict[str, ClaimShape]
    may_pass: Annotated[bool, Field(alias="pass")]


@dataclass(frozen=True, config=CLOSED)
class ViewShape:
    """A game as one viewer may know it."""

    version: Count
    seat: Seat | None
    phase: Phase
    to_act: list[Seat]
    first_player: Seat
    market: list[str | None]
    deck: Count
    discard: dict[str, Count]
    ticket_deck: Count
    stacks: dict[str, StackView]
    unplaced: list[str]
    owners: dict[str, Seat]
    closed: list[str]
    players: list[PublicHoldings]
    last_turns: Count | None
    deadline: str | None
    hand: dict[str, Count]
    tickets: list[TicketView]
    offer: list[str]
    legal: LegalShape
    scores: list[Score] | None
