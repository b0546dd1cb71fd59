"""Encodes the views of `app.rules.views` as JSON, their public part only once for each position."""

import orjson

from app.rules import Game, Seat, Viewer
from app.rules.views import NOTHING_LEGAL, SPECTATOR, Legal, OwnView, own_view, public_view

from .messages import compact

Kept = dict[Seat, tuple[tuple[object, ...], bytes]]
"""The own part of each seat's view, from when the seat last waited, and what it was made from."""


class Views:
    """The views of one position, each encoded when first asked for.

    `kept` may be shared by the positions of a game: most moves leave the own part of most views as it was.
    """

    __slots__ = ("_game", "_kept", "_made", "_public")

    def __init__(self, game: Game, kept: Kept | None = None) -> None:
        self._game = game
        self._kept = {} if kept is None else kept
        self._public = orjson.dumps(public_view(game))[:-1]
        self._made: dict[Viewer, bytes] = {}

    def of(self, viewer: Viewer) -> bytes:
        """The view of a seat, or of spectators."""
        made = self._made.get(viewer)
        if made is None:
            made = self._made[viewer] = b"%b,%b" % (self._public, self._own(viewer))
        return made

    def _own(self, viewer: Viewer) -> bytes:
        game = self._game
        if viewer is None:
            return SPECTATORS_OWN
        if game.waits_for(viewer):
            return _encoded(own_view(game, viewer))
        made_of = game.network, game.hands[viewer], game.holdings[viewer]
        kept = self._kept.get(viewer)
        if kept is None or kept[0] != made_of:
            kept = self._kept[viewer] = made_of, compact(_encoded(own_view(game, viewer)))
        return kept[1]


def _encoded(own: OwnView) -> bytes:
    """The rest of a view after the public part, up to the closing brace."""
    legal = NOTHING if own.legal is NOTHING_LEGAL else _legal(own.legal)
    return orjson.dumps({**vars(own), "legal": legal, "deadline": None})[1:]


def _legal(legal: Legal) -> dict[str, object]:
    """What is legal, under the names of the protocol, two of which are Python keywords."""
    keep = legal.keep
    return {
        "draw": legal.draw,
        "draw_tickets": legal.draw_tickets,
        "keep": None if keep is None else {"from": keep.source, "least": keep.least},
        "place": legal.place,
        "claims": {
            route: {"payments": payments, "tokens": tokens} for route, (payments, tokens) in legal.claims.items()
        },
        "pass": legal.may_pass,
    }


NOTHING = orjson.Fragment(orjson.dumps(_legal(NOTHING_LEGAL)))
SPECTATORS_OWN = _encoded(SPECTATOR)
