"""Any sequence of legal and illegal actions, on any board, by any number of players."""

import copy
from itertools import islice
from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from app.rules import (
    Action,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    Game,
    IllegalActionError,
    KeepTickets,
    Pass,
    PlaceToken,
    Seat,
    deal,
    legal_actions,
    play,
    view,
)
from app.rules.game import Phase
from app.rules.legal import normal_form, refusal, subsets
from app.rules.views import Legal
from harness.invariants import check, check_flush
from harness.playouts import anything, game_number, playout
from harness.positions import ALL_BOARDS
from harness.scale import scaled
from tests.rules.random_actions import random_action

RANDOM = st.randoms(use_true_random=False)


def listed(legal: Legal) -> list[Action]:
    """The legal actions of a view, one by one."""
    actions: list[Action] = [DrawCard(slot) for slot in legal.draw.slots]
    actions += [DrawCard(None)] * legal.draw.deck
    actions += [DrawTickets()] * legal.draw_tickets
    if legal.keep:
        assert legal.keep.least == 1
        actions += map(KeepTickets, subsets(legal.keep.source))
    if legal.place:
        actions += [PlaceToken(symbol, at) for symbol in legal.place.symbols for at in legal.place.locations]
    actions += [Pass()] * legal.may_pass
    for route, (payments, tokens) in legal.claims.items():
        actions += [ClaimRoute(route, payment, token) for payment in payments for token in tokens or (None,)]
    return actions


def is_same(action: Action, meant: Action) -> bool:
    """Whether a normal form asks for the same: only the order of tickets may differ, and a token be named."""
    match action, meant:
        case KeepTickets(tickets), KeepTickets(others):
            return sorted(tickets) == sorted(others)
        case ClaimRoute(token=None), ClaimRoute():
            return (action.route, action.payment) == (meant.route, meant.payment)
        case _:
            return action == meant


def untouched(game: Game) -> Game:
    """A copy that shares nothing that could change, for comparing."""
    return copy.deepcopy(game, {id(game.board): game.board})


def is_refused(game: Game, seat: Seat, action: Action) -> bool:
    """Whether an action is refused; either way the game it was tried on may not have changed."""
    before = untouched(game)
    error = refused_with(game, seat, action)
    assert game == before
    assert view(game, None) == view(before, None)
    assert error is None or (str(error) and error.code in ("illegal_action", "not_your_turn"))
    return error is not None


def refused_with(game: Game, seat: Seat, action: Action) -> IllegalActionError | None:
    """The refusal of an action, if it is refused. Nothing else may be raised."""
    try:
        play(game, seat, action)
    except IllegalActionError as error:
        return error
    return None


BOARD = {board.id: board for board in ALL_BOARDS}


class Table(RuleBasedStateMachine):
    """A game on which players do what they may, and try what they may not."""

    game: Game

    @initialize(board=st.sampled_from(list(BOARD)), seats=st.integers(2, 4), seed=st.binary(min_size=32, max_size=32))
    def start(self, board: str, seats: int, seed: bytes) -> None:
        self.game = deal(BOARD[board], seats, seed)

    @rule(rng=RANDOM)
    def somebody_acts(self, rng: Random) -> None:
        if not self.game.to_act:
            return
        seat = rng.choice(self.game.to_act)
        action = rng.choice(legal_actions(self.game, seat))
        assert not is_refused(self.game, seat, action)
        before = self.game
        self.game, events = play(before, seat, action)
        assert self.game.version == before.version + 1
        assert events
        check_flush(before, self.game, events)

    @rule(rng=RANDOM, moves=st.integers(2, 40))
    def the_game_goes_on(self, rng: Random, moves: int) -> None:
        for _, _, _, game, _ in islice(playout(self.game, [anything], rng), moves):
            self.game = game

    @rule(rng=RANDOM)
    def somebody_tries_anything(self, rng: Random) -> None:
        if not self.game.to_act:
            return
        seat = rng.choice(self.game.to_act)
        action = random_action(self.game, seat, rng)
        meant = normal_form(self.game, seat, action)
        assert is_same(action, meant)
        legal = meant in legal_actions(self.game, seat)
        assert (refusal(self.game, seat, meant) is None) is legal
        assert is_refused(self.game, seat, action) is not legal

    @rule(rng=RANDOM, seat=st.integers(-2, 6))
    def another_seat_tries_what_would_be_legal(self, rng: Random, seat: int) -> None:
        if not self.game.to_act or seat in self.game.to_act:
            return
        action = rng.choice(legal_actions(self.game, self.game.to_act[0]))
        assert is_refused(self.game, Seat(seat), action)

    @invariant()
    def all_is_in_order(self) -> None:
        check(self.game)

    @invariant()
    def views_list_the_legal_actions(self) -> None:
        for seat in map(Seat, range(self.game.seats)):
            in_view = listed(view(self.game, seat).own.legal)
            assert sorted(map(repr, in_view)) == sorted(map(repr, legal_actions(self.game, seat)))
        assert listed(view(self.game, None).own.legal) == []


SETTINGS = settings(
    stateful_step_count=25, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)


class TestTable(Table.TestCase):  # type: ignore[misc, valid-type]
    settings = settings(SETTINGS, max_examples=40)


@pytest.mark.slow
class TestTableAtLength(Table.TestCase):  # type: ignore[misc, valid-type]
    settings = settings(SETTINGS, max_examples=scaled(500), stateful_step_count=50)


@pytest.mark.parametrize("number", range(30))
def test_legality_is_membership_for_legal_and_illegal_actions_alike(number: int) -> None:
    """BUG415, BUG1208: what is listed is accepted, what is not is refused, and refused actions change nothing."""
    start, tempers, rng = game_number(number)
    moves = list(playout(start, tempers, rng))
    for before, seat, action, *_ in moves:
        legal = list(legal_actions(before, seat))
        assert len(legal) == len(legal_actions(before, seat))
        assert action in legal
        assert all(refusal(before, seat, each) is None for each in rng.sample(legal, min(5, len(legal))))
        for _ in range(3):
            tried = random_action(before, seat, rng)
            meant = normal_form(before, seat, tried)
            assert is_same(tried, meant)
            assert (meant in legal) is (refusal(before, seat, meant) is None)
            if meant not in legal:
                with pytest.raises(IllegalActionError):
                    play(before, seat, tried)
    assert moves[-1][3].phase is Phase.OVER


def test_indexing_slicing_and_counting_legal_actions_agree() -> None:
    for number in range(15):
        game, tempers, rng = game_number(number)
        for before, seat, *_ in playout(game, tempers, rng):
            legal = legal_actions(before, seat)
            actions = list(legal)
            assert [legal[at] for at in range(len(legal))] == actions == list(legal[:])
            assert legal[-1] == actions[-1]
            with pytest.raises(IndexError):
                legal[len(actions)]
            break
