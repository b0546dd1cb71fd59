"""Views as JSON: of the contract's shape in every position, encoded once, and blind to what is hidden."""

import json
from collections.abc import Iterator
from dataclasses import fields
from itertools import chain
from random import Random
from typing import Any

import orjson
from pydantic import TypeAdapter

from app.rules import DrawCard, Game, Phase, Seat, Viewer, deal, legal_actions, play, seen_by, view
from app.rules.views import OwnView, PublicView
from app.wire import Kept, Views, ViewShape, dump_event
from harness.positions import SAN_FRANCISCO

SHAPE = TypeAdapter(ViewShape)


def games(seats: int, seed: int) -> Iterator[Game]:
    """The positions of a random game."""
    rng, game = Random(seed), deal(SAN_FRANCISCO, seats, bytes([seed]) * 32)
    yield game
    while game.to_act:
        seat = rng.choice(game.to_act)
        game, _ = play(game, seat, rng.choice(legal_actions(game, seat)))
        yield game


def viewers_of(game: Game) -> list[Viewer]:
    return [None, *map(Seat, range(game.seats))]


def fields_of(part: PublicView | OwnView) -> Any:
    """The fields of a part of a view, but what is legal, which has names of its own on the wire."""
    named = {field.name: getattr(part, field.name) for field in fields(part) if field.name != "legal"}
    return json.loads(orjson.dumps(named))


def test_BUG1103_every_view_has_the_shape_of_the_contract_and_nothing_more() -> None:
    for seats in (2, 3, 4):
        for game in games(seats, seats):
            views = Views(game)
            for viewer in viewers_of(game):
                view = json.loads(views.of(viewer))
                SHAPE.validate_python(view)
                assert view["seat"] == viewer


def test_a_view_on_the_wire_is_that_of_the_rules_field_by_field() -> None:
    for game in chain(games(2, 5), games(4, 9)):
        views = Views(game)
        for viewer in viewers_of(game):
            told, shown = view(game, viewer), json.loads(views.of(viewer))
            legal = shown.pop("legal")
            assert {"deadline": None, **fields_of(told.public), **fields_of(told.own)} == shown
            assert legal["claims"].keys() == told.own.legal.claims.keys()


def test_what_was_kept_of_earlier_positions_makes_no_difference() -> None:
    met = set()
    for seats in (2, 3, 4):
        kept: Kept = {}
        rng = Random(seats)
        for game in chain(games(seats, 20 + seats), games(seats, 30 + seats)):
            views, fresh = Views(game, kept), Views(game)
            for viewer in rng.sample(viewers_of(game), rng.randint(1, 1 + seats)):
                assert views.of(viewer) == fresh.of(viewer)
            met.add((game.phase, seats))
    assert met == {(phase, seats) for phase in Phase for seats in (2, 3, 4)}


def test_nor_does_it_when_positions_are_looked_at_in_any_order() -> None:
    positions = [*games(3, 11), *games(4, 11)]
    kept: Kept = {}
    Random(1).shuffle(positions)
    for game in positions:
        views, fresh = Views(game, kept), Views(game)
        assert [views.of(viewer) for viewer in viewers_of(game)] == [fresh.of(viewer) for viewer in viewers_of(game)]


def test_what_a_move_leaves_as_it_was_is_not_encoded_again() -> None:
    kept: Kept = {}
    game = deal(SAN_FRANCISCO, 4, bytes(32))
    while game.phase is not Phase.TURN:
        seat = game.to_act[0]
        game, _ = play(game, seat, legal_actions(game, seat)[0])
    waiting = Seat((game.turn + 2) % 4)
    Views(game, kept).of(waiting)
    part = kept[waiting]
    later, _ = play(game, game.turn, DrawCard(None))
    Views(later, kept).of(waiting)
    assert kept[waiting] is part


def test_a_view_is_encoded_once() -> None:
    views = Views(deal(SAN_FRANCISCO, 2, bytes(32)))
    assert views.of(None) is views.of(None)


def test_an_event_bears_its_version_and_its_type() -> None:
    game = deal(SAN_FRANCISCO, 2, bytes(32))
    seat = game.to_act[0]
    game, [event] = play(game, seat, legal_actions(game, seat)[0])
    told = json.loads(dump_event(seen_by(event, None), game.version))
    assert told == {"version": 1, "type": "first_tickets_kept", "seat": seat, "kept": None}
