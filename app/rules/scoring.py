"""The final score, line by line (F2 to F4)."""

from dataclasses import dataclass, replace

from .actions import Seat
from .board import TicketId
from .game import Game, Phase


@dataclass(frozen=True, slots=True)
class TicketScore:
    """The points of a ticket: its value if it is done, minus its value if not (F2)."""

    id: TicketId
    points: int
    done: bool


@dataclass(frozen=True, slots=True)
class Score:
    """The lines of a seat's result and their sum, `total`. The winner has `rank` 1; equals share a rank (F4)."""

    seat: Seat
    routes: int
    tickets: tuple[TicketScore, ...]
    tokens: int
    total: int
    rank: int


@dataclass(frozen=True, slots=True)
class End:
    """How a game ended."""

    scores: tuple[Score, ...]


def end_of(game: Game) -> End | None:
    """The end of a game that is over."""
    return End(score(game)) if game.phase is Phase.OVER else None


def score(game: Game) -> tuple[Score, ...]:
    """Every seat's result, in the order of the seats, if the game ended in this position."""
    unranked = [_lines(game, Seat(seat)) for seat in range(game.seats)]
    return tuple(
        replace(line, rank=1 + sum(_standing(other) > _standing(line) for other in unranked)) for line in unranked
    )


def _standing(line: Score) -> tuple[int, int]:
    """Most points, then most completed tickets (F4)."""
    return line.total, sum(ticket.done for ticket in line.tickets)


def _lines(game: Game, seat: Seat) -> Score:
    routes = game.network.points[seat]
    tickets = tuple(_ticket(game, seat, ticket) for ticket in game.holdings[seat].tickets)
    tokens = game.board.token_points[len(game.tokens.owned[seat])]
    total = routes + tokens + sum(ticket.points for ticket in tickets)
    return Score(seat, routes, tickets, tokens, total, rank=0)


def _ticket(game: Game, seat: Seat, ticket: TicketId) -> TicketScore:
    printed = game.board.ticket[ticket]
    done = game.network.joins(seat, *printed.between)
    return TicketScore(ticket, printed.points if done else -printed.points, done)
