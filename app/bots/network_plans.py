"""Plans for a whole game: one network for all tickets, and long routes for the cable cars that are left.

Many plans are made with chance in the costs, and each is weighed by what it brings and by the turns it takes.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from random import Random

from app.rules import Seat
from app.rules.game import LAST_TURNS_AT
from app.rules.paths import NEVER
from app.rules.table import Position

from .clock import Clock
from .graph import Graph

TURN = 4.5
"""Points that a turn is worth."""

CARD = 0.56
"""Turns to get a lacking card."""

FERRY_CARD = 0.9
"""Turns to get a lacking ferry."""

TOKEN = 1.6
"""Approximate points of one more tourist token (F3)."""

LATE = 3.0
"""Points lost with each turn that a plan takes after the game's end."""

PRICES = (0.0, 0.6, 1.4)
"""Prices of a cable car in points: a high one makes paths short, a low one makes them score more."""

DROPPED = 0.25
"""The share of plans that leave some tickets out."""

Ticket = tuple[int, int, int]
"""Two locations and points."""


@dataclass(slots=True)
class Stand:
    """The situation of a seat. `own` and `open` are sets of routes; `left` is the number of turns it may still have."""

    graph: Graph
    own: int
    open: int
    cars: int
    hand: Sequence[int]
    tickets: Sequence[Ticket]
    takeable: Collection[int]
    tokens: int
    left: float


@dataclass(slots=True)
class Plan:
    """Routes to claim, and their expected result."""

    routes: list[int]
    worth: float = 0.0
    turns: float = 0.0


def stand(graph: Graph, table: Position, seat: Seat, tickets: Sequence[Ticket]) -> Stand:
    """The situation of a seat at a table, with these tickets."""
    network, number = table.network, graph.route
    own = 0
    for claimed, owner in network.owners.items():
        if owner == seat:
            own |= 1 << number[claimed]
    ways, open_ways = graph.ways, network.free & network.allowed[seat]
    open_ = 0
    for route in graph.numbers:
        if ways[route] & open_ways:
            open_ |= 1 << route
    return Stand(
        graph,
        own,
        open_,
        network.cars[seat],
        table.hands[seat],
        tickets,
        {graph.places[place] for place in table.tokens.takeable[seat]},
        len(table.tokens.owned[seat]),
        turns_left(table, seat),
    )


def turns_left(table: Position, seat: Seat) -> float:
    """About how many turns this seat has left before another player ends the game."""
    if table.last_turns is not None:
        return 1.0
    others = [other for other in range(len(table.hands)) if other != seat]
    cars = table.network.cars
    return 1.0 + min(max(1.0, 0.86 * (cars[other] - LAST_TURNS_AT) - 0.4 * sum(table.hands[other])) for other in others)


def undone(at: Stand) -> list[Ticket]:
    """The tickets whose locations are not joined."""
    part = at.graph.parts(at.own)
    return [ticket for ticket in at.tickets if part[ticket[0]] != part[ticket[1]]]


def route_costs(at: Stand, car: float) -> list[float]:
    """What each route costs, with a price for a cable car: nothing where it is owned, `NEVER` where it is not open."""
    graph, hand = at.graph, at.hand
    most = max(hand[:-1])
    costs = []
    for route in graph.numbers:
        if at.own >> route & 1:
            costs.append(0.0)
        elif at.open >> route & 1:
            length, ferries, color = graph.lengths[route], graph.ferries[route], graph.colors[route]
            held = most if color is None else hand[color]
            lacking = max(0, length - ferries - held) + 0.3 * min(held, length - ferries)
            turns = 1 + CARD * lacking + FERRY_CARD * max(0, ferries - hand[-1])
            costs.append(max(0.3, TURN * turns + car * length - graph.points[route]))
        else:
            costs.append(NEVER)
    return costs


def connect(at: Stand, costs: list[float], tickets: Iterable[Ticket]) -> tuple[list[int], int]:
    """A path for each ticket, which uses those before; one that takes too many cars is left out. And the cars left."""
    graph, cars, chosen = at.graph, at.cars, list[int]()
    costs = costs[:]
    for start, end, _ in tickets:
        path = graph.path(costs, start, end)
        if not path:
            continue
        length = sum([graph.lengths[route] for route in path])
        if length > cars:
            continue
        cars -= length
        chosen += path
        for route in path:
            costs[route] = 0.0
            twin = graph.twins[route]
            if twin is not None:
                costs[twin] = NEVER
    return chosen, cars


def rates(at: Stand, costs: Sequence[float]) -> list[tuple[float, int]]:
    """The open routes with what each brings for a cable car, best first."""
    graph, takeable = at.graph, at.takeable
    rated = []
    for route in graph.numbers:
        if at.open >> route & 1:
            start, end = graph.ends[route]
            token = TOKEN if start in takeable or end in takeable else 0.0
            rated.append(((token - costs[route]) / graph.lengths[route], route))
    rated.sort(reverse=True)
    return rated


def fill(at: Stand, chosen: list[int], cars: int, rated: Iterable[tuple[float, int]]) -> None:
    """Add the best routes until the cars run out (F1)."""
    graph = at.graph
    for _, route in rated:
        if cars <= LAST_TURNS_AT:
            return
        length = graph.lengths[route]
        if length <= cars and route not in chosen and graph.twins[route] not in chosen:
            chosen.append(route)
            cars -= length


def missing(graph: Graph, hand: Sequence[int], routes: Iterable[int]) -> tuple[list[int], int, int]:
    """Cards of each color left over (below 0: lacking) by colored routes; cards lacking for gray ones; ferries."""
    left = list(hand)
    ferries, gray = left.pop(), []
    symbols = 0
    for route in routes:
        color, length = graph.colors[route], graph.lengths[route] - graph.ferries[route]
        symbols += graph.ferries[route]
        if color is None:
            gray.append(length)
        else:
            left[color] -= length
    lacking = 0
    if gray:
        gray.sort(reverse=True)
        spare = [max(0, number) for number in left]
        for length in gray:
            most = max(spare)
            spare[spare.index(most)] = max(0, most - length)
            lacking += max(0, length - most)
    return left, lacking, symbols - ferries


def weigh(at: Stand, routes: list[int], needed: Collection[Ticket]) -> Plan:
    """The plan of these routes. Its worth is its points less the worth of its turns."""
    graph = at.graph
    left, lacking, symbols = missing(graph, at.hand, routes)
    lacking -= sum([number for number in left if number < 0])
    turns = len(routes) + CARD * max(0, lacking + min(0, symbols)) + FERRY_CARD * max(0, symbols)
    worth = float(sum([graph.points[route] for route in routes]))
    if needed:
        own = at.own
        for route in routes:
            own |= 1 << route
        part = graph.parts(own)
        for start, end, points in needed:
            worth += points if part[start] == part[end] else -points
    places = {place for route in routes for place in graph.ends[route]} & set(at.takeable)
    scale = graph.board.token_points
    most = min(len(scale) - 1, at.tokens + min(len(places), len(routes)))
    worth += 0.8 * (scale[most] - scale[at.tokens])
    return Plan(routes, worth - TURN * turns - LATE * max(0.0, turns - at.left), turns)


def quick_plan(at: Stand) -> Plan:
    """A single plan: the most valuable tickets first, then long routes."""
    costs = route_costs(at, PRICES[1])
    chosen, cars = connect(at, costs, dearest_first(undone(at)))
    fill(at, chosen, cars, rates(at, costs))
    return Plan(chosen)


def wide_plans(at: Stand, rng: Random, tries: int, clock: Clock) -> list[Plan]:
    """Different plans, the best first. It makes `tries` of them, or fewer when time is up."""
    needed = dearest_first(undone(at))
    plain = [route_costs(at, car) for car in PRICES]
    found: dict[int, Plan] = {}
    for number in range(tries):
        if number >= len(plain) and clock.is_over:
            break
        costs, order = plain[number % len(plain)], needed
        if number >= len(plain):
            costs = [cost * (0.5 + rng.random()) if 0.0 < cost < NEVER else cost for cost in costs]
            order = rng.sample(needed, rng.randint(0, len(needed)) if rng.random() < DROPPED else len(needed))
        chosen, cars = connect(at, costs, order)
        fill(at, chosen, cars, rates(at, costs))
        key = sum([1 << route for route in chosen])
        if key not in found:
            found[key] = weigh(at, chosen, needed)
    return sorted(found.values(), key=lambda plan: -plan.worth)


def dearest_first(tickets: Iterable[Ticket]) -> list[Ticket]:
    """In the order of their points."""
    return sorted(tickets, key=lambda ticket: -ticket[2])
