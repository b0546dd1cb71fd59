"""The pieces and the set-up: clauses C and S."""

from collections import Counter
from collections.abc import Iterable

import pytest

from app.rules import FERRY, Game, PlaceToken, Seat, Symbol, deal, deal_with_events, legal_actions, play, view
from app.rules.board import LocationId
from app.rules.events import FirstTicketsKept, MarketFlushed, TokenPlaced
from app.rules.game import Phase
from app.rules.legal import Placement
from app.rules.shuffle import below, words
from harness.positions import (
    BLIND,
    M0,
    P1,
    P2,
    P3,
    P4,
    SAN_FRANCISCO,
    SEED,
    after,
    happened,
    keep,
    position,
    refused,
)

every_count = pytest.mark.parametrize("seats", [2, 3, 4])


def seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


def with_first_player(seats: int, first: Seat) -> Game:
    """A fresh game on San Francisco whose first player is as wanted."""
    games = (deal(SAN_FRANCISCO, seats, seed(number)) for number in range(1000))
    return next(game for game in games if game.first_player == first)


def all_keep(game: Game, number: int = 2) -> Game:
    """The game after everybody kept the first `number` of the tickets offered."""
    for seat in game.to_act:
        game = after(game, keep(" ".join(game.holdings[seat].offer[:number])))
    return game


def place(symbol: str, location: str) -> PlaceToken:
    return PlaceToken(Symbol(symbol), LocationId(location))


def test_C1_routes_join_locations_with_a_length_a_color_or_gray_and_ferry_symbols() -> None:
    board = SAN_FRANCISCO
    assert len(board.locations) == 22
    assert {route.color for route in board.routes} == {None, *board.colors}
    assert {route.ferries for route in board.routes} == {0, 1}
    assert all(end in board.location for route in board.routes for end in route.between)


@every_count
def test_C2_every_player_has_20_cable_cars(seats: int) -> None:
    game = deal(SAN_FRANCISCO, seats, SEED)
    assert game.network.cars == (20,) * seats
    assert [player.cars for player in view(game, None).public.players] == [20] * seats


@every_count
def test_C3_six_of_each_of_six_colors_and_eight_ferries(seats: int) -> None:
    """BUG707: counted over all piles after the deal."""
    game = deal(SAN_FRANCISCO, seats, SEED)
    held = [sum(numbers) for numbers in zip(*game.hands, strict=True)]
    lying = Counter([*game.deck, *game.market])
    total = {card: lying[card] + number for card, number in zip(game.board.cards, held, strict=True)}
    assert total == {**dict.fromkeys(("blue", "green", "black", "purple", "red", "orange"), 6), "ferry": 8}
    assert sum(total.values()) == 44
    assert list(map(sum, game.hands)) == [2] * seats


def test_C4_24_tickets_all_different() -> None:
    tickets = SAN_FRANCISCO.tickets
    assert len({ticket.id for ticket in tickets}) == 24
    assert len({frozenset(ticket.between) for ticket in tickets}) == 24
    assert all(ticket.points > 0 for ticket in tickets)


def test_C5_seven_symbols_of_three_tokens_with_four_players() -> None:
    stacks = deal(SAN_FRANCISCO, 4, SEED).tokens.stacks
    assert len({stack.symbol for stack in stacks}) == 7
    assert sum(stack.left for stack in stacks) == 21


def test_C6_points_by_length() -> None:
    assert dict(SAN_FRANCISCO.route_points) == {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15}


@pytest.mark.parametrize("seats", [1, 5, 0, -1])
def test_S1_two_to_four_can_play(seats: int) -> None:
    with pytest.raises(ValueError, match=f"2 to 4 can play, not {seats}"):
        deal(SAN_FRANCISCO, seats, SEED)


@pytest.mark.parametrize("wrong", [b"", bytes(31), bytes(33)])
def test_S1_a_seed_has_32_bytes(wrong: bytes) -> None:
    with pytest.raises(ValueError, match="A seed has 32 bytes"):
        deal(SAN_FRANCISCO, 2, wrong)


@every_count
def test_S1_the_first_player_is_drawn_from_the_seed_and_order_is_that_of_the_seats(seats: int) -> None:
    games = [deal(SAN_FRANCISCO, seats, seed(number)) for number in range(120)]
    firsts = Counter(game.first_player for game in games)
    assert set(firsts) == set(range(seats))
    assert min(firsts.values()) > 120 / seats / 2
    for number, game in enumerate(games):
        assert game.first_player == below(words(seed(number), "first player"), seats)
        assert game.order == tuple((game.first_player + step) % seats for step in range(seats))


@every_count
def test_S2_five_stacks_stand_on_their_locations(seats: int) -> None:
    size = 3 if seats == 4 else 2
    shown = view(deal(SAN_FRANCISCO, seats, SEED), None).public
    assert {location: (stack.symbol, stack.left) for location, stack in shown.stacks.items()} == {
        "alcatraz": ("lighthouse", size),
        "golden-gate-bridge": ("bridge", size),
        "the-embarcadero": ("clock-tower", size),
        "sunset": ("surfboard", size),
        "potrero-hill": ("streetcar-bell", size),
    }
    assert shown.unplaced == ("fortune-cookie", "crab")


@every_count
def test_S3_two_secret_cards_each_and_five_face_up(seats: int) -> None:
    game = deal(SAN_FRANCISCO, seats, SEED)
    assert list(map(sum, game.hands)) == [2] * seats
    assert len(game.market) == 5
    assert None not in game.market
    assert [player.cards for player in view(game, None).public.players] == [2] * seats


@every_count
def test_S3_a_market_dealt_with_three_ferries_is_flushed(seats: int) -> None:
    dealt = [deal_with_events(SAN_FRANCISCO, seats, seed(number)) for number in range(200)]
    flushed = [(game, events) for game, events in dealt if any(isinstance(event, MarketFlushed) for event in events)]
    assert flushed
    for game, events in flushed:
        first = next(event for event in events if isinstance(event, MarketFlushed))
        assert first.cards.count(FERRY) >= 3
        assert game.market.count(FERRY) < 3
        assert sum(game.discard) >= 5


@every_count
def test_S4_all_choose_at_the_same_time_in_any_order(seats: int) -> None:
    """BUG313, BUG804: choices are independent; the turns begin when all are made."""
    game = deal(SAN_FRANCISCO, seats, SEED)
    assert set(game.to_act) == set(range(seats))
    chosen = [after_choice(game, order) for order in (range(seats), reversed(range(seats)))]
    assert chosen[0].phase is Phase.TOKENS
    assert chosen[0] == chosen[1]


def after_choice(game: Game, order: Iterable[int]) -> Game:
    for seat in order:
        game, _ = play(game, Seat(seat), keep(game.holdings[seat].offer[0]))
    return game


@every_count
def test_S4_one_or_two_are_kept_and_none_is_not_enough(seats: int) -> None:
    game = deal(SAN_FRANCISCO, seats, SEED)
    seat = game.to_act[0]
    first, second = game.holdings[seat].offer
    assert {action.tickets for action in legal_actions(game, seat)} == {(first,), (second,), (first, second)}  # type: ignore[union-attr]
    assert "at least one" in str(refused(game, seat, keep("")))
    assert refused(game, seat, keep(f"{first} {first}")).code == "illegal_action"
    other = game.holdings[game.to_act[1]].offer[0]
    assert refused(game, seat, keep(other)).code == "illegal_action"


def test_S4_tickets_in_another_order_than_offered_are_the_same_choice() -> None:
    game = deal(SAN_FRANCISCO, 2, SEED)
    first, second = game.holdings[game.to_act[0]].offer
    assert after(game, keep(f"{second} {first}")) == after(game, keep(f"{first} {second}"))


@every_count
def test_S4_returned_tickets_go_under_the_deck_in_order_of_play_when_the_last_has_chosen(seats: int) -> None:
    game = deal(SAN_FRANCISCO, seats, SEED)
    before, returned = game.ticket_deck, [game.holdings[seat].offer[1] for seat in game.order]
    for seat in reversed(game.order):
        assert game.ticket_deck == before
        game, _ = play(game, seat, keep(game.holdings[seat].offer[0]))
    assert game.ticket_deck == (*before, *returned)
    assert all(held.returned == () for held in game.holdings)


@every_count
def test_S4_nobody_plays_before_all_have_chosen(seats: int) -> None:
    """BUG314: who has chosen waits for the others."""
    game = deal(SAN_FRANCISCO, seats, SEED)
    first = game.first_player
    assert "First choose" in str(refused(game, first, BLIND))
    game, events = play(game, first, keep(game.holdings[first].offer[0]))
    assert first not in game.to_act
    error = refused(game, first, BLIND)
    assert error.code == "not_your_turn"
    assert not legal_actions(game, first)
    assert [type(event) for event in events] == [FirstTicketsKept]


@every_count
def test_S5_the_last_two_stacks_go_on_locations_without_one(seats: int) -> None:
    game = all_keep(deal(SAN_FRANCISCO, seats, SEED))
    seat = game.to_act[0]
    open_to = view(game, seat).own.legal.place
    assert open_to is not None
    assert open_to.symbols == ("fortune-cookie", "crab")
    assert len(open_to.locations) == 22 - 5
    assert "already" in str(refused(game, seat, place("crab", "alcatraz")))
    assert "already" in str(refused(game, seat, place("crab", "nowhere")))
    assert "not one of those" in str(refused(game, seat, place("bridge", "castro")))
    game = after(game, place("crab", "castro"))
    locations = tuple(at for at in open_to.locations if at != "castro")
    assert view(game, game.to_act[0]).own.legal.place == Placement((Symbol("fortune-cookie"),), locations)


@pytest.mark.parametrize(("seats", "left"), [(3, 2), (4, 3)])
def test_S5_with_three_or_four_the_last_and_the_last_but_one_place_full_stacks(seats: int, left: int) -> None:
    for first in map(Seat, range(seats)):
        game = all_keep(with_first_player(seats, first))
        assert game.phase is Phase.TOKENS
        assert game.to_act == (game.order[-1],)
        game = after(game, place("crab", "castro"))
        assert game.to_act == (game.order[-2],)
        game = after(game, place("fortune-cookie", "mission"))
        assert {stack.left for stack in game.tokens.stacks} == {left}
        assert game.to_act == (first,)


@pytest.mark.parametrize("first", [P1, P2])
def test_S5_with_two_the_second_player_places_both_as_single_tokens(first: Seat) -> None:
    game = all_keep(with_first_player(2, first))
    second = Seat(1 - first)
    assert game.to_act == (second,)
    game = after(game, place("fortune-cookie", "mission"))
    assert game.to_act == (second,)
    game = after(game, place("crab", "castro"))
    assert [stack.left for stack in game.tokens.stacks] == [2, 2, 2, 2, 2, 1, 1]
    assert game.to_act == (first,)


def test_S5_where_all_stacks_stand_already_the_turns_begin_at_once() -> None:
    game = all_keep(deal(M0, 3, SEED))
    assert game.phase is Phase.TURN


@every_count
def test_S6_then_the_first_player_takes_the_first_turn(seats: int) -> None:
    for first in map(Seat, range(seats)):
        game = all_keep(with_first_player(seats, first))
        game, events = happened(game, place("crab", "castro"), place("fortune-cookie", "mission"))
        assert (game.phase, game.to_act) == (Phase.TURN, (first,))
        assert [type(event) for event in events] == [TokenPlaced, TokenPlaced]


def test_S6_a_turn_action_before_that_is_refused() -> None:
    game = position(phase=Phase.TOKENS, board=SAN_FRANCISCO, turn=P2)
    assert "stacks of tourist tokens" in str(refused(game, P2, BLIND))
    assert refused(game, P1, BLIND).code == "not_your_turn"
    assert "no stack" in str(refused(position(), P1, place("sun", "a")))


def test_every_game_is_shuffled_anew() -> None:
    """BUG709: the first ticket is evenly distributed, and no two games have the same order of tickets or cards."""
    games = [deal(SAN_FRANCISCO, 2, seed(number)) for number in range(1000)]
    orders = {tuple(ticket for held in game.holdings for ticket in held.offer) + game.ticket_deck for game in games}
    assert len(orders) == len(games)
    assert len({game.deck for game in games}) == len(games)
    firsts = Counter(game.holdings[P1].offer[0] for game in games)
    expected = len(games) / 24
    assert sum((firsts[ticket.id] - expected) ** 2 / expected for ticket in SAN_FRANCISCO.tickets) < 49.7  # p = 0.001


def test_the_same_seed_gives_the_same_game() -> None:
    assert deal(SAN_FRANCISCO, 4, SEED) == deal(SAN_FRANCISCO, 4, SEED)
    assert deal(SAN_FRANCISCO, 4, SEED).holdings[P3] != deal(SAN_FRANCISCO, 4, seed(1)).holdings[P4]
