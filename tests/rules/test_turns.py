"""A turn: clause T."""

import pytest

from app.rules import DrawTickets, Game, Pass, Seat, legal_actions, play, view
from app.rules.events import GameEnded, Passed
from app.rules.game import Phase
from harness.positions import (
    BLIND,
    DROUGHT,
    P1,
    P2,
    P3,
    SEED,
    after,
    claim,
    happened,
    keep,
    position,
    refused,
    take,
)

every_count = pytest.mark.parametrize("seats", [2, 3, 4])
PASS = Pass()


def blocked(*hands: str, seats: int = 2, **more: object) -> Game:
    """No card, no ticket and no route for anybody: each route of the drought wants a color nobody has whole."""
    shared = ["ochre2 umber2 rust2", "ochre2 umber2 rust2", "ochre umber", "rust"]
    if seats == 2:
        shared = ["ochre3 umber3 rust2", "ochre2 umber2 rust3"]
    if seats == 3:
        shared = ["ochre2 umber2 rust2", "ochre2 umber2 rust2", "ochre umber rust"]
    return position(
        *(hands or shared), board=DROUGHT, seats=seats, market="_ _ _ _ _", rest_tickets="P1", **more  # type: ignore[arg-type]
    )  # fmt: skip


@every_count
def test_T1_a_turn_is_one_thing_and_then_the_next_player_in_order(seats: int) -> None:
    turns = ([BLIND, take(0)], [claim("r4", "K", "sun")], [DrawTickets(), keep("t1")])
    for turn in turns:
        for seat in map(Seat, range(seats)):
            start = position(*["K"] * seats, market="R U G P O", ticket_deck="t1 t2", turn=seat)
            game = after(start, *turn)
            following = Seat((seat + 1) % seats)
            assert (game.phase, game.to_act) == (Phase.TURN, (following,))
            assert game.version == start.version + len(turn)


def test_T1_in_a_turn_exactly_these_are_open() -> None:
    """BUG508: taking a move back is not among them."""
    game = position("K", market="R F G P O", ticket_deck="t1 t2")
    kinds = {action.type for action in legal_actions(game, P1)}
    assert kinds == {"draw_card", "draw_tickets", "claim_route"}
    assert "only when you can do nothing else" in str(refused(game, P1, PASS))


@pytest.mark.parametrize("seat", [P2, P3, Seat(7), Seat(-1)])
def test_T1_only_the_seat_to_act_acts(seat: Seat) -> None:
    for action in (BLIND, PASS, DrawTickets(), keep("t1"), claim("r4", "K", "sun")):
        assert refused(position("K", "K"), seat, action).code == "not_your_turn"


@every_count
def test_T2_who_can_do_nothing_passes(seats: int) -> None:
    """BUG215: a pass is then the only action."""
    game = blocked(seats=seats)
    assert list(legal_actions(game, P1)) == [PASS]
    assert view(game, P1).own.legal.may_pass
    game, events = happened(game, PASS)
    assert events == (Passed(P1),)
    assert game.passes == 1


def test_T2_and_only_then() -> None:
    """BUG215: not where a route, a card or a ticket is open."""
    claimable = position("K", market="_ _ _ _ _", rest="P2", rest_tickets="P2")
    assert claim("r4", "K", "sun") in legal_actions(claimable, P1)
    market = position("", market="_ F _ _ _", rest="P2", rest_tickets="P2")
    tickets = position("", market="_ _ _ _ _", rest="P2")
    deck = position("", market="F F F F F", deck="F", rest="P2", rest_tickets="P2")
    for game in (claimable, market, tickets, deck):
        assert "only when" in str(refused(game, P1, PASS))
        assert PASS not in legal_actions(game, P1)


def test_T2_not_in_the_middle_of_a_turn() -> None:
    assert "second" in str(refused(after(position(), BLIND), P1, PASS))
    assert "choose" in str(refused(after(position(), DrawTickets()), P1, PASS))


@every_count
def test_T2_when_all_in_a_row_have_passed_the_game_ends_and_is_scored(seats: int) -> None:
    game, events = happened(blocked(seats=seats), *[PASS] * seats)
    assert game.phase is Phase.OVER
    assert game.to_act == ()
    assert events[-1] == GameEnded("all_passed")
    scores = view(game, None).public.scores
    assert scores is not None
    assert len(scores) == seats


def test_T2_a_pass_followed_by_something_else_counts_from_the_start() -> None:
    game = blocked("ochre2 umber2 rust", "ochre3 umber3 rust4")
    game = after(game, PASS)
    assert game.passes == 1
    route = next(action for action in legal_actions(game, P2) if action.type == "claim_route")
    assert after(game, route).passes == 0


def test_T2_somebody_who_passed_may_act_again_when_there_is_something() -> None:
    game = blocked("ochre2 umber2 rust", "ochre3 umber3 rust4")
    game = after(game, PASS)
    route = next(action for action in legal_actions(game, P2) if action.type == "claim_route")
    game = after(game, route)
    assert PASS not in legal_actions(game, P1)
    assert take(0) in legal_actions(game, P1)


def test_an_unknown_seat_has_nothing_to_do() -> None:
    game = position(seats=3, seed=SEED)
    assert not legal_actions(game, P2)
    assert play(game, P1, BLIND)[0].to_act == (P1,)
