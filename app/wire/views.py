"""Views as JSON, made from `app.rules.views`: the part that is the same for all is encoded once for a position."""

import orjson

from app.rules import Game, Viewer
from app.rules.views import NOTHING_LEGAL, Legal, OwnView, own_view, public_view


class Views:
    """The views of one position, each encoded when first asked for."""

    __slots__ = ("_game", "_made", "_public")

    def __init__(self, game: Game) -> None:
        self._game = game
        self._public = orjson.dumps(public_view(game))[:-1]
        self._made: dict[Viewer, bytes] = {}

    def of(self, viewer: Viewer) -> bytes:
        """The view of a seat, or of spectators."""
        made = self._made.get(viewer)
        if made is None:
            made = self._made[viewer] = b"%b,%b" % (self._public, _own(own_view(self._game, viewer)))
        return made


def _own(own: OwnView) -> bytes:
    """The rest of a view after the public part, up to the closing brace."""
    legal = NOTHING if own.legal is NOTHING_LEGAL else _legal(own.legal)
    return orjson.dumps({**vars(own), "legal": legal, "deadline": None})[1:]


def _legal(legal: Legal) -> dict[str, object]:
    """What is legal as the wire names it: two of the names are Python keywords."""
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
"""Encoded once, since most seats can do nothing."""
