"""How fast the rules are: moves of random games, copies of positions, and views built and encoded.

Moves and copies are measured in turn with those of `catanatron`, a fast simulator of another board game, in the same
process, so that what is left is a ratio that means the same on every machine. Both play four random players, who choose
uniformly among all legal actions.

    ./run bench rules [ROUNDS]
"""

import copy
import random
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from itertools import islice
from statistics import median
from time import perf_counter_ns, process_time_ns

import catanatron

from app.boards import load_board
from app.rules import Game, Seat, Table, any_action, carry_out, deal, legal_actions, play
from app.rules.game import OVER
from app.wire import Kept, Views

SEATS = 4
SECONDS = 1.0
"""Seconds that each side plays in a round."""

BOARD = load_board("san-francisco")
VIEWERS = (None, *map(Seat, range(SEATS)))


def our_game(rng: random.Random) -> int:
    """Play a game on a table through the public rules; how many moves it took.

    After the first choice of tickets there is always one seat to act, whose turn it is.
    """
    table = Table(deal(BOARD, SEATS, rng.randbytes(32)))
    for seat in table.to_act:
        carry_out(table, seat, any_action(table, seat, rng))
    while table.phase is not OVER:
        carry_out(table, table.turn, any_action(table, table.turn, rng))
    return table.version


def other_game() -> int:
    """The same with the other simulator, which also changes one object in place."""
    game, moves = other_start(), 0
    while game.winning_color() is None and game.state.num_turns < 1000:
        game.play_tick()
        moves += 1
    return moves


def other_start() -> catanatron.Game:
    """The start of a game of the other simulator."""
    return catanatron.Game([catanatron.RandomPlayer(color) for color in list(catanatron.Color)[:SEATS]])


def per_second(game: Callable[[], int]) -> float:
    """Moves for each second of this process's CPU time, game after game."""
    number, start = 0, process_time_ns()
    while (spent := process_time_ns() - start) < SECONDS * 1e9:
        number += game()
    return number / spent * 1e9


def positions(rng: random.Random) -> Iterator[Game]:
    """The positions of one game after another, all immutable."""
    while True:
        game = deal(BOARD, SEATS, rng.randbytes(32))
        while to_act := game.to_act:
            seat = to_act[0]
            game, _ = play(game, seat, rng.choice(legal_actions(game, seat)))
            yield game


def copy_time(copied: Callable[[], object]) -> float:
    """Nanoseconds for a copy."""
    start = process_time_ns()
    for _ in range(2000):
        copied()
    return (process_time_ns() - start) / 2000


def view_times(moves: Iterator[Game], number: int) -> list[float]:
    """Microseconds for all five views of each position, built and encoded, one position after another as in a room."""
    kept: Kept = {}
    times = []
    for game in islice(moves, number):
        start = perf_counter_ns()
        views = Views(game, kept)
        for viewer in VIEWERS:
            views.of(viewer)
        times.append((perf_counter_ns() - start) / 1000)
    return times


def row(name: str, values: list[float], digits: int = 0) -> str:
    """A line of the table: minimum, median and maximum."""
    least, middle, most = (f"{value:>12,.{digits}f}" for value in (min(values), median(values), max(values)))
    return f"{name:<44}{least}{middle}{most}"


def main() -> None:
    """Measure, and print the table."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    random.seed(1)
    rng, ours = random.Random(1), positions(random.Random(2))
    moves, other_moves, copies, other_copies, views = [], [], [], [], []
    for _ in range(rounds):
        moves.append(per_second(partial(our_game, rng)))
        other_moves.append(per_second(other_game))
        game, other = next(islice(ours, 60, None)), other_start()
        for _ in range(60):
            other.play_tick()
        copies.append(copy_time(partial(copy.copy, game)))
        other_copies.append(copy_time(other.copy))
        views.append(median(view_times(ours, 1000)))
    ratios = [mine / theirs for mine, theirs in zip(moves, other_moves, strict=True)]
    copy_ratios = [mine / theirs for mine, theirs in zip(copies, other_copies, strict=True)]
    print(f"{rounds} rounds{'':<36}{'least':>12}{'median':>12}{'most':>12}")
    print(row("moves a second, fogline", moves))
    print(row(f"moves a second, catanatron {version('catanatron')}", other_moves))
    print(row("times as many moves (wanted: 6)", ratios, 2))
    print(row("copy of a position, fogline, ns", copies))
    print(row("copy of a position, catanatron, ns", other_copies))
    print(row("part of its time for a copy (wanted: 0.15)", copy_ratios, 3))
    print(row("five views built and encoded, µs (wanted: 60)", views, 1))


if __name__ == "__main__":
    main()
