"""What is carried along or counted for speed is what listing and working out from scratch give."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules import (
    FERRY,
    Board,
    Card,
    Game,
    IllegalActionError,
    LocationId,
    PlaceToken,
    Route,
    Seat,
    Symbol,
    Table,
    legal_actions,
    play_on,
)
from app.rules.cards import Counts, Payment
from app.rules.network import Network
from app.rules.routesets import RouteSet, member, members
from app.rules.tariff import Way
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
    tariff, affordable = printed.tariff, printed.tariff.affordable(hand)
    assert list(members(affordable)) == [number for number, way in enumerate(tariff.ways) if holds(printed, hand, way)]
    for place, route in enumerate(printed.routes):
        listed = tariff.payments(affordable & tariff.routes[place])
        payments = every_payment(printed, route.length)
        numbers = [number for each in payments if (number := tariff.way(place, each)) is not None]
        assert {number for number in numbers if affordable >> number & 1} == set(
            members(affordable & printed.bit[route.id])
        )
        assert all((each in listed) is pays(printed, hand, route, each) for each in payments)


def holds(board: Board, hand: Counts, way: Way) -> bool:
    """Whether a hand has the cards of a way."""
    return all(hand[board.card_index[card]] >= number for card, number in way.payment.items())


def pays(board: Board, hand: Counts, route: Route, payment: Payment) -> bool:
    """Whether cards pay for a route, as R1 and R2 say it, and lie in the hand."""
    known = all(card in board.cards and number > 0 for card, number in payment.items())
    colors = payment.keys() - {FERRY}
    fitting = len(colors) <= 1 and (route.color is None or colors <= {route.color})
    enough = sum(payment.values()) == route.length and payment.get(FERRY, 0) >= route.ferries
    return (
        known and fitting and enough and all(hand[board.card_index[card]] >= number for card, number in payment.items())
    )


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


@pytest.mark.parametrize("number", range(30))
def test_a_game_played_on_a_table_is_the_same_game(number: int) -> None:
    start, tempers, rng = game_number(number)
    table = Table(start)
    for before, seat, action, game, events in playout(start, tempers, rng):
        assert list(legal_actions(table, seat)) == list(legal_actions(before, seat))
        play_on(table, seat, action)
        assert tuple(table.events) == events
        assert table.to_act == game.to_act
        frozen = table.frozen()
        assert frozen == game
        assert frozen.takeable == game.takeable
        with pytest.raises(IllegalActionError):
            play_on(table, seat, PlaceToken(Symbol("moustache"), LocationId("nowhere")))
        assert table.frozen() == game


@settings(deadline=None, derandomize=True)
@given(places=st.sets(st.integers(0, 99)))
def test_members_of_a_set_of_routes(places: set[int]) -> None:
    routes: RouteSet = sum(1 << place for place in places)
    assert list(members(routes)) == sorted(places)
    assert [member(routes, number) for number in range(len(places))] == sorted(places)
