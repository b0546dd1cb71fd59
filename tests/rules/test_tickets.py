"""Drawing destination tickets: clause K."""

import pytest

from app.rules import DrawTickets, KeepTickets, Seat, deal, legal_actions, seen_by, view
from app.rules.events import TicketsDrawn, TicketsKept
from app.rules.game import Phase
from harness.invariants import check_tickets
from harness.positions import (
    BLIND,
    P1,
    P2,
    SAN_FRANCISCO,
    after,
    claim,
    happened,
    keep,
    position,
    refused,
    take,
)

every_count = pytest.mark.parametrize("seats", [2, 3, 4])
DRAW = DrawTickets()


@every_count
def test_K1_draw_two_keep_one_and_the_other_goes_under_the_deck(seats: int) -> None:
    """BUG305, BUG307: one is enough, and the deck shrinks by what was kept."""
    start = position(ticket_deck="t1 t2 t3", seats=seats)
    game, events = happened(start, DRAW, keep("t1"))
    assert game.holdings[P1].tickets == ("t1",)
    assert game.ticket_deck == (*start.ticket_deck[2:], "t2")
    assert len(game.ticket_deck) == len(start.ticket_deck) - 1
    assert game.to_act == (P2,)
    drawn = start.ticket_deck[:2]
    assert events == (TicketsDrawn(P1, 2, drawn), TicketsKept(P1, 1, 1, drawn[:1]))


def test_K1_both_may_be_kept() -> None:
    game = after(position(ticket_deck="t1 t2", tickets=["t5"]), DRAW, keep("t2 t1"))
    assert game.holdings[P1].tickets == ("t5", "t1", "t2")
    check_tickets(game)


@pytest.mark.parametrize("kept", ["", "t3", "t1 t3", "t1 t1", "t1 t2 t3", "t9"])
def test_K1_at_least_one_and_only_of_those_drawn(kept: str) -> None:
    """BUG304: the choice is still open after a refusal."""
    game = after(position(ticket_deck="t1 t2 t3"), DRAW)
    assert refused(game, P1, keep(kept)).code == "illegal_action"
    assert game.holdings[P1].offer == ("t1", "t2")
    assert set(legal_actions(game, P1)) == {keep("t1"), keep("t2"), keep("t1 t2")}


def test_K1_once_drawn_nothing_else_may_be_done() -> None:
    game = after(position("K", ticket_deck="t1 t2"), DRAW)
    assert game.phase is Phase.KEEP_TICKETS
    for action in (BLIND, take(0), DRAW, claim("r4", "K", "sun")):
        assert "drawn destination tickets" in str(refused(game, P1, action))
    assert refused(game, P2, keep("t1")).code == "not_your_turn"


def test_K1_without_tickets_drawn_there_is_nothing_to_keep() -> None:
    assert "no destination tickets to choose" in str(refused(position(), P1, keep("t1")))


def test_K1_a_kept_ticket_stays_to_the_end() -> None:
    game = position(tickets=["t1"], ticket_deck="t2 t3")
    for _ in range(2):
        game = after(game, DRAW, keep(game.ticket_deck[0]))
    assert game.holdings[P1].tickets[0] == "t1"
    assert not any(isinstance(action, KeepTickets) for action in legal_actions(game, P1))


@every_count
def test_K2_the_last_ticket_is_drawn_and_kept(seats: int) -> None:
    """BUG301: it can't be given back."""
    start = position(ticket_deck="t1", rest_tickets="P2", seats=seats)
    game = after(start, DRAW)
    assert game.holdings[P1].offer == ("t1",)
    assert game.ticket_deck == ()
    assert list(legal_actions(game, P1)) == [keep("t1")]
    assert "at least one" in str(refused(game, P1, keep("")))
    assert after(game, keep("t1")).holdings[P1].tickets == ("t1",)


@every_count
def test_K2_with_none_left_the_action_is_not_open(seats: int) -> None:
    """BUG303, BUG310: neither listed nor accepted, and nothing is doubled."""
    game = position(tickets=["t1"], rest_tickets="P2", seats=seats)
    assert DRAW not in legal_actions(game, P1)
    assert not view(game, P1).own.legal.draw_tickets
    assert "No destination tickets" in str(refused(game, P1, DRAW))
    assert view(game, P1).own.offer == ()


@every_count
def test_K3_tickets_are_secret_and_how_many_is_public(seats: int) -> None:
    game = position(tickets=["t1 t2", "t3"], seats=seats)
    for viewer in (None, *map(Seat, range(seats))):
        shown = view(game, viewer)
        assert [player.tickets for player in shown.public.players][:2] == [2, 1]
        own = [] if viewer is None else list(game.holdings[viewer].tickets)
        assert [ticket.id for ticket in shown.own.tickets] == own


def test_K3_how_many_cards_is_public() -> None:
    assert [player.cards for player in view(position("R2 F", "K"), None).public.players] == [3, 1]


def test_K3_a_first_choice_tells_only_that_it_was_made() -> None:
    """BUG1108: not even how many were kept, until all have chosen."""
    game = deal(SAN_FRANCISCO, 3, bytes(32))
    seat = game.first_player
    one, both = game.holdings[seat].offer[:1], game.holdings[seat].offer
    left = [happened(game, KeepTickets(kept)) for kept in (one, both)]
    for viewer in (None, *(other for other in game.order if other != seat)):
        assert view(left[0][0], viewer) == view(left[1][0], viewer)
        seen = [[seen_by(event, viewer) for event in events] for _, events in left]
        assert seen[0] == seen[1]
    assert [player.tickets for player in view(left[0][0], seat).public.players] == [0, 0, 0]


def test_K3_looking_changes_nothing() -> None:
    """BUG311: the same two tickets a hundred times."""
    game = after(position(ticket_deck="t1 t2 t3"), DRAW)
    seen = [view(game, P1) for _ in range(100)]
    assert all(each == seen[0] for each in seen)
    assert seen[-1].own.offer == ("t1", "t2")
    assert seen[-1].public.ticket_deck == 6


@pytest.mark.parametrize(("owners", "reachable"), [({}, True), ({"f1": P2, "r3": P2, "f2": P2}, False)])
def test_a_view_says_which_of_the_own_tickets_are_done_or_can_still_be(
    owners: dict[str, Seat], *, reachable: bool
) -> None:
    shown = view(position(tickets=["t1 t5"], owners={**owners, "d1": P1}, seats=3), P1).own.tickets
    assert [(ticket.id, ticket.done, ticket.reachable) for ticket in shown] == [
        ("t1", False, reachable),
        ("t5", True, True),
    ]


def test_a_ticket_that_needs_more_cars_than_are_left_is_out_of_reach() -> None:
    used = dict.fromkeys(("r1", "d1", "f1", "r5", "f2"), P1)
    game = position(tickets=["t2"], owners={**used, "r4": P2}, seats=3)
    assert view(game, P1).own.tickets[0].done
    game = position(tickets=["t7"], owners=dict.fromkeys(("r1", "d1", "r5", "f2", "r4"), P1), seats=2)
    assert view(game, P1).own.tickets[0].done
