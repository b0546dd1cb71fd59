"""The board as numbers, for bots that weigh thousands of plans a second.

Locations and routes are told by their places in the board's lists, and a set of routes is a number with a bit for each.
"""

from collections.abc import Sequence
from functools import lru_cache

from app.rules import Board, RouteId, TicketId
from app.rules.paths import cheapest_path


class Graph:
    """What the plans need of a board. `ways` are a route's ways to pay, as the rules' tariff has them."""

    def __init__(self, board: Board) -> None:
        place = {location.id: number for number, location in enumerate(board.locations)}
        color = {card: number for number, card in enumerate(board.colors)}
        self.board = board
        self.places = place
        self.ends = [(place[route.between[0]], place[route.between[1]]) for route in board.routes]
        self.lengths = [route.length for route in board.routes]
        self.colors = [None if route.color is None else color[route.color] for route in board.routes]
        self.ferries = [route.ferries for route in board.routes]
        self.points = [board.route_points[route.length] for route in board.routes]
        self.twins = [None if route.twin is None else board.place[route.twin] for route in board.routes]
        self.ways = board.tariff.routes
        self.numbers = range(len(board.routes))
        self.tickets: dict[TicketId, tuple[int, int, int]] = {
            ticket.id: (place[ticket.between[0]], place[ticket.between[1]], ticket.points) for ticket in board.tickets
        }
        self.route: dict[RouteId, int] = {route.id: number for number, route in enumerate(board.routes)}

    def path(self, costs: Sequence[float], start: int, end: int) -> list[int] | None:
        """The routes of the cheapest path that have a cost; None if there is no path."""
        path = cheapest_path(self.board, costs, start, end)
        return None if path is None else [route for route in path if costs[route]]

    def parts(self, own: int) -> list[int]:
        """For each location the number of the part of a network that it belongs to: joined locations have the same."""
        part = list(range(len(self.places)))
        while own:
            lowest = own & -own
            own ^= lowest
            start, end = self.ends[lowest.bit_length() - 1]
            kept, gone = part[start], part[end]
            if kept != gone:
                part = [kept if each == gone else each for each in part]
        return part


@lru_cache(maxsize=16)
def graph_of(board: Board) -> Graph:
    """The graph of a board."""
    return Graph(board)
