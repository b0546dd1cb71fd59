"""The easy bot: legal everywhere, blind to secrets, sensible, better than chance."""

from random import Random

import pytest

from app.bots import choose
from app.bots.plans import open_routes
from app.rules import (
    Action,
    Board,
    DrawTickets,
    Game,
    Pass,
    Seat,
    legal_actions,
    score,
    view,
)
from app.rules.game import LAST_TURNS_AT, Phase
from harness.positions import ALL_BOARDS, P1, P2, SAN_FRANCISCO, claim, position
from tests.bots.games import RANDOM, played, positions, with_other_secrets

EASY = "easy"
every_board = pytest.mark.parametrize("board", ALL_BOARDS, ids=lambda board: board.id)
every_count = pytest.mark.parametrize("seats", [2, 3, 4])


def chosen(game: Game, seat: Seat = P1, seed: int = 1) -> Action:
    return choose(EASY, view(game, seat), Random(seed))


def assert_legal(game: Game) -> None:
    for seat in game.to_act:
        action = chosen(game, seat, game.version)
        assert action in legal_actions(game, seat)


@every_board
@every_count
def test_every_action_is_legal_in_games_of_chance(board: Board, seats: int) -> None:
    for seed in range(2):
        for game in positions(board, (RANDOM,) * seats, seed):
            assert_legal(game)


@every_board
@every_count
def test_bots_finish_a_game_on_every_board(board: Board, seats: int) -> None:
    game = played(board, (EASY,) * seats, seed=7)
    assert game.phase is Phase.OVER


def test_BUG1601_passes_when_there_is_nothing_else_and_only_then() -> None:
    game = position(rest="P2", market="_ _ _ _ _", rest_tickets="P2")
    assert chosen(game) == Pass()
    assert chosen(position("K", rest="P2", market="_ _ _ _ _", rest_tickets="P2")) == claim("r4", "K", "sun")


def test_draws_tickets_when_no_card_is_left_to_draw_and_nothing_to_claim() -> None:
    assert chosen(position(rest="P2", market="_ _ _ _ _")) == DrawTickets()


def test_takes_a_second_card_where_only_ferries_lie_open() -> None:
    game = position(rest="P2", deck="R", market="F F U U U", phase=Phase.SECOND_CARD)
    assert chosen(game) in legal_actions(game, P1)


def test_asking_out_of_turn_is_an_error() -> None:
    game = position(turn=P1)
    for viewer in (P2, None):
        with pytest.raises(ValueError, match="nothing to do"):
            choose(EASY, view(game, viewer), Random(1))


def test_the_same_view_and_chance_give_the_same_action() -> None:
    for game in positions(SAN_FRANCISCO, (EASY, EASY), seed=3):
        for seat in game.to_act:
            assert chosen(game, seat) == chosen(game, seat)


@every_count
def test_BUG1610_what_a_seat_may_not_know_changes_nothing(seats: int) -> None:
    rng = Random(seats)
    for game in positions(SAN_FRANCISCO, (EASY,) * seats, seed=seats):
        for seat in game.to_act:
            assert chosen(game, seat) == chosen(with_other_secrets(game, seat, rng), seat)


@every_count
def test_open_routes_are_those_the_rules_leave_open(seats: int) -> None:
    for game in positions(SAN_FRANCISCO, (RANDOM,) * seats, seed=seats):
        for seat in map(Seat, range(seats)):
            left_open = [route for route in game.board.routes if game.network.barred(route, seat) is None]
            assert list(open_routes(view(game, seat), seat)) == left_open


def wins(levels: tuple[str, ...], seeds: range) -> int:
    """How many games the easy bot wins alone."""
    return sum(won_alone(played(SAN_FRANCISCO, levels, seed), levels.index(EASY)) for seed in seeds)


def won_alone(game: Game, seat: int) -> bool:
    lines = score(game)
    return lines[seat].rank == 1 and sum(line.rank == 1 for line in lines) == 1


@pytest.mark.parametrize("levels", [(EASY, RANDOM), (RANDOM, EASY)])
def test_beats_a_player_of_chance(levels: tuple[str, ...]) -> None:
    assert wins(levels, range(20)) >= 18


@pytest.mark.slow
@pytest.mark.parametrize("levels", [(EASY, RANDOM), (RANDOM, EASY), (RANDOM, EASY, RANDOM, RANDOM)])
def test_beats_players_of_chance_in_many_games(levels: tuple[str, ...]) -> None:
    assert wins(levels, range(200)) >= 190


@pytest.mark.parametrize(("seats", "turns"), [(2, 27), (3, 25), (4, 25)])
def test_a_game_among_bots_takes_a_sensible_number_of_turns(seats: int, turns: int) -> None:
    """`turns` of each player, of two moves at most, at worst; and it is the last turns that end it."""
    for seed in range(15):
        game = played(SAN_FRANCISCO, (EASY,) * seats, seed)
        assert game.version < seats * turns * 2
        assert min(game.network.cars) <= LAST_TURNS_AT


@every_count
def test_no_hand_grows_for_ever(seats: int) -> None:
    for game in positions(SAN_FRANCISCO, (EASY,) * seats, seed=seats):
        assert all(sum(hand) <= 20 for hand in game.hands)


def test_completes_most_of_its_tickets() -> None:
    games = [score(played(SAN_FRANCISCO, (EASY,) * 3, seed)) for seed in range(10)]
    tickets = [ticket for lines in games for line in lines for ticket in line.tickets]
    assert sum(ticket.done for ticket in tickets) > 0.7 * len(tickets)
