"""What a bot remembers of others' cards, and the games that it imagines."""

from random import Random

import pytest

from app.bots.known import Known, known_cards
from app.bots.worlds import Scene
from app.rules import Board, Event, Game, deal_with_events, legal_actions, play, seen_by, view
from harness.positions import ALL_BOARDS, P1, P2, SAN_FRANCISCO, position

every_board = pytest.mark.parametrize("board", ALL_BOARDS, ids=lambda board: board.id)
every_count = pytest.mark.parametrize("seats", [2, 3, 4])


def with_memories(board: Board, seats: int, seed: int) -> list[tuple[Game, list[Event]]]:
    """The positions of a game of chance, each with the events that a spectator has seen until then."""
    rng = Random(seed)
    game, events = deal_with_events(board, seats, rng.randbytes(32))
    seen = [seen_by(event, None) for event in events]
    found = []
    while game.to_act:
        found.append((game, seen[:]))
        seat = rng.choice(game.to_act)
        game, events = play(game, seat, rng.choice(legal_actions(game, seat)))
        seen += [seen_by(event, None) for event in events]
    return found


def holds(game: Game, known: Known) -> bool:
    """Whether every hand has at least what is known of it."""
    return all(
        number <= held
        for hand, cards in zip(game.hands, known, strict=True)
        for held, number in zip(hand, cards, strict=True)
    )


@every_board
@every_count
def test_what_is_remembered_is_in_the_hands(board: Board, seats: int) -> None:
    """However much of the past was seen; and of the whole past more is remembered than that there are hands."""
    most = 0
    for game, events in with_memories(board, seats, seed=seats):
        for seen in (events, events[len(events) // 2 :], []):
            known = known_cards(board, seats, seen)
            assert holds(game, known)
            most = max(most, *map(sum, known))
    assert most > 0


@every_board
@every_count
def test_imagined_games_look_the_same_from_the_seat_and_have_all_cards(board: Board, seats: int) -> None:
    rng = Random(seats)
    for game, events in with_memories(board, seats, seed=seats)[::3]:
        known = known_cards(board, seats, events)
        for seat in game.to_act[:1]:
            seen = view(game, seat)
            world = Scene(seen, seat, known).world(rng)
            assert view(world, seat) == seen
            assert holds(world, (*known[:seat], game.hands[seat], *known[seat + 1 :]))
            assert sum(map(sum, world.hands)) == sum(map(sum, game.hands))


def test_imagined_games_differ_in_what_is_hidden() -> None:
    game = position("R2", "U3 G2", board=SAN_FRANCISCO, tickets=["alcatraz--castro", "golden-gate-bridge--sunset"])
    scene, rng = Scene(view(game, P1), P1), Random(1)
    worlds = [scene.world(rng) for _ in range(20)]
    assert len({world.hands[P2] for world in worlds}) > 5
    assert len({world.holdings[P2].tickets for world in worlds}) > 5
    assert len({world.deck for world in worlds}) == 20


def test_memories_that_can_not_be_true_do_no_harm() -> None:
    """As after a move that was taken back: more than the hand has, and more than there are."""
    game = position("R2", "U1", board=SAN_FRANCISCO)
    known = ((0,) * 7, (6,) * 7)
    world = Scene(view(game, P1), P1, known).world(Random(1))
    assert view(world, P1) == view(game, P1)
    assert sum(world.hands[P2]) == 1
