"""The command that replays a finished game from its record."""

import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

import orjson

from app.boards import BoardError, parse_board
from app.rules import RULES_VERSION, Board, Entry, Game, ReplayError, Seat, deal, replay, resumed, score
from app.rules.shuffle import all_nonces, commitment, mix_seed
from app.wire import Move, Record, WireError, parse_record

from .host import CommandError, Host


class DisagreesError(Exception):
    """The record contradicts itself; the text says where."""


def verify(_host: Host, asked: Namespace) -> int:
    """Print a line for each check that agrees. Gives 1 at the first that does not."""
    record = _record(asked.record)
    try:
        for line in findings(record):
            print(f"agrees   {line}")
    except DisagreesError as error:
        print(f"DIFFERS  {error}")
        return 1
    print(f"The record of {record.code} is true.")
    return 0


def _record(name: str) -> Record:
    try:
        return parse_record(sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes())
    except OSError as error:
        raise CommandError(f"{name} can't be read: {error.strerror}.") from error
    except WireError as error:
        raise CommandError(f"{name} is no record: {error}") from error


def findings(record: Record) -> Iterator[str]:
    """What agrees, as long as all does.

    Raises:
        DisagreesError: the first thing that does not.
    """
    yield _rules(record)
    board = _board(record)
    yield f"board: {board.name}, with {len(board.routes)} routes and {len(board.tickets)} tickets"
    yield from _seed(record)
    yield from _game(record, board)


def _game(record: Record, board: Board) -> Iterator[str]:
    """Its deal, or where it went on after a change of rules, its moves and its end."""
    seats, seed = len(record.players), bytes.fromhex(record.seed.seed)
    try:
        game = deal(board, seats, seed) if record.resumed is None else resumed(board, seed, record.resumed.position)
    except (ValueError, LookupError) as error:
        raise DisagreesError(f"deal: {error}") from error
    if record.resumed is None:
        yield f"deal: {seats} seats, seat {game.first_player} is first"
    else:
        yield f"deal: begun by rules {record.resumed.rules_version}, whose {_first(record)} moves are taken as they are"
    entries = _entries(record)
    game = _play(game, entries)
    yield f"moves: all {len(entries)} are legal"
    yield _scores(record, game)


def _rules(record: Record) -> str:
    if record.rules_version != RULES_VERSION:
        raise DisagreesError(f"rules: the game was played by rules {record.rules_version}, these are {RULES_VERSION}.")
    return f"rules: version {RULES_VERSION}"


def _board(record: Record) -> Board:
    try:
        return parse_board(orjson.dumps(record.board).decode(), "board")
    except BoardError as error:
        raise DisagreesError(str(error)) from error


def _seed(record: Record) -> Iterator[str]:
    try:
        server_part = bytes.fromhex(record.seed.server_part)
    except ValueError as error:
        raise DisagreesError("seed: the server's part is not in hex.") from error
    if commitment(server_part) != record.seed.commitment:
        raise DisagreesError("commitment: it is not the SHA-256 of the server's part of the seed.")
    yield "commitment: it is the SHA-256 of the server's part; compare it with what was shown before the deal"
    if len(record.seed.nonces) != len(record.players):
        raise DisagreesError("seed: there is not one part for each player.")
    yield _bots(record)
    if mix_seed(server_part, record.seed.nonces).hex() != record.seed.seed:
        raise DisagreesError("seed: it is not mixed from the server's part and those of the players.")
    yield "seed: it is mixed from the server's part and those of the players"


def _bots(record: Record) -> str:
    """Check that nobody can have chosen the bots' nonces."""
    given = zip(record.players, record.seed.nonces, strict=True)
    players = [None if player.kind == "bot" else nonce for player, nonce in given]
    try:
        nonces = all_nonces(players, record.seed.derivation)
    except ValueError as error:
        raise DisagreesError(f"seed: {error}") from error
    if nonces != [*record.seed.nonces]:
        raise DisagreesError("seed: the part of a bot does not follow from those of the players.")
    if record.seed.derivation == 1:
        return "parts: those of bots are empty, as in games from before the parts followed the commitment"
    return "parts: those of bots follow from those of the players"


def _first(record: Record) -> int:
    """How many entries of the record older rules have played."""
    if record.resumed is None:
        return 0
    return record.resumed.position.version if record.resumed.number is None else record.resumed.number


def _entries(record: Record) -> tuple[Move, ...]:
    for number, move in enumerate(record.moves, start=1):
        if move.number != number:
            raise DisagreesError(f"move {number}: the record has number {move.number} here.")
    return record.moves[_first(record) :]


def _play(game: Game, entries: Sequence[Move]) -> Game:
    tables = replay(game, (Entry(Seat(move.seat), move.action, move.kind) for move in entries))
    for move in entries:
        try:
            game = next(tables).frozen()
        except ReplayError as error:
            what = move.kind if move.action is None else move.action.type
            raise DisagreesError(f"move {move.number}, seat {move.seat}, {what}: {error}") from error
    return game


def _scores(record: Record, game: Game) -> str:
    """Score a game that the host of the site ended as it stood."""
    scores = score(game)
    if len(record.scores) != len(scores):
        raise DisagreesError(f"scores: there are {len(record.scores)} for {len(scores)} seats.")
    for ours, theirs in zip(scores, record.scores, strict=True):
        if ours != theirs:
            raise DisagreesError(f"scores: seat {ours.seat} has {ours.total} points, not {theirs.total}: {ours}")
    ended = "" if not game.to_act else " (the game was ended before its end)"
    return f"scores: {', '.join(str(each.total) for each in scores)}{ended}"
