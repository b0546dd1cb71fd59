"""Checks whether a game can be played on a board. Each problem has the place in the file and a sentence."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator

from app.rules.board import Board, DestinationTicket, Ends, Route
from app.rules.cards import FERRY
from app.rules.deal import DEALT_CARDS, DEALT_TICKETS
from app.rules.game import MARKET_SIZE, SEATS
from app.rules.network import cheapest

from .errors import BoardError

Problem = tuple[str, str]
"""A place in the file and what is wrong there."""


def check_board(board: Board, source: str) -> None:
    """Raise `BoardError` with the first problem of a board."""
    for place, problem in _problems(board):
        raise BoardError(source, place, problem)


def _problems(board: Board) -> Iterator[Problem]:
    yield from _name_problems(board)
    yield from _size_problems(board)
    yield from _location_problems(board)
    yield from _stack_problems(board)
    yield from _route_problems(board)
    yield from _ticket_problems(board)


def _name_problems(board: Board) -> Iterator[Problem]:
    yield from _repeated("colors", board.colors)
    yield from _repeated("locations", [place.id for place in board.locations])
    yield from _repeated("routes", [route.id for route in board.routes])
    yield from _repeated("tickets", [ticket.id for ticket in board.tickets])
    yield from _repeated("token_stacks", [stack.symbol for stack in board.token_stacks])
    if FERRY in board.colors:
        yield "colors", f'"{FERRY}" is the name of the wild card, not a color'


def _repeated(place: str, names: Iterable[Hashable]) -> Iterator[Problem]:
    seen: set[Hashable] = set()
    for index, name in enumerate(names):
        if name in seen:
            yield f"{place}[{index}]", f'"{name}" is there already'
        seen.add(name)


def _size_problems(board: Board) -> Iterator[Problem]:
    most = SEATS[-1]
    wanted = most * DEALT_CARDS + MARKET_SIZE
    if sum(board.all_cards) < wanted:
        yield (
            "cards_per_color",
            f"{sum(board.all_cards)} cards are too few: {most} players need {wanted} to begin",
        )
    if len(board.tickets) < most * DEALT_TICKETS:
        yield (
            "tickets",
            f"{len(board.tickets)} are too few: {most} players need {most * DEALT_TICKETS} to begin",
        )
    if len(board.token_points) != len(board.token_stacks) + 1:
        yield (
            "token_points",
            f"{len(board.token_stacks) + 1} numbers are wanted: for no token up to one of each symbol",
        )


def _location_problems(board: Board) -> Iterator[Problem]:
    left, top, width, height = board.viewbox
    for index, place in enumerate(board.locations):
        if not (left <= place.x <= left + width and top <= place.y <= top + height):
            yield f"locations[{index}]", f'"{place.id}" lies outside the viewbox'


def _stack_problems(board: Board) -> Iterator[Problem]:
    placed = [stack.location for stack in board.token_stacks if stack.location]
    for index, stack in enumerate(board.token_stacks):
        if stack.location and stack.location not in board.location:
            yield f"token_stacks[{index}].location", _unknown(stack.location)
        if stack.location and placed.count(stack.location) > 1:
            yield f"token_stacks[{index}].location", f'"{stack.location}" has more than one stack'
    if len(board.token_stacks) > len(board.locations):
        yield "token_stacks", "there are more stacks than locations to put them on"


def _unknown(location: str) -> str:
    return f'there is no location "{location}"'


def _end_problems(board: Board, place: str, ends: Ends) -> Iterator[Problem]:
    for index, end in enumerate(ends):
        if end not in board.location:
            yield f"{place}.between[{index}]", _unknown(end)
    if ends[0] == ends[1]:
        yield f"{place}.between", "two different locations are wanted"


def _route_problems(board: Board) -> Iterator[Problem]:
    between = Counter(frozenset(route.between) for route in board.routes)
    for index, route in enumerate(board.routes):
        place = f"routes[{index}]"
        yield from _end_problems(board, place, route.between)
        yield from _length_problems(board, place, route)
        yield from _payment_problems(board, place, route)
        if between[frozenset(route.between)] > 2:
            yield place, f'"{route.id}" is the third between its locations: a double route has two'
        if route.twin and board.route[route.twin].length != route.length:
            yield f"{place}.length", f'"{route.id}" and its twin "{route.twin}" differ in length'


def _length_problems(board: Board, place: str, route: Route) -> Iterator[Problem]:
    if route.length not in board.route_points:
        yield f"{place}.length", f"route_points has no points for the length {route.length}"
    if route.length > board.cars_per_player:
        yield f"{place}.length", f"{board.cars_per_player} cars are too few for the length {route.length}"


def _payment_problems(board: Board, place: str, route: Route) -> Iterator[Problem]:
    if route.color is not None and route.color not in board.colors:
        yield f"{place}.color", f'there is no color "{route.color}"'
    if route.ferries > route.length:
        yield f"{place}.ferries", f"{route.ferries} ferry symbols don't fit on {route.length} spaces"
    if route.ferries > board.ferry_cards or route.length > board.cards_per_color + board.ferry_cards:
        yield place, f'there are too few cards to pay for "{route.id}"'


def _ticket_problems(board: Board) -> Iterator[Problem]:
    seen: set[frozenset[str]] = set()
    for index, ticket in enumerate(board.tickets):
        place = f"tickets[{index}]"
        yield from _end_problems(board, place, ticket.between)
        if frozenset(ticket.between) in seen:
            yield place, f'"{ticket.id}" joins the same locations as another ticket'
        if not _can_be_completed(board, ticket):
            yield place, f'"{ticket.id}" can\'t be completed even on the empty board'
        seen.add(frozenset(ticket.between))


def _can_be_completed(board: Board, ticket: DestinationTicket) -> bool:
    everything = board.routes_within[-1]
    cost = cheapest(board, 0, everything, *ticket.between)
    return cost is not None and cost <= board.cars_per_player
