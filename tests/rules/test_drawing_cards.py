"""Drawing transport cards: clause D."""

import pytest

from app.rules import FERRY, DrawCard, DrawTickets, Game, Seat, deal, legal_actions, seen_by, view
from app.rules.events import (
    DeckCardDrawn,
    DeckReshuffled,
    FlushStopped,
    MarketCardTaken,
    MarketFilled,
    MarketFlushed,
)
from app.rules.game import Phase
from harness.invariants import check, check_cards
from harness.positions import (
    BLIND,
    FLOOD,
    P1,
    P2,
    SAN_FRANCISCO,
    after,
    card,
    cards,
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


def market(text: str) -> tuple[object, ...]:
    return tuple(None if word == "_" else card(word) for word in text.split())


@every_count
def test_D1_two_cards_from_deck_or_market_then_the_next_player(seats: int) -> None:
    start = position("", market="R U G K P", deck="O O G", seats=seats)
    for first, second, drawn in [(BLIND, BLIND, "O2"), (BLIND, take(0), "O R"), (take(1), BLIND, "U O")]:
        game = after(start, first, second)
        assert hand(game, P1) == paid(drawn)
        assert game.to_act == (P2,)


def test_D1_a_taken_card_is_replaced_at_once_in_its_place_before_the_second_choice() -> None:
    """BUG108: the market is full again in the reply, for all."""
    game, events = happened(position("", market="R U G K P", deck="O"), take(1))
    assert game.phase is Phase.SECOND_CARD
    assert game.market == market("R O G K P")
    assert events == (MarketCardTaken(P1, 1, card("U")), MarketFilled(1, card("O")))
    assert all(view(game, viewer).public.market == game.market for viewer in (P1, P2, None))
    assert hand(after(game, take(1)), P1) == paid("U O")


def test_D1_only_the_place_that_was_chosen_is_emptied() -> None:
    """BUG116: equal cards in other places stay."""
    assert after(position("", market="R R R U G", deck="O"), take(1)).market == market("R O R U G")


def test_D1_cards_come_from_the_real_shuffled_deck() -> None:
    """BUG116: 10,000 cards dealt unseen hold as many ferries as the game has, within three deviations."""
    dealt = [deal(SAN_FRANCISCO, 4, number.to_bytes(32, "big")) for number in range(1250)]
    ferries = sum(hand[-1] for game in dealt for hand in game.hands)
    share = 8 / 44
    assert abs(ferries - 10_000 * share) < 3 * (10_000 * share * (1 - share)) ** 0.5


def test_D1_the_second_card_must_be_taken_and_nothing_else_be_done() -> None:
    """BUG213: no claim after the first card."""
    game = after(position("K", market="R U G K P", deck="O O"), take(0))
    assert set(legal_actions(game, P1)) == {BLIND, *map(take, range(5))}
    for action in (claim("r4", "K"), DrawTickets()):
        assert "second" in str(refused(game, P1, action))
    assert hand(game, P1) == paid("K R")


def test_D1_nobody_draws_a_third_card() -> None:
    """BUG204, BUG209: two cards are the most, whatever lies there."""
    game = after(position("", market="U G K P O", deck="R", rest="P2"), BLIND, take(0))
    assert refused(game, P1, take(1)).code == "not_your_turn"
    assert sum(game.hands[P1]) == 2


def test_D1_only_the_seat_to_act_draws() -> None:
    """BUG212: and the refusal names no card."""
    game = position("", market="R U G K P", deck="O")
    error = refused(game, P2, BLIND)
    assert error.code == "not_your_turn"
    assert str(error) == "It is not your turn."


@every_count
def test_D1_drawing_goes_round_and_round(seats: int) -> None:
    """BUG214: the state of a draw ends with the turn."""
    game = position(market="R U G K P", seats=seats)
    for turn in range(16):
        assert game.to_act == (turn % seats,)
        game = after(game, BLIND, BLIND)
    assert sum(map(sum, game.hands)) == 32


@pytest.mark.parametrize("slot", [-1, 5, 99, 2**70])
def test_D1_there_are_five_places(slot: int) -> None:
    assert "0 to 4" in str(refused(position(), P1, DrawCard(slot)))


def test_D2_a_ferry_from_the_market_is_the_only_card() -> None:
    game, events = happened(position("", market="R F G K P", deck="O"), take(1))
    assert hand(game, P1) == paid("F")
    assert game.to_act == (P2,)
    assert len(events) == 2


@pytest.mark.parametrize("first", [take(0), BLIND])
def test_D2_a_ferry_of_the_market_cannot_be_the_second(first: DrawCard) -> None:
    """BUG201: refused, and a second card still to be drawn."""
    game = after(position("", market="R F G K P", deck="O"), first)
    assert take(1) not in legal_actions(game, P1)
    assert "can't be the second" in str(refused(game, P1, take(1)))
    assert (game.phase, game.to_act) == (Phase.SECOND_CARD, (P1,))


def test_D2_a_ferry_that_replaced_the_first_card_cannot_be_taken_either() -> None:
    game = after(position("", market="R U G K P", deck="F"), take(0))
    assert "can't be the second" in str(refused(game, P1, take(0)))


def test_D2_a_ferry_from_the_deck_counts_as_any_card() -> None:
    start = position("", market="R U G K P", deck="F F")
    assert after(start, BLIND).phase is Phase.SECOND_CARD
    assert hand(after(start, BLIND, BLIND), P1) == paid("F2")
    assert hand(after(start, BLIND, take(0)), P1) == paid("F R")
    assert hand(after(start, take(4), BLIND), P1) == paid("P F")


def test_D2_with_only_ferries_face_up_the_second_comes_from_the_deck() -> None:
    game = after(position("", market="R F F _ _", rest="P2"), take(0))
    assert game.to_act == (P2,)
    few = position("", market="R F F F F", deck="F U", rest="P2")
    game = after(few, take(0))
    assert list(legal_actions(game, P1)) == [BLIND]


def test_D3_an_empty_deck_takes_the_discards_at_once() -> None:
    game, events = happened(position("", market="R U G K P", deck="O", discard="G2 K2", rest="P2"), BLIND)
    assert events == (DeckCardDrawn(P1, card("O")), DeckReshuffled(4))
    assert sorted(game.deck) == sorted(cards("G2 K2"))
    assert discards(game) == {}
    assert game.reshuffles == 1


def test_D3_so_it_does_when_the_market_took_the_last_card() -> None:
    game, events = happened(position("", market="R U G K P", deck="O", discard="G2 K2", rest="P2"), take(0))
    assert [type(event) for event in events] == [MarketCardTaken, MarketFilled, DeckReshuffled]
    assert len(game.deck) == 4


def test_D3_with_no_discards_it_stays_empty_until_there_are_some() -> None:
    """BUG120: cards paid are discarded, and the next shuffle brings them back."""
    game = after(position("R3", "O4", market="R U G K P", deck="O O", rest="P2"), BLIND, BLIND)
    assert game.deck == ()
    game = after(game, claim("r4", "K", "sun"))
    assert game.deck == tuple(cards("K"))
    game, events = happened(game, claim("r1", "R3", "moon"))
    assert discards(game) == paid("R3")
    assert not any(isinstance(event, DeckReshuffled) for event in events)
    game = after(game, BLIND)
    assert sorted(game.deck) == sorted(cards("R3"))
    assert discards(game) == {}


def test_D3_discards_come_back_only_by_a_reshuffle() -> None:
    """BUG118: until then the deck goes on as it lay."""
    game = after(position("R3", market="U G K P O", deck="K U G", discard="O2"), claim("r1", "R3", "sun"))
    assert discards(game) == paid("O2 R3")
    assert game.deck[:3] == tuple(cards("K U G"))
    assert hand(after(game, BLIND, BLIND), P2) == paid("K U")


def test_D3_a_reshuffle_moves_cards_and_never_copies_them() -> None:
    """BUG105: three reshuffles in one game."""
    game = position("R3", "U2 G K", market="P P P O O", deck="O", discard="R3", rest="P2")
    for action in (BLIND, BLIND, BLIND, BLIND, claim("r1", "R3", "sun"), claim("d1", "U2", "star"), BLIND, BLIND):
        game = after(game, action)
        check_cards(game)
    assert game.reshuffles == 2
    game = after(game, claim("r3", "G4", "bell"), BLIND, BLIND, BLIND, BLIND)
    check(game)
    assert game.reshuffles == 3


def test_D3_the_order_after_a_reshuffle_is_in_the_game() -> None:
    """BUG1003: the same moves from the same seed give the same deck again."""
    start = position("", deck="O", discard="G6 K2 R2", market="R U P P U", rest="P2")
    assert after(start, BLIND).deck == after(start, BLIND).deck
    other = position("", deck="O", discard="G6 K2 R2", market="R U P P U", rest="P2", seed=bytes(32))
    assert after(start, BLIND).deck != after(other, BLIND).deck
    again = position("", deck="O", discard="G6 K2 R2", market="R U P P U", rest="P2", reshuffles=1)
    assert after(start, BLIND).deck != after(again, BLIND).deck


def flushes(events: tuple[object, ...]) -> list[MarketFlushed]:
    return [event for event in events if isinstance(event, MarketFlushed)]


def stops(events: tuple[object, ...]) -> list[str]:
    return [event.reason for event in events if isinstance(event, FlushStopped)]


def test_D4_three_ferries_flush_the_market() -> None:
    """BUG110: in the middle of a turn, before the next choice."""
    game, events = happened(position("", market="F F R U G", deck="F K P O R U"), take(2))
    assert flushes(events) == [MarketFlushed(tuple(cards("F F F U G")))]
    assert game.market == market("K P O R U")
    assert discards(game) == paid("F3 U G")
    assert (game.phase, game.to_act) == (Phase.SECOND_CARD, (P1,))


def test_D4_two_ferries_do_not() -> None:
    game, events = happened(position("", market="F P R U G", deck="F K P O R U"), take(2))
    assert game.market == market("F P F U G")
    assert not flushes(events)


def test_D4_again_as_long_as_it_holds() -> None:
    """BUG109: the market laid out after a flush is flushed too."""
    game, events = happened(position("", market="F F R U G", deck="F F F F R U R U G K F"), take(2))
    assert len(flushes(events)) == 2
    assert game.market == market("R U G K F")


def test_D4_a_flush_shuffles_the_discards_in_its_middle_when_the_deck_runs_out() -> None:
    start = position("", market="F F R U G", deck="F K P", discard="O6", rest="P2")
    game, events = happened(start, take(2))
    assert [type(event) for event in events[:5]] == [
        MarketCardTaken, MarketFilled, MarketFlushed, MarketFilled, MarketFilled,
    ]  # fmt: skip
    assert events[5] == DeckReshuffled(11)
    assert game.market[:2] == market("K P")
    check(game)


def test_D4_after_the_second_card_and_after_a_claim_too() -> None:
    game, events = happened(position("", market="F F R U G", deck="K F P O R U K"), take(3), take(2))
    assert len(flushes(events)) == 1
    assert game.to_act == (P2,)
    dry = position("R3 O2", market="F F F U G", rest="P2")
    _, events = happened(dry, claim("r1", "R3", "sun"))
    assert flushes(events)


@pytest.mark.parametrize(("deck", "flushed"), [("F F F", False), ("F K F", True)])
def test_D4_no_flush_with_fewer_than_three_other_cards_outside_the_hands(deck: str, *, flushed: bool) -> None:
    """BUG112: two others are too few, three are enough; the log says so."""
    game, events = happened(position("", market="F F R U G", deck=deck, rest="P2"), take(2))
    assert bool(flushes(events)) is flushed
    if not flushed:
        assert stops(events) == ["few_cards"]
        assert game.market == market("F F F U G")
        assert all(seen_by(event, viewer) == event for event in events[-1:] for viewer in (P1, P2, None))


def test_D4_discarded_cards_count_among_the_others() -> None:
    start = position("", market="F F R U G", deck="F F", discard="K", rest="P2")
    assert flushes(happened(start, take(2))[1])


def test_D4_no_flush_in_a_market_of_fewer_than_five() -> None:
    game, events = happened(position("", market="F F F R U", rest="P2"), take(3))
    assert game.market == market("F F F _ U")
    assert not flushes(events)
    assert not stops(events)


def test_D4_after_twenty_in_a_row_the_market_stays() -> None:
    starts = (
        position("", board=FLOOD, market="dusk F F dawn dawn", deck="F22 dusk", rest="P2", seed=bytes([number] * 32))
        for number in range(100)
    )
    flushed = (happened(start, take(0)) for start in starts)
    game, events = next((game, events) for game, events in flushed if stops(events) == ["limit"])
    assert len(flushes(events)) == 20
    assert game.market.count(FERRY) >= 3
    assert events[-1] == FlushStopped("limit")
    later, more = happened(game, BLIND)
    assert not flushes(more)
    check(later)


def test_D5_an_empty_place_stays_empty() -> None:
    """BUG113: and its place is kept."""
    game = after(position("", market="R U G K P", rest="P2"), take(0))
    assert game.market == market("_ U G K P")
    assert view(game, P2).public.market == game.market
    assert set(legal_actions(game, P1)) == {take(slot) for slot in range(1, 5)}


def test_D5_a_short_market_is_filled_as_soon_as_cards_are_discarded() -> None:
    """BUG101: before the turn passes."""
    game, events = happened(position("G2", market="R U _ _ _", rest="P2"), claim("r2", "G2", "moon"))
    assert game.market == market("R U G G _")
    assert game.deck == ()
    assert [type(event) for event in events[-3:]] == [DeckReshuffled, MarketFilled, MarketFilled]


def test_D5_and_the_flush_is_checked_then() -> None:
    filled = [
        happened(
            position("G3 F", market="F F _ _ _", rest="P2", seed=bytes([number] * 32)), claim("r3", "G3 F", "bell")
        )
        for number in range(40)
    ]
    flushed = [(game, events) for game, events in filled if flushes(events)]
    assert flushed
    assert all(game.market.count(FERRY) < 3 or "limit" in stops(events) for game, events in filled)


def test_D5_cards_paid_out_of_the_last_hand_are_not_lost() -> None:
    """BUG103: with all 44 cards in hands, a claim brings four back."""
    game = after(position("G4", market="_ _ _ _ _", rest="P2"), claim("r3", "G4", "bell"))
    check(game)
    assert game.market == market("G G G G _")


def test_D5_an_empty_deck_cannot_be_drawn_from() -> None:
    """BUG115, BUG202: refused with a reason, and the turn not used up."""
    game = position("", market="R U _ _ _", rest="P2")
    for _ in range(2):
        assert "deck is empty" in str(refused(game, P1, BLIND))
    assert "no card in this place" in str(refused(game, P1, take(2)))
    game = after(game, take(0))
    assert game.phase is Phase.SECOND_CARD
    assert "deck is empty" in str(refused(game, P1, BLIND))
    assert after(game, take(1)).to_act == (P2,)


@pytest.mark.parametrize("text", ["R _ _ _ _", "R F F _ _"])
def test_D5_where_no_second_card_can_be_taken_the_turn_ends_with_one(text: str) -> None:
    """BUG206: with nothing or only ferries face up."""
    game = after(position("", market=text, rest="P2"), take(0))
    assert sum(game.hands[P1]) == 1
    assert game.to_act == (P2,)


def test_D5_the_last_card_of_the_deck_is_a_turn_of_one_when_nothing_else_lies() -> None:
    start = position("", market="F F F F F", deck="F", rest="P2")
    game = after(start, BLIND)
    assert game.to_act == (P2,)


def test_D5_with_nothing_to_take_drawing_is_not_open() -> None:
    """BUG203: the turn passes only after a real action."""
    game = position("K", market="_ _ _ _ _", rest="P2")
    assert not any(isinstance(action, DrawCard) for action in legal_actions(game, P1))
    assert refused(game, P1, BLIND).code == "illegal_action"
    assert game.to_act == (P1,)
    assert claim("r4", "K", "sun") in legal_actions(game, P1)


@every_count
def test_D6_a_hand_has_no_limit(seats: int) -> None:
    game = position("R6 U6 G6 K6", market="P P P O O", seats=seats)
    game = after(game, BLIND, BLIND)
    assert sum(game.hands[P1]) == 26


def counters(game: Game) -> list[int]:
    return [player.cards for player in view(game, None).public.players]


@every_count
def test_shown_counts_are_those_of_the_piles(seats: int) -> None:
    """BUG106, BUG615, BUG616: after every move the shown numbers are those of the real piles, and never differences."""
    game = deal(SAN_FRANCISCO, seats, bytes(32))
    for step in range(150):
        if not game.to_act:
            break
        seat = game.to_act[0]
        actions = legal_actions(game, seat)
        game = after(game, actions[step * 7 % len(actions)])
        shown = view(game, None).public
        assert shown.deck == len(game.deck) <= 44
        assert counters(game) == list(map(sum, game.hands))
        assert shown.deck + sum(shown.discard.values()) + len(cards_in(game)) + sum(counters(game)) == 44
        assert sum(view(game, Seat(0)).own.hand.values()) == counters(game)[0]


def cards_in(game: Game) -> list[object]:
    return [card for card in game.market if card]
