"""The benchmark of the board's balance."""

import pytest

from bench.balance import from_tickets, holders, play_one, report
from bench.bots import BOARD


def test_a_game_among_equals_is_counted_in_full() -> None:
    game = play_one("easy", 3, 1)
    assert sum(game.share(seat) for seat in range(3)) == pytest.approx(1)
    assert sum(BOARD.route_points[BOARD.route[route].length] for route in game.owners) == sum(
        line.routes for line in game.scores
    )
    held = [holder for ticket in BOARD.tickets for holder in holders(game, ticket.id)]
    assert len(held) == sum(len(line.tickets) for line in game.scores)
    assert sum(map(from_tickets, game.scores)) == sum(line.total - line.routes - line.tokens for line in game.scores)


def test_it_tells_of_every_route_and_ticket(capsys: pytest.CaptureFixture[str]) -> None:
    report([play_one("easy", 2, number) for number in range(3)])
    told = capsys.readouterr().out
    assert all(f"\n| {route.id} | {route.length} | " in told for route in BOARD.routes)
    assert all(f"\n| {ticket.id} | {ticket.points} | " in told for ticket in BOARD.tickets)
