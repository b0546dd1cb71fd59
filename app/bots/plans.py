"""Which routes a seat still needs for its tickets, and at what cost."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations

from app.rules import Board, DestinationTicket, Route, Seat, TicketId, View
from app.rules.board import Ends
from app.rules.paths import NEVER, cheapest_path

ORDERED_WHOLE = 3
"""Maximum tickets of which every order is tried; more would take too long."""


@dataclass(frozen=True, slots=True)
class Ground:
    """Where a seat can build: the cost of each of its own and the open routes, and its cars."""

    board: Board
    tolls: Sequence[int]
    cars: int


@dataclass(frozen=True, slots=True)
class Plan:
    """Routes to claim, each once, and the tickets that are done with them."""

    routes: tuple[Route, ...] = ()
    tickets: tuple[DestinationTicket, ...] = ()

    @property
    def cars(self) -> int:
        """Cars the plan takes."""
        return sum(route.length for route in self.routes)

    @property
    def points(self) -> int:
        """Points of the tickets."""
        return sum(ticket.points for ticket in self.tickets)


def open_routes(view: View) -> tuple[Route, ...]:
    """The routes that the view's seat could claim with the right cards."""
    gone = {*view.public.owners, *view.own.unavailable}
    return tuple(route for route in view.board.routes if route.id not in gone)


def survey(view: View, seat: Seat) -> Ground:
    """Where this seat can build. Its own routes cost nothing."""
    place, tolls = view.board.place, [NEVER] * len(view.board.routes)
    for route in open_routes(view):
        tolls[place[route.id]] = _toll(route)
    for claimed, owner in view.public.owners.items():
        if owner == seat:
            tolls[place[claimed]] = 0
    return Ground(view.board, tolls, view.public.players[seat].cars)


def routes_to_claim(board: Board, tolls: Sequence[int], ends: Ends) -> tuple[Route, ...] | None:
    """The routes to claim to join two locations by the cheapest path; None without a path."""
    start, end = (board.location_index[place] for place in ends)
    path = cheapest_path(board, tolls, start, end)
    return None if path is None else tuple(board.routes[number] for number in reversed(path) if tolls[number])


def _toll(route: Route) -> int:
    """Length decides; of equally long paths, the one with fewer ferries and then with fewer routes is cheaper."""
    return 1000 * route.length + 10 * route.ferries + 1


def make_plan(ground: Ground, tickets: Iterable[TicketId]) -> Plan:
    """The plan that brings most ticket points with the seat's cars; of equal ones the shortest."""
    printed = sorted((ground.board.ticket[ticket] for ticket in tickets), key=lambda ticket: -ticket.points)
    orders = permutations(printed) if len(printed) <= ORDERED_WHOLE else [tuple(printed)]
    return max((_plan_in_order(ground, order) for order in orders), key=lambda plan: (plan.points, -plan.cars))


def _plan_in_order(ground: Ground, tickets: Sequence[DestinationTicket]) -> Plan:
    """Plan one path after another, each free to use earlier ones. Tickets that take too many cars are left out."""
    plan, tolls = Plan(), list(ground.tolls)
    for ticket in tickets:
        added = routes_to_claim(ground.board, tolls, ticket.between)
        if added is None or plan.cars + sum(route.length for route in added) > ground.cars:
            continue
        plan = Plan(plan.routes + added, (*plan.tickets, ticket))
        for route in added:
            tolls[ground.board.place[route.id]] = 0
    return plan
