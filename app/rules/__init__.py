"""The game: pure rules, no input or output, no clock, no chance but the seed.

board = load_board("san-francisco")
game = deal(board, seats=3, seed=seed)
while game.to_act:
    seat = game.to_act[0]
    game, events = play(game, seat, rng.choice(legal_actions(game, seat)))
score(game)

A simulation, which needs no position of its moves but the last, goes faster on a table:

table = Table(game)
while table.to_act:
    seat = table.to_act[0]
    play_on(table, seat, rng.choice(legal_actions(table, seat)))
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
from .boarderror import BoardError
from .boardfile import load_board, parse_board
from .cards import FERRY, Card, Payment
from .deal import deal, deal_with_events
from .events import Event, Viewer, seen_by
from .game import Game, Phase
from .legal import legal_actions
from .play import play, play_on
from .scoring import Score, score
from .snapshot import RULES_VERSION, Snapshot, resumed, snapshot
from .table import Table
from .views import View, view

__all__ = [
    "FERRY",
    "RULES_VERSION",
    "Action",
    "Board",
    "BoardError",
    "Card",
    "ClaimRoute",
    "DestinationTicket",
    "DrawCard",
    "DrawTickets",
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
    "deal",
    "deal_with_events",
    "legal_actions",
    "load_board",
    "parse_board",
    "play",
    "play_on",
    "resumed",
    "score",
    "seen_by",
    "snapshot",
    "view",
]
