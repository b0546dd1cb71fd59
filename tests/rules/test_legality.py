"""What is kept or counted for speed equals what listing and computing it from scratch give."""

from functools import cache
from itertools import islice, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules import (
    FERRY,
    Board,
    Card,
    Event,
    Game,
    IllegalActionError,
    LocationId,
    PlaceToken,
    Route,
    Seat,
    Symbol,
    Table,
    any_action,
    carry_out,
    legal_actions,
    play_on,
)
from app.rules.cards import Counts, Payment
from app.rules.legal import normal_form
from app.rules.network import Network
from app.rules.routesets import RouteSet, member, members
from app.rules.tariff import Way
from app.rules.tokens import Tokens
from harness.playouts import game_number, playout
from harness.positions import ALL_BOARDS

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
        tried = tried_on(board, place)
        numbers = [number for _, number, _ in tried if number is not None]
        assert {number for number in numbers if affordable >> number & 1} == set(
            members(affordable & printed.bit[route.id])
        )
        assert all((each in listed) is (fits and lies_in(printed, hand, each)) for each, _, fits in tried)


@cache
def tried_on(board: str, place: int) -> list[tuple[Payment, int | None, bool]]:
    """Payments for a route, each with the number of its way and whether it fits, whoever has the cards."""
    printed = BOARD[board]
    route = printed.routes[place]
    payments = every_payment(printed, route.length)
    return [(each, printed.tariff.way(place, each), fits_on(printed, route, each)) for each in payments]


def holds(board: Board, hand: Counts, way: Way) -> bool:
    """Whether a hand has the cards of a way."""
    return lies_in(board, hand, way.payment)


def lies_in(board: Board, hand: Counts, payment: Payment) -> bool:
    """Whether a hand has these cards, all of which the board knows."""
    return all(hand[board.card_index[card]] >= number for card, number in payment.items())


def fits_on(board: Board, route: Route, payment: Payment) -> bool:
    """Whether cards pay for a route, as R1 and R2 say it."""
    known = all(card in board.cards and number > 0 for card, number in payment.items())
    colors = payment.keys() - {FERRY}
    fitting = len(colors) <= 1 and (route.color is None or colors <= {route.color})
    enough = sum(payment.values()) == route.length and payment.get(FERRY, 0) >= route.ferries
    return known and fitting and enough


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
    fitting = [[route for route in board.routes if route.length <= number] for number in cars]
    may_have = [
        [route for route in fitting[seat] if route.twin is None or owners.get(route.twin) != seat] for seat in seats
    ]
    own, allowed = (tuple(_as_set(board, each) for each in lists) for lists in (routes, may_have))
    return Network(board, owners, tuple(cars), tuple(points), own, allowed, _as_set(board, left), tuple(closed))


def _as_set(board: Board, routes: list[Route]) -> RouteSet:
    return sum(board.bit[route.id] for route in routes)


@pytest.mark.parametrize("number", range(30))
def test_what_is_carried_along_is_what_follows_from_owners_and_stacks(number: int) -> None:
    """BUG415: nothing that follows from the position goes its own way."""
    for *_, game, _ in playout(*game_number(number)):
        assert game.network == from_scratch(game)
        assert game.tokens == Tokens.of(game.board, game.tokens.stacks, game.tokens.owned)


@pytest.mark.parametrize("number", range(30))
def test_a_game_played_on_a_table_is_the_same_game(number: int) -> None:
    start, tempers, rng = game_number(number)
    told: list[Event] = []
    table = Table(start, told.append)
    for before, seat, action, game, events in playout(start, tempers, rng):
        assert list(legal_actions(table, seat)) == list(legal_actions(before, seat))
        play_on(table, seat, action)
        assert tuple(told) == events
        told.clear()
        assert table.to_act == game.to_act
        frozen = table.frozen()
        assert frozen == game
        with pytest.raises(IllegalActionError):
            play_on(table, seat, PlaceToken(Symbol("moustache"), LocationId("nowhere")))
        assert table.frozen() == game


@pytest.mark.parametrize("number", range(30))
def test_an_action_carried_out_unchecked_does_what_it_does_checked(number: int) -> None:
    start, tempers, rng = game_number(number)
    told: list[Event] = []
    table, silent = Table(start, told.append), Table(start)
    for _, seat, action, game, events in playout(start, tempers, rng):
        carry_out(table, seat, normal_form(table, seat, action))
        carry_out(silent, seat, normal_form(silent, seat, action))
        assert tuple(told) == events
        told.clear()
        assert table.frozen() == game
        assert silent.frozen() == game


class Chosen(Random):
    """Chance that always gives the same number, from 0 up to 1."""

    def __init__(self, number: float) -> None:
        super().__init__()
        self._number = number

    def random(self) -> float:
        return self._number


@pytest.mark.parametrize("number", range(30))
def test_any_action_is_each_of_the_legal_ones_in_turn(number: int) -> None:
    """As many equal parts of chance as there are legal actions, in their order."""
    for before, seat, *_ in islice(playout(*game_number(number)), 0, None, 7):
        legal = list(legal_actions(before, seat))
        middles = [(place + 0.5) / len(legal) for place in range(len(legal))]
        assert [any_action(before, seat, Chosen(middle)) for middle in middles] == legal
        assert any_action(before, seat, Chosen(0.0)) == legal[0]
        assert any_action(before, seat, Chosen(1 - 2**-53)) == legal[-1]


@pytest.mark.parametrize("number", range(30))
def test_legal_actions_are_listed_counted_and_found_by_number_alike(number: int) -> None:
    for before, seat, *_ in islice(playout(*game_number(number)), 0, None, 7):
        legal = legal_actions(before, seat)
        assert len(legal) == len(list(legal))
        assert [legal[at] for at in range(len(legal))] == list(legal) == list(legal[:])
        assert [legal[at - len(legal)] for at in range(len(legal))] == list(legal)
        with pytest.raises(IndexError):
            legal[len(legal)]


@settings(deadline=None, derandomize=True)
@given(places=st.sets(st.integers(0, 99)))
def test_members_of_a_set_of_routes(places: set[int]) -> None:
    routes: RouteSet = sum(1 << place for place in places)
    assert list(members(routes)) == sorted(places)
    assert [member(routes, number) for number in range(len(places))] == sorted(places)
