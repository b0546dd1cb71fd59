"""A view per seat and one for spectators: the public part is built and encoded once, each seat's own spliced in.

They are built from the parts of `rules.views`, field by field. A move changes few of them: the others are kept as JSON.
"""

from collections.abc import Callable
from functools import partial
from typing import Generic, TypeVar

import orjson
from orjson import Fragment

from app.rules import Board, Game, Seat, Viewer, score
from app.rules.cards import Card, Counts, named
from app.rules.game import OVER, SEATS, Holdings
from app.rules.routesets import RouteSet
from app.rules.tokens import Stack
from app.rules.views import (
    NOTHING_LEGAL,
    Legal,
    legal,
    public_holdings,
    stack_views,
    ticket_views,
    tickets_told,
    unplaced,
)

Json = TypeVar("Json")


class Kept(Generic[Json]):
    """What a function made of its last arguments, for as long as it is asked for with equal ones."""

    __slots__ = ("_arguments", "_encode", "_json")

    def __init__(self, encode: Callable[..., Json]) -> None:
        self._encode = encode
        self._arguments: tuple[object, ...] | None = None

    def of(self, *arguments: object) -> Json:
        """The JSON made of these arguments."""
        if arguments != self._arguments:
            self._json = self._encode(*arguments)
            self._arguments = arguments
        return self._json


class Parts:
    """Parts of the views of a game that stay as they are over many moves, as they were encoded last."""

    __slots__ = ("discard", "own", "players", "stacks", "unplaced")

    def __init__(self) -> None:
        seats = range(max(SEATS))
        self.discard = Kept(_discard)
        self.stacks = Kept(_stacks)
        self.unplaced = Kept(_unplaced)
        self.players = [Kept(partial(_player, Seat(seat))) for seat in seats]
        self.own = [Kept(partial(_own, Seat(seat))) for seat in seats]


class Views:
    """The views of one position as JSON, each encoded when first asked for, and kept.

    `parts` are those of an earlier position of the game: what it has in common with this one is not encoded again.
    """

    def __init__(self, game: Game, parts: Parts | None = None) -> None:
        self._game = game
        self._parts = parts or Parts()
        self._start = _public(game, self._parts)[:-1] + b","
        self._made: dict[Viewer, bytes] = {}

    def of(self, viewer: Viewer) -> bytes:
        """The view of a seat, or of a spectator."""
        made = self._made.get(viewer)
        if made is None:
            made = self._made[viewer] = b"".join((self._start, self._own(viewer), END))
        return made

    def _own(self, viewer: Viewer) -> bytes:
        if viewer is None:
            return SPECTATORS_OWN
        game, network = self._game, self._game.network
        own = self._parts.own[viewer].of(
            game.board, game.holdings[viewer], network.own[viewer], network.open[viewer], network.cars[viewer]
        )
        return own + (_legal(legal(game, viewer)) if game.waits_for(viewer) else NOTHING)


def _public(game: Game, parts: Parts) -> bytes:
    """Dictionaries, since they are encoded in half the time of dataclasses."""
    network = game.network
    return orjson.dumps(
        {
            "version": game.version,
            "phase": game.phase,
            "to_act": game.to_act,
            "first_player": game.first_player,
            "market": game.market,
            "deck": len(game.deck),
            "discard": parts.discard.of(game.board.cards, game.discard),
            "ticket_deck": len(game.ticket_deck),
            "stacks": parts.stacks.of(game.stacks),
            "unplaced": parts.unplaced.of(game.stacks),
            "owners": network.owners,
            "closed": network.closed,
            "players": _players(game, parts),
            "last_turns": game.last_turns,
            "scores": score(game) if game.phase is OVER else None,
        }
    )


def _players(game: Game, parts: Parts) -> list[Fragment]:
    seats = zip(parts.players, game.holdings, game.network.cars, game.network.points, strict=False)
    return [kept.of(held, cars, points, tickets_told(game, held)) for kept, held, cars, points in seats]


def _dump(part: object) -> Fragment:
    return Fragment(orjson.dumps(part))


def _discard(cards: tuple[Card, ...], discard: Counts) -> Fragment:
    return _dump(named(cards, discard))


def _stacks(stacks: tuple[Stack, ...]) -> Fragment:
    return _dump(stack_views(stacks))


def _unplaced(stacks: tuple[Stack, ...]) -> Fragment:
    return _dump(unplaced(stacks))


def _player(seat: Seat, held: Holdings, cars: int, points: int, tickets: int) -> Fragment:
    return _dump(public_holdings(seat, held, cars, points, tickets))


def _own(seat: Seat, board: Board, held: Holdings, own: RouteSet, free: RouteSet, cars: int) -> bytes:
    """Up to what is legal, which others' moves change."""
    shown = {
        "seat": seat,
        "hand": named(board.cards, held.cards),
        "tickets": ticket_views(board, own, free, cars, held.tickets),
        "offer": held.offer,
    }
    return orjson.dumps(shown)[1:-1] + LEGAL


def _legal(legal: Legal) -> bytes:
    keep = legal.keep
    return orjson.dumps(
        {
            "draw": legal.draw,
            "draw_tickets": legal.draw_tickets,
            "keep": None if keep is None else {"from": keep.source, "least": keep.least},
            "place": legal.place,
            "claims": {
                route: {"payments": payments, "tokens": tokens} for route, (payments, tokens) in legal.claims.items()
            },
            "pass": legal.may_pass,
        }
    )


LEGAL = b',"legal":'
END = b',"deadline":null}'

NOTHING = _legal(NOTHING_LEGAL)
"""Those who are not to act, which is nearly everybody, have nothing to do; it is encoded once for all."""

SPECTATORS_OWN = b'"seat":null,"hand":{},"tickets":[],"offer":[]' + LEGAL + NOTHING
