"""Claiming a route: clause R."""

import pytest

from app.rules import Card, ClaimRoute, Game, LocationId, RouteId, Seat, Symbol, deal, legal_actions, score, view
from app.rules.events import RouteClaimed, TokenTaken
from app.rules.game import Phase
from harness.invariants import check
from harness.positions import (
    ARCHIPELAGO,
    BLIND,
    P1,
    P2,
    P3,
    SAN_FRANCISCO,
    after,
    claim,
    discards,
    hand,
    happened,
    paid,
    position,
    refused,
    take,
)

every_count = pytest.mark.parametrize("seats", [2, 3, 4])


def payments(game: Game, route: str, seat: Seat = P1) -> list[dict[Card, int]]:
    """The payments listed for a route, each once, in their order."""
    listed = [action.payment for action in legal_actions(game, seat) if _claims(action, route)]  # type: ignore[union-attr]
    return [dict(payment) for at, payment in enumerate(listed) if payment not in listed[:at]]


def _claims(action: object, route: str) -> bool:
    return isinstance(action, ClaimRoute) and action.route == route


def tokens(game: Game, route: str) -> set[object]:
    return {
        action.token for action in legal_actions(game, P1) if isinstance(action, ClaimRoute) and action.route == route
    }


@every_count
def test_R1_a_colored_route_costs_its_length_in_its_color(seats: int) -> None:
    game, events = happened(position("R3", seats=seats), claim("r1", "R3", "sun"))
    assert game.network.owners == {"r1": P1}
    assert hand(game, P1) == {}
    assert discards(game) == paid("R3")
    assert events[0] == RouteClaimed(P1, RouteId("r1"), paid("R3"), 4)
    assert game.to_act == (P2,)


@pytest.mark.parametrize("payment", ["U3", "R2", "R4", "R2 U", "R", "", "F2", "R3 F", "coral3"])
def test_R1_nothing_else_pays_for_it(payment: str) -> None:
    game = position("R4 U3 F2")
    assert refused(game, P1, claim("r1", payment, "sun")).code == "illegal_action"


@pytest.mark.parametrize(
    "payment", [{"red": 3, "ferry": 0}, {"red": 4, "blue": -1}, {"red": -3}, {"red": 3, "blue": 0}]
)
def test_R1_a_payment_names_only_what_is_given(payment: dict[str, int]) -> None:
    action = ClaimRoute(RouteId("r1"), {Card(name): number for name, number in payment.items()})
    assert refused(position("R4 U3 F2"), P1, action).code == "illegal_action"


def test_R1_only_cards_that_are_held() -> None:
    """BUG414: the same card can't be given twice; how many are held is what counts."""
    game = position("R2 U5")
    assert "don't hold" in str(refused(game, P1, claim("r1", "R3", "sun")))
    assert payments(game, "r1") == []


def test_R1_exactly_the_price_leaves_the_hand() -> None:
    """BUG413: no card more."""
    assert hand(after(position("R5"), claim("r1", "R3", "sun")), P1) == paid("R2")


def test_R1_a_gray_route_takes_one_color_of_the_players_choice() -> None:
    game = position("R2 U2 G K")
    assert payments(game, "r2") == [paid("U2"), paid("R2")]
    assert hand(after(game, claim("r2", "U2", "moon")), P1) == paid("R2 G K")
    assert "don't pay" in str(refused(game, P1, claim("r2", "R U", "moon")))


def test_R1_ferries_stand_for_any_color_and_may_be_all_of_the_set() -> None:
    """BUG409, BUG410: on a colored route and on a gray one."""
    assert hand(after(position("F3"), claim("r1", "F3", "sun")), P1) == {}
    assert hand(after(position("F3"), claim("r2", "F2", "moon")), P1) == paid("F")


def test_R1_every_payment_is_offered_fewest_ferries_first() -> None:
    """BUG421, BUG503: the player says how many ferries are spent."""
    game = position("R2 F3")
    assert payments(game, "r2") == [paid("R2"), paid("R F"), paid("F2")]
    assert payments(game, "r1") == [paid("R2 F"), paid("R F2"), paid("F3")]
    assert hand(after(game, claim("r2", "R F", "moon")), P1) == paid("R F2")


def test_R1_the_cards_named_are_the_cards_taken() -> None:
    """BUG408: two of the color are paid, the ferries stay."""
    assert hand(after(position("U2 F2"), claim("d1", "U2", "sun")), P1) == paid("F2")


def test_R1_a_claim_is_one_transaction() -> None:
    """BUG412: cards, cars, owner, points, token and turn change together."""
    game, events = happened(position("O2 F"), claim("f1", "O2 F", "star"))
    shown = view(game, None).public
    assert (shown.players[P1].cards, shown.players[P1].cars, shown.players[P1].points) == (0, 17, 4)
    assert shown.players[P1].tokens == ("star",)
    assert shown.owners == {"f1": P1}
    assert sum(shown.discard.values()) == 3
    assert shown.to_act == (P2,)
    assert [type(event) for event in events] == [RouteClaimed, TokenTaken]


def test_R1_paid_cards_are_counted_among_the_discards() -> None:
    """BUG120: in public."""
    assert view(after(position("R3", discard="R K"), claim("r1", "R3", "sun")), P2).public.discard == paid("R4 K")


@pytest.mark.parametrize("payment", ["R2 F", "R F2", "F3", "U2 F"])
def test_R2_a_ferry_route_takes_a_ferry_for_each_symbol_and_the_rest_as_ever(payment: str) -> None:
    """BUG423: on a route of three spaces and one symbol."""
    assert after(position("R3 U2 F3"), claim("f1", payment, "star")).network.owners == {"f1": P1}


@pytest.mark.parametrize("payment", ["R3", "R U F", "F2", "U2 R"])
def test_R2_too_few_ferries_or_two_colors_do_not_pay(payment: str) -> None:
    assert "don't pay" in str(refused(position("R3 U2 F3"), P1, claim("f1", payment, "star")))


def test_R2_a_ferry_route_of_one_space_takes_a_ferry() -> None:
    assert payments(position("R2 F2"), "f2") == [paid("F")]
    assert refused(position("R F"), P1, claim("f2", "R", "bell")).code == "illegal_action"


def test_R2_with_as_many_symbols_as_the_board_says() -> None:
    game = position("coral2 teal3 F3", board=ARCHIPELAGO, market="sand sand sand sand coral")
    assert payments(game, "port--reef-1") == [paid("F3")]
    assert payments(game, "port--reef-2") == [paid("teal F2"), paid("F3")]
    assert payments(game, "north-bay--south-bay") == [paid("F2")]


def test_R3_a_route_needs_no_connection_with_the_players_others() -> None:
    game = position("K", owners={"f1": P1})
    assert after(game, claim("r4", "K", "sun")).network.owners == {"f1": P1, "r4": P1}


def test_R3_an_owned_route_is_refused() -> None:
    """BUG405: it stays whose it is."""
    for owner in (P1, P2):
        game = position("K", owners={"r4": owner})
        assert str(refused(game, P1, claim("r4", "K", "sun"))) == "This route is taken."
        assert game.network.owners == {"r4": owner}


def test_R3_one_claim_in_a_turn() -> None:
    """BUG407: the second is out of turn."""
    game = after(position("U2 O2", seats=3), claim("d1", "U2", "sun"))
    assert refused(game, P1, claim("d2", "O2", "star")).code == "not_your_turn"


def test_R3_unknown_routes_are_refused() -> None:
    """BUG420, BUG1208: whatever is sent is checked."""
    assert "no such route" in str(refused(position("R6"), P1, claim("r99", "R3")))


def test_R4_without_a_car_for_each_space_the_route_is_refused() -> None:
    """BUG418, BUG425: and the refusal says how many are missing."""
    used = dict.fromkeys(("r1", "r2", "d1", "f1", "f2", "r4", "r5"), P1)
    game = position("G4", owners=used, seats=3)
    assert game.network.cars[P1] == 3
    refusal = refused(game, P1, claim("r3", "G4", "bell"))
    assert "1 cable car short" in str(refusal)
    assert (refusal.reason.name, refusal.reason.facts) == ("cars_short", {"n": 1})
    assert payments(game, "r3") == []


def test_R4_the_last_car_may_be_used() -> None:
    used = dict.fromkeys(("r2", "d1", "f1", "f2", "r3", "r5"), P1)
    game = position("R3", owners=used, seats=3, tokens=["moon sun"])
    assert game.network.cars[P1] == 3
    assert after(game, claim("r1", "R3")).network.cars[P1] == 0


@every_count
def test_R4_cars_used_leave_the_supply(seats: int) -> None:
    game = after(position("R3", seats=seats), claim("r1", "R3", "sun"))
    assert [player.cars for player in view(game, P2).public.players] == [17, *[20] * (seats - 1)]


@pytest.mark.parametrize("route", sorted({route.length: route for route in SAN_FRANCISCO.routes}.items()))
def test_R5_points_by_length_at_once_and_in_public(route: tuple[int, object]) -> None:
    """BUG612: for each length on the board."""
    length, printed = route
    game = position("F6", board=SAN_FRANCISCO)
    action = next(action for action in legal_actions(game, P1) if _claims(action, printed.id))  # type: ignore[attr-defined]
    game, events = happened(game, action)
    points = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15}[length]
    assert [player.points for player in view(game, None).public.players] == [points, 0]
    assert isinstance(events[0], RouteClaimed)
    assert events[0].points == points


def test_R5_public_points_are_of_routes_only() -> None:
    """BUG611: joining the ends of a ticket tells nobody anything."""
    start = [position("F", owners={"d1": P1, "f1": P1, "r4": P2}, tickets=[ticket]) for ticket in ("t1", "t8")]
    ended = [happened(game, claim("f2", "F", "bell")) for game in start]
    assert view(ended[0][0], P1).own.tickets[0].done
    for viewer in (P2, None):
        assert view(ended[0][0], viewer) == view(ended[1][0], viewer)
        assert ended[0][1] == ended[1][1]
    assert view(ended[0][0], None).public.players[P1].points == 2 + 4 + 1


@pytest.mark.parametrize("seats", [3, 4])
def test_R6_no_player_ever_claims_both(seats: int) -> None:
    """BUG401: the cards stay in the hand."""
    game = position("O2", owners={"d1": P1}, seats=seats)
    assert "other half" in str(refused(game, P1, claim("d2", "O2", "sun")))
    assert hand(game, P1) == paid("O2")


@pytest.mark.parametrize("seats", [3, 4])
def test_R6_with_three_or_four_another_may_have_the_twin(seats: int) -> None:
    game = position("", "O2", owners={"d1": P1}, seats=seats, turn=P2)
    assert view(game, None).public.closed == ()
    game = after(game, claim("d2", "O2", "sun"))
    assert game.network.owners == {"d1": P1, "d2": P2}
    assert "taken" in str(refused(game, P3, claim("d2", "O2", "sun")))


@pytest.mark.parametrize("owner", [P1, P2])
def test_R6_with_two_players_a_double_route_closes(owner: Seat) -> None:
    """BUG402, BUG420: closed to both, and shown so."""
    game = position("O2", "O2", owners={"d1": owner})
    assert view(game, None).public.closed == ("d2",)
    assert "closed" in str(refused(game, P1, claim("d2", "O2", "sun")))
    game = after(game, BLIND, BLIND)
    assert "closed" in str(refused(game, P2, claim("d2", "O2", "sun")))
    check(game)


def test_R6_each_half_is_judged_on_its_own() -> None:
    """BUG406: cards for one color open one half."""
    game = position("U2")
    assert payments(game, "d1") == [paid("U2")]
    assert payments(game, "d2") == []
    assert "don't hold" in str(refused(game, P1, claim("d2", "O2", "sun")))


def test_R6_twins_of_the_board_know_each_other() -> None:
    twins = {route.id: route.twin for route in SAN_FRANCISCO.routes if route.twin}
    assert len(twins) == 16
    assert all({one[-1], other[-1]} == {"1", "2"} and one[:-1] == other[:-1] for one, other in twins.items())


@every_count
def test_R7_a_token_is_taken_from_a_stack_at_either_end(seats: int) -> None:
    game = position("R3", seats=seats)
    assert tokens(game, "r1") == {"sun", "moon"}
    game, events = happened(game, claim("r1", "R3", "moon"))
    assert game.tokens.owned[P1] == ("moon",)
    assert TokenTaken(P1, Symbol("moon"), LocationId("b")) in events
    size = 3 if seats == 4 else 2
    assert [stack.left for stack in game.tokens.stacks] == [size, size - 1, size, size, size]


def test_R7_where_both_ends_offer_one_the_player_must_choose() -> None:
    """BUG501: nothing is picked silently."""
    game = position("R3")
    assert "Choose which" in str(refused(game, P1, claim("r1", "R3")))
    assert game == position("R3")
    assert after(game, claim("r1", "R3", "moon")).tokens.owned[P1] == ("moon",)
    assert after(game, claim("r1", "R3", "sun")).tokens.owned[P1] == ("sun",)


@pytest.mark.parametrize("named", [None, "moon"])
def test_R7_a_single_token_may_be_left_unnamed_and_is_taken(named: str | None) -> None:
    game = position("R3", tokens=["sun"])
    assert tokens(game, "r1") == {"moon"}
    assert after(game, claim("r1", "R3", named)).tokens.owned[P1] == ("sun", "moon")


def test_R7_only_a_symbol_not_owned_yet() -> None:
    game = position("R3", tokens=["sun moon"])
    assert tokens(game, "r1") == {None}
    assert "can't be taken" in str(refused(game, P1, claim("r1", "R3", "sun")))
    assert after(game, claim("r1", "R3")).tokens.owned[P1] == ("sun", "moon")


def test_R7_only_from_a_stack_with_tokens_left() -> None:
    game = position("R3", seats=3, tokens=["", "sun", "sun"])
    assert tokens(game, "r1") == {"moon"}
    assert "can't be taken" in str(refused(game, P1, claim("r1", "R3", "sun")))


@pytest.mark.parametrize("token", ["star", "key", "nothing"])
def test_R7_only_from_the_ends_of_the_route(token: str) -> None:
    assert "can't be taken" in str(refused(position("R3"), P1, claim("r1", "R3", token)))


def test_R7_a_route_without_stacks_gives_none() -> None:
    game = position("F", board=SAN_FRANCISCO)
    game = after(game, claim("castro--twin-peaks", "F"))
    assert game.tokens.owned[P1] == ()


def test_R7_placed_stacks_give_tokens_too() -> None:
    game = position("F", board=SAN_FRANCISCO, stacks={"crab": "castro", "fortune-cookie": "twin-peaks"})
    game = after(game, claim("castro--twin-peaks", "F", "crab"))
    assert game.tokens.owned[P1] == ("crab",)
    assert [stack.left for stack in game.tokens.stacks if stack.symbol == "crab"] == [0]


def test_R7_tokens_are_public() -> None:
    game = after(position("R3"), claim("r1", "R3", "moon"))
    assert all(view(game, viewer).public.players[P1].tokens == ("moon",) for viewer in (P1, P2, None))


@pytest.mark.parametrize(
    "action",
    [
        claim("r1", "R3", "star"), claim("r1", "U3", "sun"), claim("r1", "R3"), claim("d2", "O2", "sun"),
        claim("zz", "F"), claim("f1", "R3", "bell"), take(9),
    ],
)  # fmt: skip
def test_a_refused_action_changes_nothing_however_often(action: object) -> None:
    """BUG415, BUG507: cards, cars, tokens and points are as before after 19 tries."""
    game = position("R3 U3", owners={"d1": P2})
    for _ in range(19):
        refused(game, P1, action)  # type: ignore[arg-type]
    assert game == position("R3 U3", owners={"d1": P2})
    assert score(game) == score(position("R3 U3", owners={"d1": P2}))


def test_claims_are_legal_only_in_a_turn() -> None:
    game = deal(SAN_FRANCISCO, 2, bytes(32))
    assert game.phase is Phase.FIRST_TICKETS
    assert "First choose" in str(refused(game, game.to_act[0], claim("castro--twin-peaks", "F")))
