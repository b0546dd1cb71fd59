"""The board by numbers, for bots that look at thousands of plans in a second.

Locations and routes are told by their places in the board's lists, and a set of routes is a number with a bit for each.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from heapq import heappop, heappush

from app.rules import Board, RouteId, TicketId

NEVER = 1e9
"""The cost of a route that can't be had."""


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
        self.roads: list[list[tuple[int, int]]] = [[] for _ in board.locations]
        for number, (start, end) in enumerate(self.ends):
            self.roads[start].append((number, end))
            self.roads[end].append((number, start))
        self.tickets: dict[TicketId, tuple[int, int, int]] = {
            ticket.id: (place[ticket.between[0]], place[ticket.between[1]], ticket.points) for ticket in board.tickets
        }
        self.route: dict[RouteId, int] = {route.id: number for number, route in enumerate(board.routes)}

    def path(self, costs: Sequence[float], start: int, end: int) -> list[int] | None:
        """The routes of the cheapest path that cost anything, by Dijkstra's algorithm; None if there is no path."""
        best = [NEVER] * len(self.roads)
        via: list[tuple[int, int]] = [(-1, -1)] * len(self.roads)
        best[start] = 0.0
        queue = [(0.0, start)]
        while queue:
            cost, here = heappop(queue)
            if here == end:
                return [route for route in _walked_back(via, start, end) if costs[route]]
            for route, there in self.roads[here] if cost <= best[here] else ():
                total = cost + costs[route]
                if total < best[there]:
                    best[there] = total
                    via[there] = route, here
                    heappush(queue, (total, there))
        return None

    def parts(self, own: int) -> list[int]:
        """For each location the number of the part of a network that it belongs to: joined locations have the same."""
        part = list(range(len(self.roads)))
        while own:
            lowest = own & -own
            own ^= lowest
            start, end = self.ends[lowest.bit_length() - 1]
            kept, gone = part[start], part[end]
            if kept != gone:
                part = [kept if each == gone else each for each in part]
        return part


def _walked_back(via: Sequence[tuple[int, int]], start: int, end: int) -> Iterator[int]:
    while end != start:
        route, end = via[end]
        yield route


@lru_cache(maxsize=16)
def graph_of(board: Board) -> Graph:
    """The graph of a board."""
    return Graph(board)
