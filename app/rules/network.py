"""Who owns which route, and all that follows from it: cars, points, what is closed, what can still be joined.

A claim makes a new `Network`; every other move shares the old one, and with it what was worked out already.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heappop, heappush

from .actions import Seat
from .board import Board, LocationId, Route, RouteId

Costs = Mapping[LocationId, int]


@dataclass(frozen=True)
class Network:
    """The owners of the claimed routes, in the order of the claims."""

    board: Board
    seats: int
    owners: Mapping[RouteId, Seat]
    _costs: dict[tuple[Seat, LocationId], Costs] = field(default_factory=dict, compare=False, repr=False)
    _open: dict[Seat, tuple[Route, ...]] = field(default_factory=dict, compare=False, repr=False)

    def claimed(self, route: RouteId, seat: Seat) -> "Network":
        """The network with one more route owned."""
        return Network(self.board, self.seats, {**self.owners, route: seat})

    @cached_property
    def cars(self) -> tuple[int, ...]:
        """Cars left to each seat (C2, R4)."""
        used = [0] * self.seats
        for route, seat in self.owners.items():
            used[seat] += self.board.route[route].length
        return tuple(self.board.cars_per_player - number for number in used)

    @cached_property
    def points(self) -> tuple[int, ...]:
        """Points for routes of each seat (R5)."""
        points = [0] * self.seats
        for route, seat in self.owners.items():
            points[seat] += self.board.route_points[self.board.route[route].length]
        return tuple(points)

    @cached_property
    def closed(self) -> tuple[RouteId, ...]:
        """Unclaimed routes that nobody can claim any more: with 2 players the twin of a claimed route (R6)."""
        if self.seats > 2:
            return ()
        return tuple(
            route.id for route in self.board.routes if route.id not in self.owners and route.twin in self.owners
        )

    def barred(self, route: Route, seat: Seat) -> str | None:
        """Why this seat can't have the route whatever cards it holds, in a sentence; None if it could (R3, R4, R6)."""
        if route.id in self.owners:
            return "This route is taken."
        if route.id in self.closed:
            return "This route is closed: with two players only one half of a double route can be claimed."
        if route.twin is not None and self.owners.get(route.twin) == seat:
            return "You own the other half of this double route."
        short = route.length - self.cars[seat]
        return f"You are {short} cable cars short for this route." if short > 0 else None

    def open_to(self, seat: Seat) -> tuple[Route, ...]:
        """The routes this seat could claim with the right cards."""
        if seat not in self._open:
            self._open[seat] = tuple(route for route in self.board.routes if self.barred(route, seat) is None)
        return self._open[seat]

    def cost(self, seat: Seat, start: LocationId, end: LocationId) -> int | None:
        """Cars this seat still has to spend to join two locations: 0 when joined, None when nothing can join them."""
        if (seat, start) not in self._costs:
            self._costs[seat, start] = self._cheapest(seat, start)
        return self._costs[seat, start].get(end)

    def joins(self, seat: Seat, start: LocationId, end: LocationId) -> bool:
        """Whether the seat's own routes make an unbroken path between two locations (F2)."""
        return self.cost(seat, start, end) == 0

    def reachable(self, seat: Seat, start: LocationId, end: LocationId) -> bool:
        """Whether the seat has the cars for a path between two locations over its own and open routes."""
        cost = self.cost(seat, start, end)
        return cost is not None and cost <= self.cars[seat]

    def _cheapest(self, seat: Seat, start: LocationId) -> Costs:
        """Dijkstra's algorithm: own routes are free, open ones cost their length."""
        toll = {route.id: route.length for route in self.open_to(seat)}
        toll |= {route: 0 for route, owner in self.owners.items() if owner == seat}
        costs: dict[LocationId, int] = {}
        queue: list[tuple[int, LocationId]] = [(0, start)]
        while queue:
            cost, place = heappop(queue)
            if place in costs:
                continue
            costs[place] = cost
            for route, other in self.board.routes_at[place]:
                if route.id in toll and other not in costs:
                    heappush(queue, (cost + toll[route.id], other))
        return costs
