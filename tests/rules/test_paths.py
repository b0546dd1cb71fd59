"""The cheapest path between two locations, which is remembered while the routes round it are claimed."""

from random import Random

from app.rules import Board, LocationId
from app.rules.network import cheapest
from app.rules.routesets import RouteSet
from harness.positions import ALL_BOARDS


def cost_by_trial(board: Board, own: RouteSet, free: RouteSet, start: LocationId, end: LocationId) -> int | None:
    """The same without any memory: costs are lowered until no route lowers one any more."""
    costs = {start: 0}
    lowered = True
    while lowered:
        lowered = False
        for place, routes in board.routes_at.items():
            for route, other in routes:
                bit = board.bit[route.id]
                if place in costs and bit & (own | free):
                    cost = costs[place] + (0 if bit & own else route.length)
                    if cost < costs.get(other, cost + 1):
                        costs[other], lowered = cost, True
    return costs.get(end)


def test_F2_what_joins_two_locations_is_found_however_the_routes_are_claimed() -> None:
    rng = Random(1)
    for board in ALL_BOARDS * 3:
        own, free = 0, board.routes_within[-1]
        while free:
            bit = board.bit[rng.choice(board.routes).id] & free
            own |= bit * (rng.random() < 0.3)
            free &= ~bit
            for ticket in rng.sample(board.tickets, 3):
                cost = cheapest(board, own, free, *ticket.between)
                assert cost == cost_by_trial(board, own, free, *ticket.between)
