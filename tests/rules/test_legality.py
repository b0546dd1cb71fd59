"""What is carried along or counted for speed is what listing and working out from scratch give."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules import FERRY, Board, Card, Game, Route, Seat
from app.rules.cards import Payment
from app.rules.network import Network
from app.rules.routesets import RouteSet, member, members
from app.rules.tokens import takeable
from tests.rules.playouts import game_number, playout
from tests.rules.positions import ALL_BOARDS

BOARD = {board.id: board for board in ALL_BOARDS}


def every_payment(board: Board, length: int) -> list[Payment]:
    """All sets of so many cards of at most one color and ferries, and a few that are none."""
    sets: list[Payment] = [{}, {FERRY: length}, {FERRY: length, board.colors[0]: 0}, {Card("plaid"): length}]
    for color, wild in product(board.colors, range(-1, length)):
        sets += [{color: length - wild, FERRY: wild}, {FERRY: wild, color: length - wild}, {color: length - wild}]
    sets += [{one: 1, other: length - 1} for one, other in product(board.colors, repeat=2) if one != other]
    return sets


@pytest.mark.parametrize("board", BOARD)
@settings(deadline=None, derandomize=True)
@given(data=st.data())
def test_R1_R2_testing_and_counting_payments_is_listing_them(board: str, data: st.DataObject) -> None:
    printed = BOARD[board]
    hand = tuple(
        data.draw(st.integers(0, most), label=card) for card, most in zip(printed.cards, printed.all_cards, strict=True)
    )
    ways = {place: number for number, routes in printed.tariff.affordable(hand) for place in members(routes)}
    for place, route in enumerate(printed.routes):
        listed = printed.tariff.payments(hand, route.price)
        assert ways.get(place, 0) == len(listed)
        for payment in every_payment(printed, route.length):
            assert printed.tariff.pays(hand, route.price, payment) is (payment in listed)


def from_scratch(game: Game) -> Network:
    """The network of a position, worked out from the owners by the rules alone."""
    board, owners = game.board, game.network.owners
    seats = [Seat(seat) for seat in range(game.seats)]
    routes = [[route for route in board.routes if owners.get(route.id) == seat] for seat in seats]
    points = [sum(board.route_points[route.length] for route in each) for each in routes]
    cars = [board.cars_per_player - sum(route.length for route in each) for each in routes]
    twins = [twin for route in owners if (twin := board.route[route].twin)]
    closed = twins if game.seats == 2 else []
    left = [route for route in board.routes if route.id not in owners and route.id not in closed]
    fitting = [[route for route in left if route.length <= number] for number in cars]
    still_open = [
        [route for route in fitting[seat] if route.twin is None or owners.get(route.twin) != seat] for seat in seats
    ]
    own, free = ([_as_set(board, each) for each in lists] for lists in (routes, still_open))
    return Network(board, owners, tuple(cars), tuple(points), tuple(own), tuple(free), tuple(closed))


def _as_set(board: Board, routes: list[Route]) -> RouteSet:
    return sum(board.bit[route.id] for route in routes)


@pytest.mark.parametrize("number", range(30))
def test_what_is_carried_along_is_what_follows_from_owners_and_stacks(number: int) -> None:
    """K4-15: nothing that follows from the position goes its own way."""
    for *_, game, _ in playout(*game_number(number)):
        assert game.network == from_scratch(game)
        assert game.takeable == tuple(takeable(game.board, game.stacks, held.tokens) for held in game.holdings)


@settings(deadline=None, derandomize=True)
@given(places=st.sets(st.integers(0, 99)))
def test_members_of_a_set_of_routes(places: set[int]) -> None:
    routes: RouteSet = sum(1 << place for place in places)
    assert list(members(routes)) == sorted(places)
    assert [member(routes, number) for number in range(len(places))] == sorted(places)
