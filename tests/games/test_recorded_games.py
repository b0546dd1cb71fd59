"""Finished games play again, move by move, to the views and the scores that are recorded."""

import json
from collections import Counter
from typing import Any

import pytest

from app.rules import Game, Seat, deal, play
from app.wire import parse_action
from harness.invariants import check
from tests.games.record import BOARDS, FOLDER, GAMES, fingerprint, scores

FILES = sorted(FOLDER.glob("*.json"))


def read(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def replayed(recorded: Any) -> Game:
    game = deal(BOARDS[recorded["board"]], recorded["seats"], bytes.fromhex(recorded["seed"]))
    for seat, action in recorded["moves"]:
        game, _ = play(game, Seat(seat), parse_action(json.dumps(action)))
    return game


@pytest.mark.parametrize("name", GAMES)
def test_a_recorded_game_plays_again_to_the_same_views_and_scores(name: str) -> None:
    """BUG608: the table is that of the record in the view of everybody."""
    recorded = read(name)
    game = deal(BOARDS[recorded["board"]], recorded["seats"], bytes.fromhex(recorded["seed"]))
    assert fingerprint(game) == recorded["views"]["0"]
    for seat, action in recorded["moves"]:
        game, _ = play(game, Seat(seat), parse_action(json.dumps(action)))
        if str(game.version) in recorded["views"]:
            assert fingerprint(game) == recorded["views"][str(game.version)], f"after move {game.version}"
    check(game)
    assert game.to_act == ()
    assert str(game.version) in recorded["views"]
    assert scores(game) == recorded["scores"]


def test_every_recorded_game_is_played() -> None:
    assert [file.stem for file in FILES] == sorted(GAMES)
    assert set(Counter(read(name)["seats"] for name in GAMES)) == {2, 3, 4}


def test_the_table_of_a_recorded_game_worked_out_by_hand() -> None:
    """BUG608: two builders on M0.

    Seat 0 has A-E (1 space, 1 point), D-E (1, 1), A-B (3, 4) and C-D (3, 4): 10. That joins all five locations, so the
    tickets B-C (1), A-D (6), A-B (2), A-C (2) and B-D (3) are done: 14. Four tokens: 4. In all 28.
    Seat 1 has B-C (2, 2), A-C (2, 2), B-D (4, 7) and C-E (5, 10): 21. That joins all five too: D-E (1), C-E (3) and
    B-E (4) are done: 8. Four tokens: 4. In all 33, which wins.
    """
    game = replayed(read("two-builders-on-m0"))
    owned = [{route for route, owner in game.network.owners.items() if owner == seat} for seat in (0, 1)]
    assert owned == [{"r4", "f2", "r1", "f1"}, {"r2", "d1", "r3", "r5"}]
    assert [set(held.tickets) for held in game.holdings] == [{"t6", "t1", "t4", "t5", "t7"}, {"t8", "t3", "t2"}]
    assert [len(set(symbols)) for symbols in game.tokens.owned] == [4, 4]
    lines = [
        (line["routes"], sum(ticket["points"] for ticket in line["tickets"]), line["tokens"]) for line in scores(game)
    ]
    assert lines == [(10, 14, 4), (21, 8, 4)]
    assert [(line["total"], line["rank"]) for line in scores(game)] == [(28, 2), (33, 1)]
