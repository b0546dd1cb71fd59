"""Measures how strong the bots are: a round robin of the levels and of a player who moves at random.

Every deal is played once from each seat: one player of the first kind takes each seat in turn, among others of the
second kind. The deals follow from the seed, so all pairs play the same ones.

    ./run bench bots [--games N] [--players 2 3 4] [--levels random easy ...] [--against PATH] [--seed TEXT]

`--against` names a module with a function `choose(view, rng)`, which then plays against each of the levels.
"""

import argparse
import importlib.util
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import combinations
from math import sqrt
from pathlib import Path
from statistics import fmean, median, quantiles
from time import process_time
from typing import NamedTuple

from app.boards import load_board
from app.bots import LEVELS, choose
from app.bots.clock import Clock
from app.bots.known import Known, known_cards
from app.rules import Action, Score, Seat, Table, View, deal_with_events, legal_actions, play_on, score, view
from app.rules.game import KEEP_TICKETS, OVER, SECOND_CARD, TURN

BOARD = load_board("san-francisco")
RANDOM = "random"
GAMES = {2: 24, 3: 12, 4: 12}
"""Games of each pair by the number of players: about five minutes in all on two cores."""

PROCESSES = 2

IN_TURN = {TURN, SECOND_CARD, KEEP_TICKETS}

CONFIDENCE = 1.96
"""Standard deviations on each side of the mean that hold 95 % of a normal distribution."""

Mind = Callable[[View, random.Random, Known], Action]


class Pair(NamedTuple):
    """One player of a first kind among others of a second kind."""

    one: str
    others: str


class Task(NamedTuple):
    """A game to play, with the player of the first kind on `seat`."""

    pair: Pair
    players: int
    deal: str
    seat: Seat


class Side(NamedTuple):
    """The result of a seat, or the mean of several: share of the victory, lead over the best other seat, and so on."""

    won: float
    margin: float
    points: float
    kept: float
    completed: float


class Played(NamedTuple):
    """A played game: turns per player, and the milliseconds of CPU of each decision by kind of player."""

    one: Side
    others: Side
    turns: float
    times: dict[str, list[float]]


@cache
def mind(name: str) -> Mind:
    """The player for the name of a level or the path of a module."""
    if name in LEVELS:
        return lambda seen, chance, known: choose(name, seen, chance, Clock(now=process_time), known)
    spec = importlib.util.spec_from_file_location(Path(name).stem, name)
    if spec is None or spec.loader is None:
        sys.exit(f"{name} is neither a level nor a module")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return lambda seen, chance, _: module.choose(seen, chance)


class Game(NamedTuple):
    """A table at the end, the number of all turns, and the milliseconds of CPU of each decision by kind of player."""

    table: Table
    turns: int
    times: dict[str, list[float]]


def play_at(names: Sequence[str], seed: str) -> Game:
    """Play a game; each player sees only what its seat may know."""
    chances = [random.Random(f"{seed} {seat}") for seat in range(len(names))]
    game, dealt = deal_with_events(BOARD, len(names), random.Random(seed).randbytes(32))
    events = list(dealt)
    table = Table(game, events.append)
    times: dict[str, list[float]] = defaultdict(list)
    turns = 0
    while table.phase is not OVER:
        seat, in_turn = table.to_act[0], table.phase in IN_TURN
        name, chance, game = names[seat], chances[seat], table.frozen()
        if name == RANDOM:
            action = chance.choice(legal_actions(game, seat))
        else:
            seen, known = view(game, seat), known_cards(BOARD, len(names), events)
            start = process_time()
            action = mind(name)(seen, chance, known)
            times[name].append(1000 * (process_time() - start))
        play_on(table, seat, action)
        turns += in_turn and (table.turn != seat or table.phase is OVER)
    return Game(table, turns, dict(times))


def play_out(task: Task) -> Played:
    """Play a game of a pair."""
    names = [task.pair.one if seat == task.seat else task.pair.others for seat in range(task.players)]
    game = play_at(names, task.deal)
    lines = score(game.table.frozen())
    others = [side(lines, line.seat) for line in lines if line.seat != task.seat]
    mean = Side(*[fmean(values) for values in zip(*others, strict=True)])
    return Played(side(lines, task.seat), mean, game.turns / task.players, game.times)


def side(lines: Sequence[Score], seat: Seat) -> Side:
    """The result of one seat."""
    own, winners = lines[seat], sum(line.rank == 1 for line in lines)
    best_other = max(line.total for line in lines if line.seat != seat)
    completed = sum(ticket.done for ticket in own.tickets)
    return Side((own.rank == 1) / winners, own.total - best_other, own.total, len(own.tickets), completed)


def tasks(pair: Pair, players: int, games: int, seed: str) -> Iterator[Task]:
    """At least so many games, one from each seat of every deal."""
    for number in range(-(-games // players)):
        for seat in range(players):
            yield Task(pair, players, f"{seed} {players} {number}", Seat(seat))


def interval(share: float, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share of games."""
    squared = CONFIDENCE**2
    middle = (share + squared / (2 * games)) / (1 + squared / games)
    half = CONFIDENCE * sqrt(share * (1 - share) / games + squared / (4 * games**2)) / (1 + squared / games)
    return middle - half, middle + half


def row(pair: Pair, games: Sequence[Played]) -> str:
    """A row of the table. Where a cell has two values, the second is that of the others."""
    one, others = (
        Side(*[fmean(values) for values in zip(*sides, strict=True)])
        for sides in ([game.one for game in games], [game.others for game in games])
    )
    low, high = interval(one.won, len(games))
    cells = [
        short(pair.one),
        short(pair.others),
        f"{len(games)}",
        f"{one.won:.1%}",
        f"{low:.1%} – {high:.1%}",
        f"{one.margin:+.1f}",
        f"{one.points:.1f} / {others.points:.1f}",
        f"{one.completed:.1f} of {one.kept:.1f} / {others.completed:.1f} of {others.kept:.1f}",
        f"{fmean(game.turns for game in games):.1f}",
    ]
    return f"| {' | '.join(cells)} |"


def short(name: str) -> str:
    """The name of a level, or of a module without its folder."""
    return Path(name).stem


def report(players: int, matches: Sequence[tuple[Pair, Sequence[Played]]]) -> None:
    """Print a table in Markdown, as in docs/bots.md."""
    print(f"\n{players} players\n")
    print("| one | among | games | won | 95 % | margin | points | tickets completed | turns |")
    print("|---|---|--:|--:|--:|--:|--:|--:|--:|")
    for pair, games in matches:
        print(row(pair, games), flush=True)


def report_times(games: Sequence[Played]) -> None:
    """Print the CPU time of decisions."""
    print("\n| level | decisions | median, ms | 99th percentile, ms | most, ms |\n|---|--:|--:|--:|--:|")
    times: dict[str, list[float]] = defaultdict(list)
    for game in games:
        for name, spent in game.times.items():
            times[name] += spent
    for name, spent in times.items():
        cells = [
            short(name),
            f"{len(spent)}",
            f"{median(spent):.1f}",
            f"{quantiles(spent, n=100)[-1]:.1f}",
            f"{max(spent):.1f}",
        ]
        print(f"| {' | '.join(cells)} |")


def pairs(levels: Sequence[str], against: str | None) -> list[Pair]:
    """All pairs of levels, the stronger first; or a module against each level."""
    if against:
        return [Pair(against, level) for level in levels]
    return [Pair(stronger, weaker) for weaker, stronger in combinations(levels, 2)]


def main() -> None:
    """Play, and print the tables."""
    parser = argparse.ArgumentParser(prog="./run bench bots", description="Play the bots against each other.")
    parser.add_argument("--games", type=int, help="games of each pair; about five minutes in all unless given")
    parser.add_argument("--players", type=int, nargs="+", choices=GAMES, default=list(GAMES))
    parser.add_argument("--levels", nargs="+", choices=[RANDOM, *LEVELS], default=[RANDOM, *LEVELS], metavar="LEVEL")
    parser.add_argument("--against", metavar="PATH", help="a module with a function choose(view, rng)")
    parser.add_argument("--seed", default="1", help="from which the deals follow")
    parser.add_argument("--processes", type=int, default=PROCESSES)
    wish = parser.parse_args()
    everything: list[Played] = []
    with ProcessPoolExecutor(wish.processes) as pool:
        for players in wish.players:
            matches = []
            for pair in pairs(wish.levels, wish.against):
                games = list(pool.map(play_out, tasks(pair, players, wish.games or GAMES[players], wish.seed)))
                matches.append((pair, games))
                everything += games
            report(players, matches)
    report_times(everything)


if __name__ == "__main__":
    main()
