"""Who owns which route, and all that follows from it: cars, points, what is closed, what can still be joined.

A `Network` is the one of a position. Claims are carried out on a `GrowingNetwork`.
"""

from collections.abc import Mapping
from functools import lru_cache, partial
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
    - `allowed`: the routes the seat has the cars for, and not the twin of (R4, R6);
    - `free`: the routes that are neither claimed nor closed (R3);
    - `closed`: unclaimed routes that nobody can claim any more (R6).
    """

    board: Board
    owners: Mapping[RouteId, Seat]
    cars: tuple[int, ...]
    points: tuple[int, ...]
    own: tuple[RouteSet, ...]
    allowed: tuple[RouteSet, ...]
    free: RouteSet
    closed: tuple[RouteId, ...]

    @classmethod
    def empty(cls, board: Board, seats: int) -> "Network":
        """The network before the first claim."""
        everything = board.routes_within[-1]
        none = (0,) * seats
        return cls(board, {}, (board.cars_per_player,) * seats, none, none, (everything,) * seats, everything, ())

    def open_to(self, seat: Seat) -> RouteSet:
        """The routes a seat could claim with the right cards."""
        return self.free & self.allowed[seat]

    def claimed(self, route: Route, seat: Seat) -> "Network":
        """The network with one more route owned by a seat that could claim it."""
        growing = self.growing()
        growing.claim(route, seat)
        return growing.frozen()

    def frozen(self) -> "Network":
        """This."""
        return self

    def growing(self) -> "GrowingNetwork":
        """The same to be built on."""
        return GrowingNetwork(self)

    def barred(self, route: Route, seat: Seat) -> Reason | None:
        """Why a seat can't have a route whatever cards it holds; None if it could."""
        if self.board.bit[route.id] & self.open_to(seat):
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
        return cheapest(self.board, self.own[seat], self.open_to(seat), start, end) == 0


class GrowingNetwork:
    """A network to be built on: the fields of `Network`, changed in place by each claim."""

    __slots__ = Network._fields

    board: Board
    owners: dict[RouteId, Seat]
    cars: list[int]
    points: list[int]
    own: list[RouteSet]
    allowed: list[RouteSet]
    free: RouteSet
    closed: tuple[RouteId, ...]

    def __init__(self, network: Network) -> None:
        self.board, owners, cars, points, own, allowed, self.free, self.closed = network
        self.owners = dict(owners)
        self.cars = list(cars)
        self.points = list(points)
        self.own = list(own)
        self.allowed = list(allowed)

    def growing(self) -> "GrowingNetwork":
        """This."""
        return self

    def frozen(self) -> Network:
        """The network as it is now."""
        return Network(
            self.board,
            dict(self.owners),
            tuple(self.cars),
            tuple(self.points),
            tuple(self.own),
            tuple(self.allowed),
            self.free,
            self.closed,
        )

    def barred(self, route: Route, seat: Seat) -> Reason | None:
        """Why a seat can't have a route whatever cards it holds; None if it could."""
        return self.frozen().barred(route, seat)

    def claim(self, route: Route, seat: Seat) -> None:
        """Give a route to a seat that could claim it (R3 to R6)."""
        board = self.board
        claimed = board.bit[route.id]
        self.owners[route.id] = seat
        self.points[seat] += board.route_points[route.length]
        self.cars[seat] = cars = self.cars[seat] - route.length
        self.own[seat] |= claimed
        self.allowed[seat] &= board.routes_within[cars]
        self.free ^= claimed
        if route.twin:
            self._part(route.twin, seat)

    def _part(self, twin: RouteId, seat: Seat) -> None:
        """Bar the other half of a double route to the owner of one, and of two players to both (R6)."""
        other = self.board.bit[twin]
        self.allowed[seat] &= ~other
        if len(self.cars) == 2:
            self.free &= ~other
            self.closed = (*self.closed, twin)


@lru_cache(maxsize=4096)
def cheapest(board: Board, own: RouteSet, free: RouteSet, start: LocationId, end: LocationId) -> int | None:
    """The cars it takes to join two locations, 0 when they are joined, None when nothing can join them.

    Remembered for the own routes, since what others claim leaves most paths as they are.
    """
    return _remembered(board, own, start, end).cost(free)


EVERY_ROUTE = ~0
"""Taken by a path before one was looked for: it is never free."""


class _Path:
    """The cheapest path between two locations with the same own routes, as it was found last."""

    __slots__ = ("_cost", "_free", "_search", "_taken")

    def __init__(self, board: Board, own: RouteSet, start: LocationId, end: LocationId) -> None:
        self._search = partial(_cheapest_path, board, own, start, end)
        self._free = 0
        self._taken = EVERY_ROUTE
        self._cost: int | None = None

    def cost(self, free: RouteSet) -> int | None:
        """What it costs with these free routes: when some are gone, but none of the path, it is still the cheapest."""
        if free & ~self._free or self._taken & ~free:
            self._cost, self._taken = self._search(free)
            self._free = free
        return self._cost


_remembered = lru_cache(maxsize=4096)(_Path)


def _cheapest_path(
    board: Board, own: RouteSet, start: LocationId, end: LocationId, free: RouteSet
) -> tuple[int | None, RouteSet]:
    """The cost of the cheapest path, and the free routes it takes.

    Dijkstra's algorithm: own routes cost nothing, free ones their length.
    """
    ways_from = board.ways_from
    seen: set[LocationId] = set()
    queue: list[tuple[int, LocationId, RouteSet]] = [(0, start, 0)]
    while queue:
        cost, place, taken = heappop(queue)
        if place == end:
            return cost, taken
        if place in seen:
            continue
        seen.add(place)
        for bit, length, other in ways_from[place]:
            if other in seen:
                continue
            if bit & free:
                heappush(queue, (cost + length, other, taken | bit))
            elif bit & own:
                heappush(queue, (cost, other, taken))
    return None, 0
