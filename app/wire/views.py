"""A view per seat and one for spectators: the public part is built and encoded once, each seat's own spliced in.

They are built from the parts of `rules.views`, field by field. A move changes few of them: the others are kept as JSON.
"""

from collections.abc import Callable
from functools import partial

import orjson

from app.rules import Game, Seat, TicketId, Viewer, score
from app.rules.cards import Card, Counts, named
from app.rules.game import OVER, SEATS, Holdings
from app.rules.network import Network
from app.rules.tokens import Stack
from app.rules.views import (
    NOTHING_LEGAL,
    Legal,
    TicketView,
    legal,
    stack_views,
    ticket_views,
    tickets_told,
    unplaced,
)

from .messages import compact


class Kept:
    """What a function made of its last arguments, for as long as it is asked for with equal ones."""

    __slots__ = ("_arguments", "_encode", "_json")

    def __init__(self, encode: Callable[..., bytes]) -> None:
        self._encode = encode
        self._arguments: tuple[object, ...] | None = None

    def of(self, *arguments: object) -> bytes:
        """The JSON made of these arguments."""
        if arguments != self._arguments:
            self._json = self._encode(*arguments)
            self._arguments = arguments
        return self._json


class Parts:
    """Parts of the views of a game that stay as they are over many moves, as they were encoded last."""

    __slots__ = ("discard", "network", "own", "stacks")

    def __init__(self) -> None:
        seats = range(max(SEATS))
        self.discard = Kept(_discard)
        self.stacks = Kept(_stacks)
        self.network = Kept(_network)
        self.own = [Kept(partial(_held, Seat(seat), Kept(partial(_own, Seat(seat))))) for seat in seats]


class Views:
    """The views of one position as JSON, each encoded when first asked for, and kept.

    `parts` are those of an earlier position of the game: what it has in common with this one is not encoded again.
    """

    __slots__ = ("_game", "_made", "_parts", "_start")

    def __init__(self, game: Game, parts: Parts | None = None) -> None:
        self._game = game
        self._parts = parts or Parts()
        self._start = _public(game, self._parts)
        self._made: dict[Viewer, bytes] = {}

    def of(self, viewer: Viewer) -> bytes:
        """The view of a seat, or of a spectator."""
        made = self._made.get(viewer)
        if made is None:
            made = self._made[viewer] = b"".join((self._start, *self._own(viewer), END))
        return made

    def _own(self, viewer: Viewer) -> tuple[bytes, ...]:
        if viewer is None:
            return (SPECTATORS_OWN,)
        game = self._game
        own = self._parts.own[viewer].of(game.network, game.hands[viewer], game.holdings[viewer])
        return own, _legal(legal(game, viewer)) if game.waits_for(viewer) else NOTHING


def _public(game: Game, parts: Parts) -> bytes:
    """Put together of what is encoded already: the whole at once would take twice as long."""
    return PUBLIC % (
        game.version,
        game.phase.encode(),
        orjson.dumps(game.to_act),
        game.first_player,
        orjson.dumps(game.market),
        len(game.deck),
        parts.discard.of(game.board.cards, game.discard),
        len(game.ticket_deck),
        parts.stacks.of(game.tokens.stacks),
        parts.network.of(game.network),
        orjson.dumps(_players(game)),
        orjson.dumps(game.last_turns),
        orjson.dumps(score(game) if game.phase is OVER else None),
    )


def _players(game: Game) -> list[dict[str, object]]:
    """`PublicHoldings` as what is encoded soonest."""
    network = game.network
    seats = zip(network.cars, network.points, game.hands, game.holdings, game.tokens.owned, strict=True)
    return [
        {
            "seat": seat,
            "cars": cars,
            "points": points,
            "cards": sum(hand),
            "tickets": tickets_told(game, held),
            "tokens": owned,
        }
        for seat, (cars, points, hand, held, owned) in enumerate(seats)
    ]


def _kept(part: object) -> bytes:
    return compact(orjson.dumps(part))


def _discard(cards: tuple[Card, ...], discard: Counts) -> bytes:
    return _kept(named(cards, discard))


def _stacks(stacks: tuple[Stack, ...]) -> bytes:
    return STACKS % (orjson.dumps(stack_views(stacks)), orjson.dumps(unplaced(stacks)))


def _network(network: Network) -> bytes:
    return NETWORK % (orjson.dumps(network.owners), orjson.dumps(network.closed))


def _held(seat: Seat, own: Kept, network: Network, hand: Counts, held: Holdings) -> bytes:
    """Most moves leave the network and what a seat holds as they are: the very same, which is seen at once."""
    free, cars = network.open_to(seat), network.cars[seat]
    tickets = ticket_views(network.board, network.own[seat], free, cars, held.tickets)
    return own.of(network.board.cards, hand, tickets, held.offer)


def _own(
    seat: Seat, cards: tuple[Card, ...], hand: Counts, tickets: tuple[TicketView, ...], offer: tuple[TicketId, ...]
) -> bytes:
    """Up to what is legal, which others' moves change."""
    return OWN % (seat, orjson.dumps(named(cards, hand)), orjson.dumps(tickets), orjson.dumps(offer))


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


PUBLIC = (
    b'{"version":%d,"phase":"%b","to_act":%b,"first_player":%d,"market":%b,"deck":%d,"discard":%b,"ticket_deck":%d,'
    b'%b,%b,"players":%b,"last_turns":%b,"scores":%b,'
)
STACKS = b'"stacks":%b,"unplaced":%b'
NETWORK = b'"owners":%b,"closed":%b'
OWN = b'"seat":%d,"hand":%b,"tickets":%b,"offer":%b,"legal":'
END = b',"deadline":null}'

NOTHING = _legal(NOTHING_LEGAL)
"""Those who are not to act, which is nearly everybody, have nothing to do; it is encoded once for all."""

SPECTATORS_OWN = b'"seat":null,"hand":{},"tickets":[],"offer":[],"legal":' + NOTHING
