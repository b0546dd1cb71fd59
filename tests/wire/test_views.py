"""Views as JSON: of the contract's shape in every position, encoded once, and blind to what is hidden."""

import json
from collections.abc import Iterator
from itertools import islice
from random import Random

from pydantic import TypeAdapter

from app.rules import Game, Seat, deal, legal_actions, play, seen_by
from app.rules.views import own_view, public_view
from app.wire import Views, ViewShape, dump_event
from tests.rules.positions import SAN_FRANCISCO

SHAPE = TypeAdapter(ViewShape)


def games(seats: int, seed: int) -> Iterator[Game]:
    """The positions of a random game."""
    rng, game = Random(seed), deal(SAN_FRANCISCO, seats, bytes([seed]) * 32)
    yield game
    while game.to_act:
        seat = rng.choice(game.to_act)
        game, _ = play(game, seat, rng.choice(legal_actions(game, seat)))
        yield game


def test_K11_03_every_view_has_the_shape_of_the_contract_and_nothing_more() -> None:
    for seats in (2, 3, 4):
        for game in games(seats, seats):
            views = Views(game)
            for viewer in (None, *(Seat(seat) for seat in range(seats))):
                view = json.loads(views.of(viewer))
                SHAPE.validate_python(view)
                assert view["seat"] == viewer


def test_a_view_is_the_public_part_and_the_own() -> None:
    for game in islice(games(3, 9), 30):
        view = json.loads(Views(game).of(Seat(1)))
        own, public = own_view(game, Seat(1)), public_view(game)
        assert (view["version"], view["deck"], view["hand"]) == (public.version, public.deck, own.hand)
        assert view["legal"]["claims"].keys() == own.legal.claims.keys()


def test_a_view_is_encoded_once() -> None:
    views = Views(deal(SAN_FRANCISCO, 2, bytes(32)))
    assert views.of(None) is views.of(None)


def test_an_event_bears_its_version_and_its_type() -> None:
    game = deal(SAN_FRANCISCO, 2, bytes(32))
    seat = game.to_act[0]
    game, [event] = play(game, seat, legal_actions(game, seat)[0])
    told = json.loads(dump_event(seen_by(event, None), game.version))
    assert told == {"version": 1, "type": "first_tickets_kept", "seat": seat, "kept": None}
