"""A view per seat and one for spectators: the public part is built and encoded once, each seat's own spliced in."""

from typing import Any

import orjson

from app.rules import Game, Viewer
from app.rules.views import (
    NOTHING_LEGAL,
    SPECTATOR,
    Legal,
    OwnView,
    PublicHoldings,
    PublicView,
    own_view,
    public_view,
)


class Views:
    """The views of one position as JSON, each encoded when first asked for, and kept."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._start = orjson.dumps(_public(public_view(game)))[:-1] + b","
        self._made: dict[Viewer, bytes] = {}

    def of(self, viewer: Viewer) -> bytes:
        """The view of a seat, or of a spectator."""
        made = self._made.get(viewer)
        if made is None:
            made = self._made[viewer] = self._start + _own(self._game, viewer)
        return made


def _public(view: PublicView) -> dict[str, Any]:
    """Dictionaries, since they are encoded in half the time of dataclasses."""
    return {
        "version": view.version,
        "phase": view.phase,
        "to_act": view.to_act,
        "first_player": view.first_player,
        "market": view.market,
        "deck": view.deck,
        "discard": view.discard,
        "ticket_deck": view.ticket_deck,
        "stacks": {place: {"symbol": stack.symbol, "left": stack.left} for place, stack in view.stacks.items()},
        "unplaced": view.unplaced,
        "owners": view.owners,
        "closed": view.closed,
        "players": [_holdings(player) for player in view.players],
        "last_turns": view.last_turns,
        "scores": view.scores,
    }


def _holdings(player: PublicHoldings) -> dict[str, Any]:
    return {
        "seat": player.seat,
        "cars": player.cars,
        "points": player.points,
        "cards": player.cards,
        "tickets": player.tickets,
        "tokens": player.tokens,
    }


def _own(game: Game, viewer: Viewer) -> bytes:
    return SPECTATORS_OWN if viewer is None else _dump_own(own_view(game, viewer))


def _dump_own(own: OwnView) -> bytes:
    return orjson.dumps(
        {
            "seat": own.seat,
            "hand": own.hand,
            "tickets": [{"id": each.id, "done": each.done, "reachable": each.reachable} for each in own.tickets],
            "offer": own.offer,
            "legal": NOTHING if own.legal is NOTHING_LEGAL else _legal(own.legal),
            "deadline": None,
        }
    )[1:]


def _legal(legal: Legal) -> dict[str, Any]:
    keep = legal.keep
    return {
        "draw": {"deck": legal.draw.deck, "slots": legal.draw.slots},
        "draw_tickets": legal.draw_tickets,
        "keep": None if keep is None else {"from": keep.source, "least": keep.least},
        "place": legal.place,
        "claims": {
            route: {"payments": payments, "tokens": tokens} for route, (payments, tokens) in legal.claims.items()
        },
        "pass": legal.may_pass,
    }


NOTHING = orjson.Fragment(orjson.dumps(_legal(NOTHING_LEGAL)))
"""Those who are not to act, which is nearly everybody, have nothing to do; it is encoded once for all."""

SPECTATORS_OWN = _dump_own(SPECTATOR)
