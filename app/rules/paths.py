"""The cheapest path between two locations, for the rules and the bots."""

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush

from .board import Board

NEVER = 10**9
"""The cost of a route that no path may use."""


def cheapest_path(board: Board, costs: Sequence[float], start: int, end: int) -> list[int] | None:
    """The routes of the path with the lowest sum of costs, last route first; None without a path.

    Routes and locations are indices of `Board.routes` and `Board.locations`. The algorithm is Dijkstra's.
    """
    roads = board.roads
    best: list[float] = [NEVER] * len(roads)
    via: list[tuple[int, int]] = [(-1, -1)] * len(roads)
    best[start] = 0
    queue: list[tuple[float, int]] = [(0, start)]
    while queue:
        cost, here = heappop(queue)
        if here == end:
            return list(_walked_back(via, start, end))
        for route, there in roads[here] if cost <= best[here] else ():
            total = cost + costs[route]
            if total < best[there]:
                best[there] = total
                via[there] = route, here
                heappush(queue, (total, there))
    return None


def _walked_back(via: Sequence[tuple[int, int]], start: int, end: int) -> Iterator[int]:
    while end != start:
        route, end = via[end]
        yield route
