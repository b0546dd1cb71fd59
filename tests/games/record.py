"""Writes the recorded games anew: `python -m tests.games.record`. A change of them is a change of the rules."""

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

from app.rules import Game, Seat, deal, score
from app.rules.board import Board
from app.wire import Views, dump_action
from harness.playouts import TEMPERS, playout
from harness.positions import ALL_BOARDS

FOLDER = Path(__file__).parent
BOARDS = {board.id: board for board in ALL_BOARDS}

GAMES = {
    "two-play-anything": ("san-francisco", ("anything", "anything")),
    "two-hoarders-run-the-deck-dry": ("san-francisco", ("hoarder", "hoarder")),
    "two-builders-on-m0": ("m0", ("builder", "builder")),
    "three-builders": ("san-francisco", ("builder", "builder", "builder")),
    "three-of-different-tempers": ("san-francisco", ("greedy", "hoarder", "builder")),
    "three-on-the-archipelago": ("archipelago", ("greedy", "builder", "anything")),
    "four-play-anything": ("san-francisco", ("anything",) * 4),
    "four-collect-all-tickets": ("san-francisco", ("collector",) * 4),
    "four-greedy": ("san-francisco", ("greedy",) * 4),
    "four-in-the-flood": ("flood", ("hoarder", "anything", "builder", "hoarder")),
    "four-in-the-drought": ("drought", ("hoarder",) * 4),
}

EVERY = 10
"""Views are compared after so many moves, and at the end."""


def fingerprint(game: Game) -> str:
    """A hash of all views of a position, whatever the order of their fields."""
    viewers = (None, *map(Seat, range(game.seats)))
    views = [json.loads(Views(game).of(viewer)) for viewer in viewers]
    return hashlib.sha256(json.dumps(views, sort_keys=True).encode()).hexdigest()[:16]


def scores(game: Game) -> list[dict[str, Any]]:
    """The final table as JSON has it."""
    return [json.loads(json.dumps(asdict(line))) for line in score(game)]


def record(board: Board, tempers: tuple[str, ...], seed: bytes) -> dict[str, Any]:
    """A whole game: the seed, the moves, hashes of views and the scores."""
    start = deal(board, len(tempers), seed)
    views, moves = {"0": fingerprint(start)}, []
    for _, seat, action, game, _events in playout(start, [TEMPERS[temper] for temper in tempers], Random(seed)):
        moves.append([seat, json.loads(dump_action(action))])
        if game.version % EVERY == 0 or not game.to_act:
            views[str(game.version)] = fingerprint(game)
    return {
        "board": board.id,
        "seats": len(tempers),
        "seed": seed.hex(),
        "moves": moves,
        "views": views,
        "scores": scores(game),
    }


def text(game: dict[str, Any]) -> str:
    """A recorded game with one move a line, so that a change shows where it begins."""
    lines = [f" {json.dumps(move)}" for move in game["moves"]]
    head = {name: game[name] for name in ("board", "seats", "seed")}
    return "\n".join(
        [
            json.dumps(head)[:-1] + ', "moves": [',
            ",\n".join(lines),
            f'], "views": {json.dumps(game["views"], indent=1)},',
            f'"scores": {json.dumps(game["scores"], indent=1)}}}',
            "",
        ]
    )


def main() -> None:
    """Write every game."""
    for name, (board, tempers) in GAMES.items():
        seed = hashlib.sha256(name.encode()).digest()
        path = FOLDER / f"{name}.json"
        path.write_text(text(record(BOARDS[board], tempers, seed)), encoding="utf-8")


if __name__ == "__main__":
    main()
