"""The game: pure rules, no input or output, no clock, no chance but the seed.

board = app.boards.load_board("san-francisco")
game = deal(board, seats=3, seed=seed)
while game.to_act:
    seat = game.to_act[0]
    game, events = play(game, seat, rng.choice(legal_actions(game, seat)))
score(game)

A simulation, which needs no position of its moves but the last, goes faster on a table: `play_on` is `play` there. What
comes from the rules need not be checked by them again: `carry_out` is `play_on` for legal actions.

table = Table(game)
while table.to_act:
    seat = table.to_act[0]
    carry_out(table, seat, any_action(table, seat, rng))
score(table.frozen())
"""

from .actions import (
    Action,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    IllegalActionError,
    KeepTickets,
    Pass,
    PlaceToken,
    Seat,
)
from .board import Board, DestinationTicket, Location, LocationId, Route, RouteId, Symbol, TicketId
from .cards import FERRY, Card, Payment
from .deal import deal, deal_with_events
from .events import Event, Viewer, seen_by
from .game import Game, Phase
from .legal import any_action, legal_actions
from .play import carry_out, play, play_on
from .replay import Entry, EntryKind, ReplayError, replay
from .scoring import End, Score, end_of, score
from .snapshot import RULES_VERSION, Snapshot, resumed, snapshot
from .table import Table
from .views import View, view

__all__ = [
    "FERRY",
    "RULES_VERSION",
    "Action",
    "Board",
    "Card",
    "ClaimRoute",
    "DestinationTicket",
    "DrawCard",
    "DrawTickets",
    "End",
    "Entry",
    "EntryKind",
    "Event",
    "Game",
    "IllegalActionError",
    "KeepTickets",
    "Location",
    "LocationId",
    "Pass",
    "Payment",
    "Phase",
    "PlaceToken",
    "ReplayError",
    "Route",
    "RouteId",
    "Score",
    "Seat",
    "Snapshot",
    "Symbol",
    "Table",
    "TicketId",
    "View",
    "Viewer",
    "any_action",
    "carry_out",
    "deal",
    "deal_with_events",
    "end_of",
    "legal_actions",
    "play",
    "play_on",
    "replay",
    "resumed",
    "score",
    "seen_by",
    "snapshot",
    "view",
]
