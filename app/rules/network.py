"""Who owns which route, and all that follows from it: cars, points, what is closed, what can still be joined.

A claim makes a new `Network`; every other move shares the old one.
"""

from collections.abc import Mapping
from functools import lru_cache
from heapq import heappop, heappush
from typing import NamedTuple

from .actions import Seat
from .board import Board, LocationId, Route, RouteId
from .reasons import Reason
from .routesets import RouteSet

CLOSED = Reason(
    "route_closed", "This route is closed: with two players only one half of a double route can be claimed."
)


class Network(NamedTuple):
    """The owners of the claimed routes, in the order of the claims, and what follows from them for each seat.

    All but `owners` could be worked out from it; it is carried along because every move asks for it.

    - `cars` left (C2, R4), and `points` for routes (R5);
    - `own`: the routes of the seat;
    - `open`: the routes the seat could claim with the right cards (R3, R4, R6);
    - `closed`: unclaimed routes that nobody can claim any more (R6).
    """

    board: Board
    owners: Mapping[RouteId, Seat]
    cars: tuple[int, ...]
    points: tuple[int, ...]
    own: tuple[RouteSet, ...]
    open: tuple[RouteSet, ...]
    closed: tuple[RouteId, ...]

    @classmethod
    def empty(cls, board: Board, seats: int) -> "Network":
        """The network before the first claim."""
        everything = board.routes_within[-1]
        return cls(board, {}, (board.cars_per_player,) * seats, (0,) * seats, (0,) * seats, (everything,) * seats, ())

    def claimed(self, route: Route, seat: Seat) -> "Network":
        """The network with one more route owned by a seat that could claim it."""
        board, bit, closed = self.board, self.board.bit[route.id], self.closed
        cars, points, own, left = list(self.cars), list(self.points), list(self.own), list(self.open)
        cars[seat] -= route.length
        points[seat] += board.route_points[route.length]
        own[seat] |= bit
        left[seat] &= board.routes_within[cars[seat]]
        if route.twin:
            left[seat] &= ~board.bit[route.twin]
        if route.twin and len(cars) == 2:
            bit |= board.bit[route.twin]
            closed = (*closed, route.twin)
        left = [routes & ~bit for routes in left]
        owners = {**self.owners, route.id: seat}
        return Network(board, owners, tuple(cars), tuple(points), tuple(own), tuple(left), closed)

    def barred(self, route: Route, seat: Seat) -> Reason | None:
        """Why a seat can't have a route whatever cards it holds; None if it could."""
        if self.board.bit[route.id] & self.open[seat]:
            return None
        if route.id in self.owners:
            return Reason("route_taken", "This route is taken.")
        if route.id in self.closed:
            return CLOSED
        if route.twin is not None and self.owners.get(route.twin) == seat:
            return Reason("twin_owned", "You own the other half of this double route.")
        short = route.length - self.cars[seat]
        cars = "cable car" if short == 1 else "cable cars"
        return Reason("cars_short", f"You are {short} {cars} short for this route.", {"n": short})

    def joins(self, seat: Seat, start: LocationId, end: LocationId) -> bool:
        """Whether the seat's own routes make an unbroken path between two locations (F2)."""
        return cheapest(self.board, self.own[seat], self.open[seat], start, end) == 0


@lru_cache(maxsize=4096)
def cheapest(board: Board, own: RouteSet, free: RouteSet, start: LocationId, end: LocationId) -> int | None:
    """The cars it takes to join two locations, 0 when they are joined, None when nothing can join them.

    Dijkstra's algorithm: own routes cost nothing, free ones their length.
    """
    seen: set[LocationId] = set()
    queue: list[tuple[int, LocationId]] = [(0, start)]
    while queue:
        cost, place = heappop(queue)
        if place == end:
            return cost
        if place in seen:
            continue
        seen.add(place)
        for bit, length, other in board.ways_from[place]:
            if bit & own:
                heappush(queue, (cost, other))
            elif bit & free:
                heappush(queue, (cost + length, other))
    return None
