"""Whole games: every one ends, nothing is lost, and the rare states are really reached, and counted."""

from collections import Counter
from random import Random

import pytest

from app.rules import Board, deal, play
from harness.figures import Tell
from harness.invariants import check, check_flush
from harness.playouts import STATES, anything, census, game_number, playout, table
from harness.positions import ALL_BOARDS, ARCHIPELAGO
from harness.scale import scaled

FEW = 300
QUARTER = scaled(2_500, FEW)


def one(number: int) -> Counter[str]:
    return census(playout(*game_number(number)), check, every=16)


def check_census(numbers: range, tell: Tell) -> None:
    met = sum(map(one, numbers), Counter())
    tell(table(met))
    assert met["games"] == met["all have passed"] + met["last turns to the end"] == len(numbers)
    assert [state for state in STATES if not met[state]] == []


def test_every_game_ends_and_the_rare_states_are_reached(tell: Tell) -> None:
    """Every seat always has a legal action until the end (T2), on five boards, by players of five tempers."""
    check_census(range(FEW), tell)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(FEW, FEW + 4 * QUARTER, QUARTER))
def test_many_games_end_and_the_rare_states_are_reached(first: int, tell: Tell) -> None:
    """In quarters, which processes share."""
    check_census(range(first, first + QUARTER), tell)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("board", ALL_BOARDS, ids=lambda board: board.id)
def test_any_board_is_played_to_the_end_with_two_three_and_four(board: Board, seats: int) -> None:
    """BUG308: every position on the way keeps every invariant, so each ticket is in one place."""
    for number in range(4):
        game = deal(board, seats, bytes([number] * 32))
        check(game)
        after = game
        for before, _, _, after, events in playout(game, [anything], Random(number)):
            check(after)
            check_flush(before, after, events)
        assert not after.to_act


def test_the_archipelago_is_another_kind_of_board() -> None:
    assert len(ARCHIPELAGO.colors) == 3
    assert max(route.ferries for route in ARCHIPELAGO.routes) == 3
    assert sum(stack.location is None for stack in ARCHIPELAGO.token_stacks) == 3


def test_a_game_is_its_seed_and_its_moves() -> None:
    """BUG1003: played again from the deal, every position is the same."""
    for number in range(30):
        start, tempers, rng = game_number(number)
        moves = list(playout(start, tempers, rng))
        game = start
        for _, seat, action, after, events in moves:
            game, happened = play(game, seat, action)
            assert game == after
            assert happened == events
