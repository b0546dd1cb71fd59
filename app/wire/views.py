"""A view per seat and one for spectators: the public part is built and encoded once, each seat's own spliced in."""

from typing import Any

import orjson

from app.rules import Game, Viewer
from app.rules.views import SPECTATOR, Legal, OwnView, own_view, public_view


class Views:
    """The views of one position as JSON, each encoded when first asked for, and kept."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._start = orjson.dumps(public_view(game))[:-1] + b","
        self._made: dict[Viewer, bytes] = {}

    def of(self, viewer: Viewer) -> bytes:
        """The view of a seat, or of a spectator."""
        made = self._made.get(viewer)
        if made is None:
            made = self._made[viewer] = self._start + _own(self._game, viewer)
        return made


def _own(game: Game, viewer: Viewer) -> bytes:
    return SPECTATORS_OWN if viewer is None else _dump_own(own_view(game, viewer))


def _dump_own(own: OwnView) -> bytes:
    return orjson.dumps(
        {
            "seat": own.seat,
            "hand": own.hand,
            "tickets": own.tickets,
            "offer": own.offer,
            "legal": _legal(own.legal),
            "deadline": None,
        }
    )[1:]


def _legal(legal: Legal) -> dict[str, Any]:
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


SPECTATORS_OWN = _dump_own(SPECTATOR)
