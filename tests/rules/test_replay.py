"""Records that are played again, with moves that were taken back."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules import (
    Action,
    ClaimRoute,
    Entry,
    EntryKind,
    Event,
    Game,
    ReplayError,
    RouteId,
    Seat,
    deal,
    legal_actions,
    play,
    replay,
)
from harness.positions import SAN_FRANCISCO

START = deal(SAN_FRANCISCO, 2, bytes(32))


def moves_of(number: int, rng: Random) -> list[Entry]:
    """The first moves of a game."""
    game, moves = START, list[Entry]()
    for _ in range(number):
        seat = game.to_act[0]
        action: Action = rng.choice(legal_actions(game, seat))
        moves.append(Entry(seat, action))
        game, _events = play(game, seat, action)
    return moves


def positions(entries: list[Entry]) -> list[Game]:
    return [table.frozen() for table in replay(START, entries)]


def test_every_position_is_that_of_play() -> None:
    game, expected = START, list[Game]()
    events, told = list[Event](), list[Event]()
    moves = moves_of(40, Random(1))
    for move in moves:
        assert move.action is not None
        game, happened = play(game, move.seat, move.action)
        expected.append(game)
        events += happened
    assert positions(moves) == expected
    assert list(map(type, replay(START, moves, told.append)))
    assert told == events


@settings(deadline=None, derandomize=True)
@given(st.randoms(use_true_random=False), st.lists(st.booleans(), max_size=40))
def test_the_position_is_that_of_the_moves_which_were_not_taken_back(rng: Random, taken_back: list[bool]) -> None:
    """Moves, pauses, and taking back whatever move stands last, in any order."""
    moves, entries, standing = moves_of(30, rng), list[Entry](), list[Entry]()
    game = START
    for is_taken_back in taken_back:
        if is_taken_back and standing:
            entries.append(Entry(standing.pop().seat, None, EntryKind.TAKE_BACK))
            game = positions(standing)[-1] if standing else START
        elif game.to_act and len(standing) < len(moves):
            seat = game.to_act[0]
            move = Entry(seat, rng.choice(legal_actions(game, seat)))
            entries += [Entry(seat, None, EntryKind.PAUSE), move]
            standing.append(move)
            game = positions(standing)[-1]
    assert (positions(entries) or [START])[-1] == game


def test_what_happened_before_a_take_back_is_told_once() -> None:
    moves, told = moves_of(3, Random(2)), list[Event]()
    for _ in replay(START, moves, told.append):
        pass
    once = len(told)
    told.clear()
    back = Entry(moves[-1].seat, None, EntryKind.TAKE_BACK)
    for _ in replay(START, [*moves, back, moves[-1]], told.append):
        pass
    assert len(told) == 2 * once - len(happened(moves[:2]))


def happened(entries: list[Entry]) -> list[Event]:
    told: list[Event] = []
    for _ in replay(START, entries, told.append):
        pass
    return told


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        (Entry(Seat(0), ClaimRoute(RouteId("nowhere"), {})), "."),
        (Entry(Seat(0), None), "a move has an action"),
        (Entry(Seat(0), moves_of(1, Random(3))[0].action, EntryKind.PAUSE), "nothing else has"),
        (Entry(Seat(0), None, EntryKind.TAKE_BACK), "no move to take back"),
    ],
)
def test_an_entry_that_can_t_have_been_made(entry: Entry, problem: str) -> None:
    with pytest.raises(ReplayError, match=problem):
        positions([entry])


def test_nobody_takes_back_the_move_of_another() -> None:
    moves = moves_of(2, Random(4))
    assert [move.seat for move in moves] in ([0, 1], [1, 0])
    with pytest.raises(ReplayError, match="no move to take back"):
        positions([*moves, Entry(moves[0].seat, None, EntryKind.TAKE_BACK)])
