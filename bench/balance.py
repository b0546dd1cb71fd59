"""Measures how even the board is among equal players: what tickets, routes and the first seat are worth.

./run bench balance [--games N] [--players N] [--level LEVEL]
"""

import argparse
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from statistics import fmean
from typing import NamedTuple

from app.bots import LEVELS
from app.rules import RouteId, Score, Seat, TicketId, score
from app.rules.game import SEATS

from .bots import BOARD, PROCESSES, interval, play_at


class Ended(NamedTuple):
    """What the report needs of a finished game."""

    scores: tuple[Score, ...]
    owners: dict[RouteId, Seat]
    first: Seat
    turns: float

    def share(self, seat: int) -> float:
        """A seat's share of the victory."""
        winners = sum(line.rank == 1 for line in self.scores)
        return (self.scores[seat].rank == 1) / winners


def play_one(level: str, players: int, number: int) -> Ended:
    """Play a game among bots of one level."""
    game = play_at([level] * players, f"balance {players} {number}")
    end = game.table.frozen()
    return Ended(score(end), dict(end.network.owners), end.first_player, game.turns / players)


def report(games: Sequence[Ended]) -> None:
    """Print the figures, then tables of routes and tickets in Markdown."""
    lines = [line for game in games for line in game.scores]
    winners = [line for line in lines if line.rank == 1]
    first = fmean(game.share(game.first) for game in games)
    low, high = interval(first, len(games))
    print(f"- tickets kept by each player: {fmean(len(line.tickets) for line in lines):.2f}")
    print(f"- tickets completed, of those kept: {done(lines):.0%}")
    print(f"- a winner's points: {fmean(line.total for line in winners):.1f}")
    print(f"- of them from tickets: {sum(map(from_tickets, winners)) / sum(line.total for line in winners):.0%}")
    print(f"- games won by the first player: {first:.1%} ({low:.1%} to {high:.1%})")
    print(f"- turns of each player: {fmean(game.turns for game in games):.1f}")
    print("\n| route | length | claimed | its owner wins |\n|---|--:|--:|--:|")
    for route in BOARD.routes:
        shares = [game.share(game.owners[route.id]) for game in games if route.id in game.owners]
        print(f"| {route.id} | {route.length} | {len(shares) / len(games):.0%} | {mean(shares)} |")
    print("\n| ticket | points | kept | completed | its owner wins |\n|---|--:|--:|--:|--:|")
    for ticket in BOARD.tickets:
        held = [(game.share(line.seat), part) for game in games for line, part in holders(game, ticket.id)]
        shares, completed = [share for share, _ in held], [float(is_done) for _, is_done in held]
        kept = len(held) / len(games)
        print(f"| {ticket.id} | {ticket.points} | {kept:.0%} | {mean(completed)} | {mean(shares)} |")


def holders(game: Ended, ticket: TicketId) -> Iterable[tuple[Score, bool]]:
    """Who held a ticket, and whether it was completed."""
    return [(line, part.done) for line in game.scores for part in line.tickets if part.id == ticket]


def from_tickets(line: Score) -> int:
    """A score's points from tickets."""
    return sum(ticket.points for ticket in line.tickets)


def done(lines: Iterable[Score]) -> float:
    """The share of tickets that were completed."""
    return fmean(ticket.done for line in lines for ticket in line.tickets)


def mean(values: Sequence[float]) -> str:
    """A mean in percent, or a dash if there are no values."""
    return f"{fmean(values):.0%}" if values else "–"


def main() -> None:
    """Play, and print the tables."""
    parser = argparse.ArgumentParser(prog="./run bench balance", description="Measure how even the board is.")
    parser.add_argument("--games", type=int, default=80)
    parser.add_argument("--players", type=int, choices=SEATS, default=2)
    parser.add_argument("--level", choices=LEVELS, default=LEVELS[-1])
    parser.add_argument("--processes", type=int, default=PROCESSES)
    wish = parser.parse_args()
    with ProcessPoolExecutor(wish.processes) as pool:
        games = list(pool.map(partial(play_one, wish.level, wish.players), range(wish.games)))
    print(f"{wish.games} games of {wish.players}, all {wish.level}\n")
    report(games)


if __name__ == "__main__":
    main()
