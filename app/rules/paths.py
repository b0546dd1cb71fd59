"""The cheapest path between two locations."""

from collections.abc import Mapping
from heapq import heappop, heappush

from .board import Board, LocationId, Route, RouteId


def cheapest_path(
    board: Board, costs: Mapping[RouteId, int], start: LocationId, end: LocationId
) -> tuple[Route, ...] | None:
    """The path with the lowest sum of costs over routes that have one, by Dijkstra's algorithm; None without a path."""
    arrived: dict[LocationId, Route | None] = {}
    queue: list[tuple[int, LocationId, RouteId | None]] = [(0, start, None)]
    while queue:
        cost, place, via = heappop(queue)
        if place in arrived:
            continue
        arrived[place] = board.route[via] if via else None
        if place == end:
            return _walked_back(arrived, end)
        for route, other in board.routes_at[place]:
            if other not in arrived and (more := costs.get(route.id)) is not None:
                heappush(queue, (cost + more, other, route.id))
    return None


def _walked_back(arrived: Mapping[LocationId, Route | None], end: LocationId) -> tuple[Route, ...]:
    path, place = [], end
    while (route := arrived[place]) is not None:
        path.append(route)
        place = route.between[0] if route.between[1] == place else route.between[1]
    return tuple(path)
