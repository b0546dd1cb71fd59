"""Compares moves by playing on in the same imagined games, and drops clearly worse ones early."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import exp, sqrt
from random import Random

from app.rules import Action, Game, Seat, Table, carry_out
from app.rules.game import FIRST_TICKETS, OVER

from .clock import Clock
from .graph import Graph
from .network_plans import quick_plan, stand
from .policy import Player
from .worlds import Scene

EVEN = 9.0
"""Points of margin with which a win is about three times as likely as a loss."""

POINT = 0.002
"""Weight of a point of margin, so that a game already won or lost is still played well."""

SURE = 1.3
"""Standard errors by which a move must beat the first one, which is what the plans alone suggest."""

HOPELESS = -1.0
"""Standard errors behind the first one at which a move is dropped."""

ROUNDS = ((10, 6), (6, 6), (3, 12), (2, 16))
"""Moves that are left at most, and the further games in which each is tried."""


@dataclass(eq=False, slots=True)
class Candidate:
    """A move, the player who goes on after it, and its result in each imagined game."""

    action: Action
    player: Player
    values: list[float] = field(default_factory=list)

    @property
    def mean(self) -> float:
        """The mean result."""
        return sum(self.values) / len(self.values)


class Worlds:
    """Imagined games, each with players for the other seats."""

    def __init__(self, scene: Scene, graph: Graph, rng: Random) -> None:
        self._scene, self._graph, self._rng = scene, graph, rng
        self._made: list[tuple[Game, list[Player]]] = []

    def world(self, number: int) -> tuple[Game, list[Player]]:
        """Game `number`, always the same."""
        while len(self._made) <= number:
            game = self._scene.world(self._rng)
            table = Table(game)
            self._made.append((game, [self._player(table, Seat(seat)) for seat in range(game.seats)]))
        return self._made[number]

    def _player(self, table: Table, seat: Seat) -> Player:
        tickets = [self._graph.tickets[ticket] for ticket in table.holdings[seat].tickets]
        if seat == self._scene.seat:
            return Player(self._graph, seat, tickets)
        return Player(self._graph, seat, tickets, quick_plan(stand(self._graph, table, seat, tickets)).routes)


def best(candidates: Sequence[Candidate], worlds: Worlds, clock: Clock) -> Candidate:
    """The candidate that is clearly better than the first one, or else the first."""
    first, left, done = candidates[0], list(candidates[1:]), 0
    for most, number in ROUNDS:
        left = left[: most - 1]
        for world in range(done, done + number):
            if not left or clock.is_over:
                break
            for candidate in (first, *left):
                candidate.values.append(_play_on(*worlds.world(world), candidate))
        if not left or clock.is_over:
            break
        done += number
        left.sort(key=lambda candidate: -candidate.mean)
        left = [candidate for candidate in left if _lead(candidate, first) > HOPELESS]
    return next((candidate for candidate in left if _lead(candidate, first) > SURE), first)


def _lead(candidate: Candidate, first: Candidate) -> float:
    """By how many standard errors a candidate beats the first one in the same games."""
    gains = [own - other for own, other in zip(candidate.values, first.values, strict=True)]
    if len(gains) < 2:
        return 0.0
    mean = sum(gains) / len(gains)
    variance = sum([(gain - mean) ** 2 for gain in gains]) / (len(gains) - 1)
    return mean / sqrt(variance / len(gains) + 1e-6)


def _play_on(game: Game, players: Sequence[Player], candidate: Candidate) -> float:
    """The result of a candidate in a game that all play to its end."""
    table, seat = Table(game), candidate.player.seat
    seats = [candidate.player.copy() if player.seat == seat else player.copy() for player in players]
    carry_out(table, seat, candidate.action)
    while table.phase is FIRST_TICKETS:
        to_act = table.to_act[0]
        carry_out(table, to_act, seats[to_act].act(table))
    while table.phase is not OVER:
        carry_out(table, table.turn, seats[table.turn].act(table))
    margin = _margin(seats[0].graph, table, seat)
    return 1 / (1 + exp(-margin / EVEN)) + POINT * margin


def _margin(graph: Graph, table: Table, seat: Seat) -> int:
    """The lead over the best of the others (F2, F3)."""
    own = [0] * len(table.hands)
    for route, owner in table.network.owners.items():
        own[owner] |= 1 << graph.route[route]
    totals = []
    for each, routes in enumerate(own):
        part = graph.parts(routes)
        tickets = [graph.tickets[ticket] for ticket in table.holdings[each].tickets]
        totals.append(
            table.network.points[each]
            + graph.board.token_points[len(table.tokens.owned[each])]
            + sum([points if part[start] == part[end] else -points for start, end, points in tickets])
        )
    return totals.pop(seat) - max(totals)
