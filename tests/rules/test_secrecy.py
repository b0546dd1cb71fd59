"""Secrecy by substitution: two games that differ in what a viewer may not know are the same game to that viewer."""

from collections import Counter
from collections.abc import Callable, Iterable
from random import Random
from typing import NamedTuple, get_args

import pytest

from app.rules import Event, Game, Seat, Viewer, legal_actions, play, seen_by, view
from app.rules import events as kinds
from app.rules.game import Phase
from app.rules.legal import normal_form, refusal
from app.wire import Views, dump_event
from harness.hidden_swaps import Learned, learned_by, same_action, swap_hidden
from harness.playouts import Move, anything, game_number, playout
from harness.positions import ALL_BOARDS, BLIND, P1, P2, SAN_FRANCISCO, card, position
from harness.scale import scaled
from tests.rules.random_actions import random_action

Look = Callable[[Game, Viewer], object]
Tell = Callable[[Event, Viewer], Event]

MANY = scaled(200, 60)


def sight(game: Game, viewer: Viewer) -> object:
    """All that a viewer is shown: the view, and its bytes."""
    return view(game, viewer), Views(game).of(viewer)


def viewers(game: Game) -> tuple[Viewer, ...]:
    return (None, *map(Seat, range(game.seats)))


def check_position(game: Game, viewer: Viewer, rng: Random, look: Look = sight) -> bool:
    """Whether anything could be swapped; what the viewer sees, may do and is refused has to be the same."""
    other = swap_hidden(game, viewer, rng, Learned())
    assert look(game, viewer) == look(other, viewer)
    if viewer in game.to_act:
        assert viewer is not None
        assert list(legal_actions(game, viewer)) == list(legal_actions(other, viewer))
        for _ in range(3):
            tried = normal_form(game, viewer, random_action(game, viewer, rng))
            assert refusal(game, viewer, tried) == refusal(other, viewer, tried)
    return (game.holdings, game.deck, game.ticket_deck) != (other.holdings, other.deck, other.ticket_deck)


def check_move(move: Move, viewer: Viewer, rng: Random, look: Look = sight, tell: Tell = seen_by) -> None:
    """What the viewer learns by a move is the same in another game whose hidden things were swapped."""
    before, seat, _, after, events = move
    other = swap_hidden(before, viewer, rng, learned_by(move, viewer))
    later, happened = play(other, seat, same_action(move, other, viewer, rng))
    told, told_there = ([tell(event, viewer) for event in each] for each in (events, happened))
    assert told == told_there
    assert [dump_event(event, 1) for event in told] == [dump_event(event, 1) for event in told_there]
    assert look(after, viewer) == look(later, viewer)


def moves_of(numbers: Iterable[int]) -> Iterable[tuple[Move, Random]]:
    for number in numbers:
        start, tempers, rng = game_number(number)
        for move in playout(start, tempers, rng):
            yield move, rng


def check_games(numbers: Iterable[int], every: int) -> Counter[object]:
    """Check every so many moves of some games for all viewers, and count by phase, seats and kind of event."""
    met: Counter[object] = Counter()
    for at, (move, rng) in enumerate(moves_of(numbers)):
        early = move[0].phase in (Phase.FIRST_TICKETS, Phase.TOKENS) or move[3].phase is Phase.OVER
        if at % every and not early:
            continue
        for game in (move[0], move[3])[: 1 + (move[3].phase is Phase.OVER)]:
            met.update({(game.phase, game.seats): 1, "positions": 1})
            met["swapped"] += sum([check_position(game, viewer, rng) for viewer in viewers(game)])
        for viewer in viewers(move[0]):
            check_move(move, viewer, rng)
        met.update({type(event) for event in move[4]})
    return met


def test_no_view_event_or_refusal_tells_what_a_viewer_may_not_know() -> None:
    """BUG1103, BUG1104, BUG1105, BUG1610: for players and spectators, in every phase, with every number of seats."""
    met = check_games(range(60), every=8)
    assert met["positions"] > 700
    assert met["swapped"] > 2 * met["positions"]
    assert {key for key in met if isinstance(key, tuple)} == {(phase, seats) for phase in Phase for seats in (2, 3, 4)}
    assert set(get_args(Event)) <= set(met), "every kind of event was met"


@pytest.mark.slow
@pytest.mark.parametrize("first", [1000, 1000 + MANY])
def test_nor_in_thousands_of_positions(first: int) -> None:
    met = check_games(range(first, first + MANY), every=5)
    assert met["positions"] > 15 * MANY


def leak(show: Callable[[Game], object]) -> Look:
    """A broken view that shows something more."""
    return lambda game, viewer: (view(game, viewer), show(game))


LEAKS = {
    "top of the deck": lambda game: game.deck[:1],
    "bottom of the deck": lambda game: game.deck[-1:],
    "a hand": lambda game: game.hands[P1],
    "tickets": lambda game: game.holdings[P1].tickets,
    "an offer": lambda game: game.holdings[P1].offer,
    "returned tickets": lambda game: game.holdings[P1].returned,
    "how many first tickets": lambda game: len(game.holdings[P1].tickets),
    "next ticket": lambda game: game.ticket_deck[:1],
    "seed": lambda game: game.seed,
}


@pytest.mark.parametrize("show", LEAKS.values(), ids=LEAKS)
def test_the_check_finds_a_view_that_leaks(show: Callable[[Game], object]) -> None:
    look = leak(show)

    def check_all() -> None:
        for move, rng in moves_of(range(40)):
            for viewer in (None, P2):
                check_position(move[0], viewer, rng, look)

    with pytest.raises(AssertionError):
        check_all()


@pytest.mark.parametrize("kind", [kinds.DeckCardDrawn, kinds.FirstTicketsKept, kinds.TicketsDrawn, kinds.TicketsKept])
def test_the_check_finds_an_event_that_leaks(kind: type[Event]) -> None:
    def tell(event: Event, viewer: Viewer) -> Event:
        return event if isinstance(event, kind) else seen_by(event, viewer)

    def check_all() -> None:
        for move, rng in moves_of(range(40)):
            check_move(move, None, rng, tell=tell)

    with pytest.raises(AssertionError):
        check_all()


SECRETS = {
    kinds.FirstTicketsKept: {"kept"},
    kinds.DeckCardDrawn: {"card"},
    kinds.TicketsDrawn: {"tickets"},
    kinds.TicketsKept: {"kept"},
}
"""What of an event is only for the seat it happened to."""


def test_every_kind_of_event_has_a_public_form() -> None:
    """BUG1110: all that is in `Event` can be told to everybody, and no class of the module is missing from it."""
    declared = {each for each in vars(kinds).values() if isinstance(each, type) and each.__module__ == kinds.__name__}
    assert declared == set(get_args(Event))
    met = {type(event): event for move, _ in moves_of(range(60)) for event in move[4]}
    assert set(met) == declared
    for kind, event in met.items():
        for viewer in (None, Seat(9)):
            told = seen_by(event, viewer)
            hidden = {name for name, was in event._asdict().items() if told._asdict()[name] != was}
            assert hidden == SECRETS.get(kind, set())
            assert all(told._asdict()[name] is None for name in hidden)
        if kind in SECRETS:
            assert seen_by(event, event.seat) is event  # type: ignore[union-attr]


def test_an_event_without_a_public_form_is_not_told_at_all() -> None:
    """BUG1110."""

    class Peeked(NamedTuple):
        seat: Seat
        card: str

    with pytest.raises(AssertionError, match="unreachable"):
        seen_by(Peeked(P1, "red"), P2)  # type: ignore[arg-type]


def test_the_deck_of_a_fresh_game_is_in_no_view_and_no_event() -> None:
    """BUG1104: the first 50 positions hold no order of the deck, no seed and no card of another's."""
    for number in range(0, 40, len(ALL_BOARDS)):
        start, _, rng = game_number(number)
        assert start.board is SAN_FRANCISCO
        for _, (*_, game, _events) in zip(range(50), playout(start, [anything], rng), strict=False):
            for viewer in viewers(game):
                text = Views(game).of(viewer).decode()
                assert game.seed.hex() not in text
                assert len(game.deck) < 4 or not in_order(game.deck[:4], text)


def in_order(cards: tuple[str, ...], text: str) -> bool:
    return ",".join(f'"{card}"' for card in cards) in text


def test_a_blind_draw_tells_others_only_that_a_card_was_drawn() -> None:
    """BUG1105, BUG212: no color, no id."""
    _, events = play(position("", deck="R"), P1, BLIND)
    assert [seen_by(event, P2) for event in events] == [kinds.DeckCardDrawn(P1, None)]
    assert events == (kinds.DeckCardDrawn(P1, card("R")),)
