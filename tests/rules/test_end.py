"""The end and the score: clause F."""

from dataclasses import replace

import pytest

from app.rules import Board, Game, RouteId, Score, Seat, score, view
from app.rules.events import GameEnded, LastTurnsBegan
from app.rules.game import Phase
from harness.positions import (
    BLIND,
    M0,
    P1,
    P2,
    P3,
    P4,
    SAN_FRANCISCO,
    after,
    claim,
    happened,
    position,
    refused,
    take,
)

every_count = pytest.mark.parametrize("seats", [2, 3, 4])

NEARLY_OUT = ("r2", "d1", "f1", "f2", "r3", "r5")
"""Routes of M0 that use 17 of the 20 cars."""


def nearly_out(seat: Seat, **more: object) -> Game:
    """A position where that seat is to act with 3 cars, and enters the last turns by claiming r4 with a black card."""
    hands = ["K" if each == seat else "" for each in range(4)]
    seats = int(more.pop("seats", 3))  # type: ignore[call-overload]
    return position(*hands[:seats], owners=dict.fromkeys(NEARLY_OUT, seat), turn=seat, **more)  # type: ignore[arg-type]


def rounds(game: Game) -> list[Seat]:
    """Who acts from here to the end when everybody draws two cards."""
    seats = []
    while game.to_act:
        seats.append(game.to_act[0])
        game = after(game, BLIND, BLIND)
    return seats


@every_count
def test_F1_everybody_has_one_more_turn_the_trigger_last(seats: int) -> None:
    """BUG601: that one included."""
    for seat in map(Seat, range(seats)):
        game, events = happened(nearly_out(seat, seats=seats), claim("r4", "K", "sun"))
        assert game.network.cars[seat] == 2
        assert game.last_turns == seats
        assert LastTurnsBegan(seat, seats) in events
        assert rounds(game) == [(seat + step) % seats for step in range(1, seats + 1)]


def test_F1_two_cars_or_fewer_and_not_three() -> None:
    """BUG602: at the end of a turn."""
    owned = dict.fromkeys(("r2", "d1", "f1", "r3", "r5"), P1)
    game = after(position("K", owners=owned), claim("r4", "K", "sun"))
    assert game.network.cars[P1] == 3
    assert game.last_turns is None
    assert after(nearly_out(P1), claim("r4", "K", "sun")).last_turns == 3


def test_F1_the_last_turns_are_counted_in_the_view_of_everybody() -> None:
    """BUG603: after a reload too, since the view is all there is."""
    game = after(nearly_out(P2), claim("r4", "K", "sun"))
    for left in (3, 2, 1):
        assert all(view(game, viewer).public.last_turns == left for viewer in (P1, P2, P3, None))
        game = after(game, BLIND, BLIND)
    assert game.phase is Phase.OVER
    assert view(game, None).public.last_turns == 0


def test_F1_another_player_running_out_of_cars_changes_nothing() -> None:
    game = position("", "K", owners=dict.fromkeys(NEARLY_OUT, P2), turn=P2, seats=3, last_turns=3)
    game, events = happened(game, claim("r4", "K", "sun"))
    assert game.last_turns == 2
    assert not any(isinstance(event, LastTurnsBegan) for event in events)


def test_F1_then_the_game_ends() -> None:
    game, events = happened(position(last_turns=1, seats=3), BLIND, BLIND)
    assert events[-1] == GameEnded("last_turns")
    assert game.phase is Phase.OVER
    for seat in (P1, P2, P3):
        error = refused(game, seat, BLIND)
        assert (error.code, str(error)) == ("illegal_action", "The game is over.")


def test_F1_a_draw_of_two_cards_is_one_of_the_last_turns() -> None:
    game = after(position(last_turns=2), BLIND)
    assert game.last_turns == 2
    assert after(game, take(0)).last_turns == 1


def test_F2_completed_tickets_add_and_others_take_off() -> None:
    game = position(owners={"d1": P1, "f1": P1}, tickets=["t1 t5 t2"])
    line = score(game)[P1]
    assert [(ticket.id, ticket.points, ticket.done) for ticket in line.tickets] == [
        ("t1", 6, True),
        ("t5", 2, True),
        ("t2", -4, False),
    ]
    assert (line.routes, line.tokens, line.total) == (6, 0, 6 + 6 + 2 - 4)


def test_F2_the_path_is_of_the_players_own_routes_only() -> None:
    """BUG609: another's route doesn't help, and the way may be of any length."""
    helped = score(position(owners={"d1": P1, "f1": P2}, tickets=["t1"]))
    assert not helped[P1].tickets[0].done
    around = score(position(owners={"r1": P1, "r2": P1, "r5": P1, "f2": P1}, tickets=["t1", "t2"], seats=3))
    assert around[P1].tickets[0].done
    assert not around[P2].tickets[0].done


def test_F2_a_loop_or_a_twin_is_a_path_like_any() -> None:
    game = position(owners={"d2": P1, "r2": P1, "r1": P1}, tickets=["t4 t5 t6"], seats=3)
    assert all(ticket.done for ticket in score(game)[P1].tickets)


@every_count
def test_F2_at_the_end_the_tickets_are_revealed_to_all(seats: int) -> None:
    """BUG608: everybody's score is of their own tickets, the same table for all."""
    start = position(tickets=["t1", "t2 t3"], owners={"d1": P1, "f1": P1, "r5": P2}, last_turns=1, seats=seats)
    assert view(start, None).public.scores is None
    game = after(start, BLIND, BLIND)
    tables = [view(game, viewer).public.scores for viewer in (None, *map(Seat, range(seats)))]
    assert all(table == score(game) for table in tables)
    assert [[ticket.id for ticket in line.tickets] for line in score(game)][:2] == [["t1"], ["t2", "t3"]]
    assert [line.total for line in score(game)][:2] == [2 + 4 + 6, 10 - 4 + 3]


@pytest.mark.parametrize(("number", "points"), [*enumerate([0, 0, 1, 2, 4, 6, 9, 12])])
def test_F3_different_tokens_score_by_number(number: int, points: int) -> None:
    symbols = [stack.symbol for stack in SAN_FRANCISCO.token_stacks][:number]
    line = score(position(board=SAN_FRANCISCO, tokens=[" ".join(symbols)]))[P1]
    assert (line.tokens, line.total) == (points, points)


def ranks(lines: tuple[Score, ...]) -> list[tuple[int, int]]:
    return [(line.total, line.rank) for line in lines]


@every_count
def test_F4_most_points_win(seats: int) -> None:
    game = position(owners={"r1": P2, "r2": P1}, seats=seats)
    assert ranks(score(game)) == [(2, 2), (4, 1), (0, 3), (0, 3)][:seats]


def test_F4_then_most_completed_tickets() -> None:
    """BUG605: equal points, more completed tickets."""
    game = position(owners={"r1": P1, "d1": P2}, tickets=["", "t5"], seats=3)
    assert ranks(score(game)) == [(4, 2), (4, 1), (0, 3)]


def test_F4_then_the_victory_is_shared() -> None:
    game = position(owners={"d1": P1, "d2": P2, "f1": P3}, seats=4, tickets=["t5", "", "", ""])
    assert ranks(score(game)) == [(4, 1), (2, 3), (4, 2), (0, 4)]
    shared = position(owners={"d1": P1, "d2": P2}, seats=4)
    assert ranks(score(shared)) == [(2, 1), (2, 1), (0, 3), (0, 3)]


def test_F4_points_may_be_below_zero() -> None:
    assert score(position(tickets=["t1 t2"]))[P1].total == -10


def test_the_final_table_of_three_players_worked_out_by_hand() -> None:
    """BUG608, BUG618: every line from the position, nothing accumulated.

    P1 has lands-end--sunset (5 spaces, 10 points) and sunset--twin-peaks (4, 7): 17; two tokens: 1; the ticket
    Lands End - Haight-Ashbury (6) is not joined: -6. In all 12.
    P2 has castro--twin-peaks (1, 1), haight-ashbury--castro (1, 1), mission--castro-1 (2, 2): 4; four tokens: 4;
    Pacific Heights - Twin Peaks (4) is not joined, -4. In all 4.
    P3 has alcatraz--fishermans-wharf-1 (2, 2), lombard-street--fishermans-wharf-2 (1, 1), pacific-heights--
    lombard-street (2, 2), pacific-heights--union-square (3, 4), union-square--civic-center (1, 1): 10; no token;
    Alcatraz - Civic Center (7) and Lombard Street - Civic Center (4) are joined: 11. In all 21.
    """
    game = position(
        board=SAN_FRANCISCO,
        seats=3,
        phase=Phase.OVER,
        owners={
            "lands-end--sunset": P1, "sunset--twin-peaks": P1,
            "castro--twin-peaks": P2, "haight-ashbury--castro": P2, "mission--castro-1": P2,
            "alcatraz--fishermans-wharf-1": P3, "lombard-street--fishermans-wharf-2": P3,
            "pacific-heights--lombard-street": P3, "pacific-heights--union-square": P3,
            "union-square--civic-center": P3,
        },
        tickets=[
            "lands-end--haight-ashbury",
            "pacific-heights--twin-peaks",
            "alcatraz--civic-center lombard-street--civic-center",
        ],
        tokens=["surfboard bridge", "surfboard bridge lighthouse streetcar-bell", ""],
    )  # fmt: skip
    lines = [(line.routes, sum(each.points for each in line.tickets), line.tokens, line.total) for line in score(game)]
    assert lines == [(17, -6, 1, 12), (4, -4, 4, 4), (10, 11, 0, 21)]
    assert [line.rank for line in score(game)] == [2, 3, 1]
    assert view(game, P4 if game.seats > 3 else None).public.scores == score(game)


def test_a_claim_in_the_last_turns_scores_the_same_from_scratch() -> None:
    """BUG618: the total is what the position says, however it came about."""
    start = position("K", owners={"r1": P1}, tickets=["t4"], last_turns=1)
    game = after(start, claim("r4", "K", "sun"))
    again = position(
        "", owners={"r1": P1, "r4": P1}, tickets=["t4"], tokens=["sun"], phase=Phase.OVER, last_turns=0, market=None
    )
    assert score(game) == score(again)
    assert score(game)[P1].total == 4 + 1 + 2 + 0


def test_points_are_those_of_the_boards_table() -> None:
    dear: Board = replace(M0, route_points={**M0.route_points, 3: 50})
    assert score(position(board=dear, owners={"r1": P1}))[P1].routes == 50
    assert dear.route[RouteId("r1")].length == 3
