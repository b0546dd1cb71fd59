"""The owners of routes, and what follows from them: cars, points, closed routes, and what can still be joined.

A `Network` belongs to a position. Claims change a `GrowingNetwork`.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from .actions import Seat
from .board import Board, LocationId, Route, RouteId
from .paths import NEVER, cheapest_path
from .reasons import Reason
from .routesets import RouteSet

CLOSED = Reason(
    "route_closed", "This route is closed: with two players only one half of a double route can be claimed."
)


class Network(NamedTuple):
    """The owners of the claimed routes, in the order of the claims, and what follows from them for each seat.

    Everything but `owners` could be computed from it, and is kept because every move needs it.

    - `cars` left (C2, R4), and `points` for routes (R5);
    - `own`: the routes of the seat;
    - `allowed`: the routes that the seat has the cars for and whose twin it does not own (R4, R6);
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
        """The routes that a seat could claim with the right cards."""
        return self.free & self.allowed[seat]

    def unavailable_to(self, seat: Seat) -> tuple[RouteId, ...]:
        """The unclaimed routes that a seat can never claim: closed, the twin of an own one, or too long (R4, R6)."""
        return (*self.closed, *_named(self.board, self.free & ~self.allowed[seat]))

    def claimed(self, route: Route, seat: Seat) -> "Network":
        """The network after a claim by a seat to which the route is open."""
        growing = self.growing()
        growing.claim(route, seat)
        return growing.frozen()

    def frozen(self) -> "Network":
        return self

    def growing(self) -> "GrowingNetwork":
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
        """Whether the seat's own routes connect two locations (F2)."""
        return cheapest(self.board, self.own[seat], self.open_to(seat), start, end) == 0


class GrowingNetwork:
    """The fields of a `Network`, which claims change in place."""

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
        return self

    def frozen(self) -> Network:
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
        """Give a route to a seat to which it is open (R3 to R6)."""
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
        """Close the other half of a double route to its owner, and with two players to both (R6)."""
        other = self.board.bit[twin]
        self.allowed[seat] &= ~other
        if len(self.cars) == 2:
            self.free &= ~other
            self.closed = (*self.closed, twin)


def cheapest(board: Board, own: RouteSet, free: RouteSet, start: LocationId, end: LocationId) -> int | None:
    """The cars it takes to join two locations: 0 when they are joined, None when nothing can join them.

    A path is remembered as long as the own routes stay the same, since others' claims leave most paths as they are.
    """
    return _remembered(board, own, start, end).cost(free)


class _Path:
    """The cheapest path between two locations for a set of own routes, and the free routes that it was found with."""

    __slots__ = ("_board", "_cost", "_ends", "_free", "_own", "_taken")

    def __init__(self, board: Board, own: RouteSet, start: LocationId, end: LocationId) -> None:
        self._board = board
        self._own = own
        self._ends = board.location_index[start], board.location_index[end]
        self._free: RouteSet | None = None
        self._taken: RouteSet = 0
        self._cost: int | None = None

    def cost(self, free: RouteSet) -> int | None:
        """The cost with these free routes. While routes are only lost, and none of the path, it stays the cheapest."""
        if self._free is None or free & ~self._free or self._taken & ~free:
            self._search(free)
            self._free = free
        return self._cost

    def _search(self, free: RouteSet) -> None:
        board = self._board
        costs = _costs(board, self._own, free)
        path = cheapest_path(board, costs, *self._ends)
        self._cost = None if path is None else sum([costs[route] for route in path])
        self._taken = sum([board.tariff.routes[route] for route in path or () if costs[route]])


_remembered = lru_cache(maxsize=4096)(_Path)


@lru_cache(maxsize=16)
def _costs(board: Board, own: RouteSet, free: RouteSet) -> list[int]:
    """The cars that each route costs. Cached for the other tickets of the seat."""
    routes = zip(board.tariff.routes, board.lengths, strict=True)
    return [0 if bit & own else length if bit & free else NEVER for bit, length in routes]


@lru_cache(maxsize=4096)
def _named(board: Board, routes: RouteSet) -> tuple[RouteId, ...]:
    return tuple([route.id for route in board.routes if board.bit[route.id] & routes])
