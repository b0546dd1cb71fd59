"""What the medium bot does in positions where one thing is sensible."""

from random import Random

from app.bots import choose
from app.rules import Action, ClaimRoute, DrawCard, DrawTickets, Game, KeepTickets, PlaceToken, Seat, view
from app.rules.game import Phase
from harness.positions import BLIND, P1, P2, SAN_FRANCISCO, claim, keep, position, take

CHINATOWN = ("chinatown--union-square", "chinatown--the-embarcadero-1")
"""Two routes of one car each."""


def chosen(game: Game, seed: int = 1) -> Action:
    return choose("medium", view(game, P1), Random(seed))


def offered(offer: str) -> Game:
    return position(board=SAN_FRANCISCO, offers=[offer], phase=Phase.FIRST_TICKETS)


def with_ticket(
    hand: str,
    ticket: str = "palace-of-fine-arts--union-square",
    market: str | None = None,
    phase: Phase = Phase.TURN,
) -> Game:
    """The turn of a seat with one ticket; unless told otherwise over Pacific Heights, by green 2 and black 3."""
    return position(hand, board=SAN_FRANCISCO, tickets=[ticket], market=market, phase=phase)


def with_none(hand: str, owners: dict[str, Seat] | None = None, last_turns: int | None = None) -> Game:
    """The turn of a seat without an undone ticket, by which time no ticket is left to draw."""
    return position(hand, board=SAN_FRANCISCO, owners=owners, last_turns=last_turns, rest_tickets="P2")


def test_S4_keeps_both_tickets_when_it_has_the_cars_for_them() -> None:
    both = "lombard-street--civic-center pacific-heights--twin-peaks"
    assert chosen(offered(both)) == keep(both)


def test_S4_keeps_two_dear_tickets_that_share_a_path() -> None:
    both = "lands-end--union-square chinatown--japanese-tea-garden"
    assert chosen(offered(both)) == keep(both)


def test_S4_gives_back_a_ticket_when_both_would_take_too_many_cars() -> None:
    assert chosen(offered("alcatraz--potrero-hill fishermans-wharf--sunset")) == keep("fishermans-wharf--sunset")


def test_K1_keeps_a_ticket_that_is_done_already() -> None:
    owned = dict.fromkeys(CHINATOWN, P1) | {"union-square--civic-center": P1, "civic-center--alamo-square": P1}
    game = position(
        board=SAN_FRANCISCO,
        owners=owned,
        offers=["fishermans-wharf--sunset the-embarcadero--alamo-square"],
        phase=Phase.KEEP_TICKETS,
    )
    action = chosen(game)
    assert isinstance(action, KeepTickets)
    assert "the-embarcadero--alamo-square" in action.tickets


def test_S5_places_a_stack_on_a_path_of_its_tickets() -> None:
    game = with_ticket("", phase=Phase.TOKENS)
    action = chosen(game)
    assert isinstance(action, PlaceToken)
    assert action.location == "pacific-heights"


def test_R1_claims_a_route_of_its_plan_as_soon_as_it_can() -> None:
    assert chosen(with_ticket("G2 R4")) == claim("palace-of-fine-arts--pacific-heights", "G2")


def test_R1_does_not_spend_cards_off_its_plan() -> None:
    assert isinstance(chosen(with_ticket("R4")), DrawCard)


def test_R1_pays_gray_with_a_color_its_plan_does_not_need() -> None:
    """Of Golden Gate Bridge to Chinatown there are left three spaces of orange and two of gray."""
    game = position(
        "O2 U2",
        board=SAN_FRANCISCO,
        owners={"lombard-street--chinatown": P1},
        tickets=["golden-gate-bridge--chinatown"],
    )
    assert chosen(game) == claim("palace-of-fine-arts--lombard-street", "U2")


def test_R2_saves_a_ferry_for_the_ferry_route_of_its_plan() -> None:
    """The ferry alone would pay for gray spaces on the way, too."""
    assert isinstance(chosen(with_ticket("F", ticket="alcatraz--castro")), DrawCard)


def test_R2_spends_a_ferry_that_no_route_of_its_plan_takes() -> None:
    assert chosen(with_ticket("G F")) == claim("palace-of-fine-arts--pacific-heights", "G F")


def test_R7_takes_a_token_with_a_claim() -> None:
    action = chosen(with_ticket("R2", ticket="golden-gate-bridge--sunset"))
    assert action == claim("golden-gate-bridge--the-presidio", "R2", "bridge")


def test_D1_draws_the_color_its_plan_lacks() -> None:
    assert chosen(with_ticket("", market="R R U G P")) == take(3)


def test_D1_draws_from_the_deck_when_the_market_has_nothing_for_it() -> None:
    assert chosen(with_ticket("", market="R R U U P")) == BLIND


def test_D2_takes_a_ferry_of_the_market_when_one_is_lacking() -> None:
    assert chosen(with_ticket("", ticket="alcatraz--potrero-hill", market="R F U U P")) == take(1)


def test_D2_leaves_a_ferry_when_none_is_lacking() -> None:
    assert chosen(with_ticket("", market="R F U U P")) == BLIND


def test_R5_claims_the_most_points_a_turn_when_its_tickets_are_done() -> None:
    assert chosen(with_none("U4 R2")) == claim("sunset--twin-peaks", "U4", "surfboard")


def test_F1_claims_what_brings_most_in_the_last_turn() -> None:
    game = position(
        "R4 G2", board=SAN_FRANCISCO, tickets=["palace-of-fine-arts--union-square"], last_turns=1, rest_tickets="P2"
    )
    assert chosen(game) == claim("golden-gate-bridge--lands-end", "R4", "bridge")


def test_F1_completes_a_ticket_in_the_last_turn_rather_than_claim_a_longer_route() -> None:
    game = position(
        "R4 G2",
        board=SAN_FRANCISCO,
        owners={"pacific-heights--union-square": P1},
        tickets=["palace-of-fine-arts--union-square"],
        last_turns=1,
    )
    assert chosen(game) == claim("palace-of-fine-arts--pacific-heights", "G2")


def test_D6_claims_off_its_plan_with_a_full_hand() -> None:
    assert isinstance(chosen(with_ticket("R6 U6")), ClaimRoute)


def draws_tickets(game: Game) -> int:
    """In how many of 50 chances the bot draws tickets."""
    return sum(chosen(game, seed) == DrawTickets() for seed in range(50))


def test_K1_draws_tickets_now_and_then_when_its_own_are_done() -> None:
    assert 5 < draws_tickets(position(board=SAN_FRANCISCO)) < 45


def test_K1_draws_no_tickets_when_its_own_are_not_done() -> None:
    assert draws_tickets(with_ticket("")) == 0


def test_K1_draws_no_tickets_when_somebody_is_short_of_cars() -> None:
    owners = dict.fromkeys(["golden-gate-bridge--alcatraz", "lands-end--sunset", "sunset--twin-peaks"], P2)
    assert draws_tickets(position(board=SAN_FRANCISCO, owners=owners)) == 0


def test_R3_claims_first_the_route_that_another_has_reached() -> None:
    """Of two equal routes of its plan; whichever of them it is."""
    for theirs, first in (
        ("haight-ashbury--alamo-square", "pacific-heights--alamo-square"),
        ("lombard-street--chinatown", "pacific-heights--lombard-street"),
    ):
        game = position("P2 R2", board=SAN_FRANCISCO, owners={theirs: P2}, tickets=["lombard-street--castro"])
        action = chosen(game)
        assert isinstance(action, ClaimRoute)
        assert action.route == first


def test_F1_claims_off_its_plan_when_another_is_nearly_out_of_cars() -> None:
    long_routes = [
        "golden-gate-bridge--alcatraz",
        "lands-end--sunset",
        "sunset--twin-peaks",
        "noe-valley--potrero-hill",
    ]
    game = position(
        "R4",
        board=SAN_FRANCISCO,
        owners=dict.fromkeys(long_routes, P2),
        tickets=["palace-of-fine-arts--union-square"],
    )
    assert isinstance(chosen(game), ClaimRoute)
