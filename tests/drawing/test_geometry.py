"""By geometry: nothing on the board covers what one has to read or to touch."""

from itertools import combinations

import pytest

from app.boards import load_board
from app.web.drawing.geometry import Polygon, arc_length, band, disc, overlap
from app.web.drawing.layout import (
    BADGE_RADIUS,
    COUNT_RADIUS,
    MARKER_RADIUS,
    SURE_RADIUS,
    RouteLayout,
    label_box,
    lay_out_locations,
    lay_out_routes,
    outline,
)

PHONE = 360
"""Width of a narrow phone in px."""
PHONE_ZOOM = 2
LEAST_TOUCH = 24
"""Width and height in px that a finger hits (WCAG 2.5.8)."""
MEASURING = 0.5
"""Units by which a curve measured at points can err."""

BOARD = load_board("san-francisco")
ROUTES = lay_out_routes(BOARD)
PLACES = lay_out_locations(BOARD, ROUTES)
SPACES = {f"{layout.route.id} {k}": outline(space) for layout in ROUTES for k, space in enumerate(layout.spaces)}
LABELS = {place.location.name: label_box(place.location).corners for place in PLACES}
BADGES = {str(place.location.id): disc(place.middle, BADGE_RADIUS) for place in PLACES}
COUNTS = {str(place.location.id): disc(place.count, COUNT_RADIUS) for place in PLACES}
PX_PER_UNIT = PHONE * PHONE_ZOOM / BOARD.viewbox[2]


def overlaps(some: dict[str, Polygon], others: dict[str, Polygon]) -> list[tuple[str, str]]:
    return [(a, b) for a, one in some.items() for b, other in others.items() if overlap(one, other)]


def overlaps_among(some: dict[str, Polygon]) -> list[tuple[str, str]]:
    return [(a, b) for (a, one), (b, other) in combinations(some.items(), 2) if overlap(one, other)]


def test_no_label_lies_on_a_space() -> None:
    assert overlaps(LABELS, SPACES) == []


def test_no_label_lies_on_a_location_or_its_tokens() -> None:
    assert overlaps(LABELS, BADGES) == []
    assert overlaps(LABELS, COUNTS) == []


def test_no_label_lies_on_another() -> None:
    assert overlaps_among(LABELS) == []


def test_no_space_lies_on_another() -> None:
    assert overlaps_among(SPACES) == []


def test_no_space_lies_on_a_location() -> None:
    assert overlaps(SPACES, BADGES) == []


def test_the_number_of_tokens_covers_no_space() -> None:
    assert overlaps(COUNTS, SPACES) == []


def test_no_two_routes_cross() -> None:
    lines = {f"{layout.route.id} {k}": piece for layout in ROUTES for k, piece in enumerate(band(layout.line, 2))}
    crossings = {frozenset((a.split()[0], b.split()[0])) for a, b in overlaps_among(lines)}
    assert [crossing for crossing in crossings if len(crossing) > 1] == []


def test_everything_is_inside_the_board() -> None:
    x, y, width, height = BOARD.viewbox
    everything = {**SPACES, **LABELS, **BADGES, **COUNTS}
    outside = [
        name
        for name, polygon in everything.items()
        if any(not (x <= p.real <= x + width and y <= p.imag <= y + height) for p in polygon)
    ]
    assert outside == []


def test_spaces_are_long_enough_for_their_symbols() -> None:
    assert min(space.length for layout in ROUTES for space in layout.spaces) >= 40


TWINS = [(first, second) for first, second in combinations(ROUTES, 2) if first.route.twin == second.route.id]


@pytest.mark.parametrize(("first", "second"), TWINS, ids=lambda layout: layout.route.id)
def test_both_halves_of_a_double_route_have_separate_touch_areas(first: RouteLayout, second: RouteLayout) -> None:
    areas = [band(half.touch, half.touch_width) for half in (first, second)]
    assert not any(overlap(one, other) for one in areas[0] for other in areas[1])


@pytest.mark.parametrize("layout", [half for pair in TWINS for half in pair], ids=lambda layout: layout.route.id)
def test_each_half_of_a_double_route_can_be_touched_on_a_phone(layout: RouteLayout) -> None:
    assert layout.touch_width * PX_PER_UNIT >= LEAST_TOUCH
    assert arc_length(layout.touch) * PX_PER_UNIT >= LEAST_TOUCH


def test_a_touch_on_a_space_is_a_touch_on_its_route() -> None:
    """Routes are painted one after the other: the touch area of a later one must leave the spaces before it free."""
    covered = []
    for k, layout in enumerate(ROUTES):
        for earlier in ROUTES[:k]:
            middles = [disc(space.center, SURE_RADIUS - MEASURING) for space in earlier.spaces]
            pieces = band(layout.touch, layout.touch_width)
            covered += [(layout.route.id, earlier.route.id) for m in middles for p in pieces if overlap(m, p)]
    assert covered == []


def test_marks_are_smaller_than_the_badges_that_stand_on_them() -> None:
    assert MARKER_RADIUS < BADGE_RADIUS
