"""Who owns which route, and all that follows from it: cars, points, what is closed, what can still be joined.

A claim makes a new `Network`; every other move shares the old one, and with it what was worked out already.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush

from .actions import Seat
from .board import Board, LocationId, Route, RouteId

Costs = Mapping[LocationId, int]
Routes = Mapping[RouteId, Route]


@dataclass(frozen=True)
class Network:
    """The owners of the claimed routes, in the order of the claims, and what follows from them for each seat.

    All but `owners` could be worked out from it; it is carried along because every move asks for it.

    - `cars` left (C2, R4), and `points` for routes (R5);
    - `open`: the routes the seat could claim with the right cards (R3, R4, R6);
    - `closed`: unclaimed routes that nobody can claim any more (R6).
    """

    board: Board
    owners: Mapping[RouteId, Seat]
    cars: tuple[int, ...]
    points: tuple[int, ...]
    open: tuple[Routes, ...]
    closed: tuple[RouteId, ...]
    _costs: dict[tuple[Seat, LocationId], Costs] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def empty(cls, board: Board, seats: int) -> "Network":
        """The network before the first claim."""
        return cls(board, {}, (board.cars_per_player,) * seats, (0,) * seats, (board.route,) * seats, ())

    def claimed(self, route: Route, seat: Seat) -> "Network":
        """The network with one more route owned by a seat that could claim it."""
        left = self.cars[seat] - route.length
        worth = self.board.route_points[route.length]
        shut = (route.twin,) if route.twin and len(self.cars) == 2 else ()
        return Network(
            self.board,
            {**self.owners, route.id: seat},
            (*self.cars[:seat], left, *self.cars[seat + 1 :]),
            (*self.points[:seat], self.points[seat] + worth, *self.points[seat + 1 :]),
            tuple(
                _without(routes, (route.id, route.twin), left) if owner == seat else _without(routes, (route.id, *shut))
                for owner, routes in enumerate(self.open)
            ),
            self.closed + shut,
        )

    def barred(self, route: Route, seat: Seat) -> str | None:
        """Why a seat can't have a route whatever cards it holds, in a sentence; None if it could."""
        if route.id in self.owners:
            return "This route is taken."
        if route.id in self.closed:
            return "This route is closed: with two players only one half of a double route can be claimed."
        if route.twin is not None and self.owners.get(route.twin) == seat:
            return "You own the other half of this double route."
        short = route.length - self.cars[seat]
        return f"You are {short} cable cars short for this route." if short > 0 else None

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
        toll = {route.id: route.length for route in self.open[seat].values()}
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


def _without(routes: Routes, gone: Iterable[RouteId | None], cars: int | None = None) -> Routes:
    """The routes but those gone and, where the cars left are told, those that are longer."""
    left = dict(routes)
    for route in gone:
        left.pop(route, None)  # type: ignore[arg-type]
    return left if cars is None else {name: route for name, route in left.items() if route.length <= cars}
