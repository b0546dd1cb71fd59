"""Every level: legal everywhere, blind to secrets, sensible; and each stronger than the one below."""

from functools import partial
from itertools import islice
from random import Random

import pytest

from app.bots import LEVELS, choose
from app.bots.clock import Clock
from app.bots.plans import open_routes
from app.rules import Action, Board, DrawTickets, Game, Pass, Seat, legal_actions, score, view
from app.rules.game import LAST_TURNS_AT, Phase
from bench.bots import Pair, play_out, tasks
from harness.positions import ALL_BOARDS, P1, P2, SAN_FRANCISCO, claim, position
from tests.bots.games import RANDOM, played, positions, with_other_secrets

QUICK = ("easy", "medium")
"""The levels that take no time to think; of `hard` fewer positions are looked at."""

every_level = pytest.mark.parametrize("level", LEVELS)
every_quick_level = pytest.mark.parametrize("level", QUICK)
every_board = pytest.mark.parametrize("board", ALL_BOARDS, ids=lambda board: board.id)
every_count = pytest.mark.parametrize("seats", [2, 3, 4])


def long_clock() -> Clock:
    """One that never stops a thought: what is chosen then depends on nothing but what is seen."""
    return Clock(seconds=3600)


def no_time() -> Clock:
    """One that is over from the start."""
    return Clock(seconds=0)


def chosen(level: str, game: Game, seat: Seat = P1, seed: int = 1) -> Action:
    return choose(level, view(game, seat), Random(seed), long_clock())


def chosen_at_once(level: str, game: Game, seat: Seat, seed: int) -> Action:
    return choose(level, view(game, seat), Random(seed), no_time())


@every_board
@every_count
@every_level
def test_every_action_is_legal_in_games_of_chance(board: Board, seats: int, level: str) -> None:
    """However short the time was."""
    for seed in range(2):
        for game in positions(board, (RANDOM,) * seats, seed):
            for seat in game.to_act:
                assert chosen_at_once(level, game, seat, game.version) in legal_actions(game, seat)


@pytest.mark.slow
@every_board
@every_count
def test_what_hard_finds_by_thinking_is_legal_too(board: Board, seats: int) -> None:
    for game in list(positions(board, ("easy",) * seats, seed=5))[::6]:
        for seat in game.to_act:
            assert chosen("hard", game, seat) in legal_actions(game, seat)


@every_board
@every_count
@every_quick_level
def test_bots_finish_a_game_on_every_board(board: Board, seats: int, level: str) -> None:
    game = played(board, (level,) * seats, seed=7)
    assert game.phase is Phase.OVER


@every_level
def test_BUG1601_passes_when_there_is_nothing_else_and_only_then(level: str) -> None:
    game = position(rest="P2", market="_ _ _ _ _", rest_tickets="P2")
    assert chosen(level, game) == Pass()
    assert chosen(level, position("K", rest="P2", market="_ _ _ _ _", rest_tickets="P2")) == claim("r4", "K", "sun")


@every_level
def test_draws_tickets_when_no_card_is_left_to_draw_and_nothing_to_claim(level: str) -> None:
    assert chosen(level, position(rest="P2", market="_ _ _ _ _")) == DrawTickets()


@every_level
def test_takes_a_second_card_where_only_ferries_lie_open(level: str) -> None:
    game = position(rest="P2", deck="R", market="F F U U U", phase=Phase.SECOND_CARD)
    assert chosen(level, game) in legal_actions(game, P1)


@every_level
def test_asking_out_of_turn_is_an_error(level: str) -> None:
    game = position(turn=P1)
    for viewer in (P2, None):
        with pytest.raises(ValueError, match="nothing to do"):
            choose(level, view(game, viewer), Random(1))


@every_count
@every_level
def test_BUG1610_what_a_seat_may_not_know_changes_nothing(seats: int, level: str) -> None:
    """Nor does the bot choose otherwise when it is asked again."""
    rng = Random(seats)
    games = list(positions(SAN_FRANCISCO, ("easy",) * seats, seed=seats))
    for game in games if level in QUICK else rng.sample(games, 2):
        for seat in game.to_act[:1]:
            assert chosen(level, game, seat) == chosen(level, with_other_secrets(game, seat, rng), seat)


@pytest.mark.slow
@every_count
def test_BUG1610_what_a_seat_may_not_know_changes_nothing_for_hard_throughout_a_game(seats: int) -> None:
    """At every third position, since it thinks."""
    rng = Random(seats)
    for game in islice(positions(SAN_FRANCISCO, ("medium",) * seats, seed=seats), 0, None, 3):
        for seat in game.to_act:
            assert chosen("hard", game, seat) == chosen("hard", with_other_secrets(game, seat, rng), seat)


def test_hard_thinks_no_longer_than_it_may() -> None:
    """The clock here moves on each time it is looked at."""
    game = next(game for game in positions(SAN_FRANCISCO, ("easy", "easy"), seed=1) if game.phase is Phase.TURN)
    looks = iter(range(10_000))
    choose("hard", view(game, game.turn), Random(1), Clock(seconds=50, now=partial(next, looks)))
    assert next(looks) < 60


@every_count
def test_open_routes_are_those_the_rules_leave_open(seats: int) -> None:
    for game in positions(SAN_FRANCISCO, (RANDOM,) * seats, seed=seats):
        for seat in map(Seat, range(seats)):
            left_open = [route for route in game.board.routes if game.network.barred(route, seat) is None]
            assert list(open_routes(view(game, seat))) == left_open


def wins(one: str, others: str, players: int, games: int) -> float:
    """The share of one among others in the benchmark's games."""
    shares = [play_out(task).one.won for task in tasks(Pair(one, others), players, games, "test")]
    return sum(shares) / len(shares)


def test_easy_beats_a_player_of_chance() -> None:
    assert wins("easy", RANDOM, 2, 40) >= 0.9


def test_medium_beats_easy() -> None:
    assert wins("medium", "easy", 2, 40) >= 0.65


@pytest.mark.slow
def test_hard_beats_medium() -> None:
    """In few games, since it thinks; the benchmark measures by how much."""
    assert wins("hard", "medium", 2, 8) > 0.5


@pytest.mark.parametrize(("seats", "turns"), [(2, 27), (3, 25), (4, 25)])
def test_a_game_among_medium_bots_takes_a_sensible_number_of_turns(seats: int, turns: int) -> None:
    """`turns` of each player, of two moves at most, at worst; and it is the last turns that end it."""
    for seed in range(15):
        game = played(SAN_FRANCISCO, ("medium",) * seats, seed)
        assert game.version < seats * turns * 2
        assert min(game.network.cars) <= LAST_TURNS_AT


@every_count
@every_quick_level
def test_no_hand_grows_for_ever(seats: int, level: str) -> None:
    for game in positions(SAN_FRANCISCO, (level,) * seats, seed=seats):
        assert all(sum(hand) <= 20 for hand in game.hands)


def test_medium_completes_most_of_its_tickets() -> None:
    games = [score(played(SAN_FRANCISCO, ("medium",) * 3, seed)) for seed in range(30)]
    tickets = [ticket for lines in games for line in lines for ticket in line.tickets]
    assert sum(ticket.done for ticket in tickets) > 0.7 * len(tickets)
