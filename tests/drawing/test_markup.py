"""What a page and its client may rely on in the drawing of any board."""

import cmath
import gzip
import math
import re
from collections import Counter
from itertools import accumulate
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from app.boards import load_board, parse_board
from app.rules import Board
from app.web.drawing import draw_board, draw_symbols
from app.web.drawing.layout import lay_out_routes
from harness.paths import BOARDS

NAMES = ["san-francisco", *(str(file) for file in sorted(BOARDS.glob("*.json")))]
ROUNDING = 0.3
"""Units; the board has 1300 of them."""
SVG = 'xmlns="http://www.w3.org/2000/svg"'


@pytest.fixture(params=NAMES, ids=lambda name: Path(name).stem)
def board(request: pytest.FixtureRequest) -> Board:
    return load_board(request.param)


def parsed(drawing: str) -> ET.Element:
    return ET.fromstring(f"<page {SVG}>{drawing}</page>")


def page(board: Board) -> ET.Element:
    return parsed(draw_symbols(board) + draw_board(board))


def having(root: ET.Element, name: str) -> list[ET.Element]:
    """The elements of a class."""
    return [item for item in root.iter() if name in item.get("class", "").split()]


def test_the_drawing_is_one_svg_element_and_the_same_each_time(board: Board) -> None:
    assert [item.get("class") for item in page(board)] == ["symbols", "board"]
    assert draw_board(board) == draw_board(board)
    assert draw_symbols(board) == draw_symbols(board)


def test_ids_are_unique(board: Board) -> None:
    ids = Counter(item.get("id") for item in page(board).iter() if item.get("id"))
    assert [name for name, times in ids.items() if times > 1] == []


def test_there_is_no_script_no_style_and_nothing_from_outside(board: Board) -> None:
    for item in page(board).iter():
        assert item.tag.rpartition("}")[2] not in {"script", "style", "image", "foreignObject", "a"}
        assert "style" not in item.attrib
        assert not any(name.startswith("on") for name in item.attrib)
        assert item.get("href", "#").startswith("#")
        assert all(value.startswith("url(#") for value in item.attrib.values() if "url(" in value)


def test_what_is_referred_to_is_there(board: Board) -> None:
    root = page(board)
    ids = {item.get("id") for item in root.iter()}
    hrefs = {item.get("href") for item in root.iter() if item.get("href")}
    urls = set(re.findall(r"url\(#([^)]+)\)", draw_board(board)))
    assert {str(href)[1:] for href in hrefs} | urls <= ids


def test_every_route_has_its_spaces_symbols_and_places_for_cars(board: Board) -> None:
    routes = having(page(board), "route")
    assert [item.get("data-route") for item in routes] == [route.id for route in board.routes]
    for item, route in zip(routes, board.routes, strict=True):
        wanted = {
            "url(#on-card-ferry)": route.ferries,
            f"url(#on-card-{route.color})": route.length if route.color else 0,
        }
        assert len(having(item, "space")) == len(having(item, "car")) == route.length
        assert symbols_of(item) == {mark: times for mark, times in wanted.items() if times}
        assert len(having(item, "hit")) == len(having(item, "glow")) == 1
        assert item.get("aria-label")


def symbols_of(route: ET.Element) -> dict[str, int]:
    """How often each marker is seen: at all points of a line but its last."""
    marks = having(route, "marks")
    assert all(line.get("marker-start") == line.get("marker-mid") and not line.get("marker-end") for line in marks)
    return {line.get("marker-start", ""): line.get("d", "").count("L") for line in marks}


def test_a_space_is_as_large_as_it_was_laid_out() -> None:
    board = load_board("san-francisco")
    for item, layout in zip(having(page(board), "route"), lay_out_routes(board), strict=True):
        for drawn, space in zip(having(item, "space"), layout.spaces, strict=True):
            outline = corners(drawn.get("d", ""))
            assert abs(sum(outline) / len(outline) - space.center) < ROUNDING
            sizes = [point * cmath.rect(1, -math.radians(space.angle)) for point in (c - space.center for c in outline)]
            assert max(size.real for size in sizes) == pytest.approx(space.length / 2, abs=ROUNDING)
            assert max(size.imag for size in sizes) == pytest.approx(space.width / 2, abs=ROUNDING)


def corners(path: str) -> list[complex]:
    """Where each step of an outline ends; the last one where the first began."""
    steps = [re.findall(r"-?[\d.]+", step)[-2:] for step in re.split("[Mla]", path.removesuffix("z"))[1:]]
    return list(accumulate(complex(float(x), float(y)) for x, y in steps))[1:]


def test_every_location_has_its_name_and_a_place_for_tokens(board: Board) -> None:
    root = page(board)
    for item, location in zip(having(root, "location"), board.locations, strict=True):
        assert item.get("id") == f"location-{location.id}"
        assert " ".join(having(item, "name")[0].itertext()) == " ".join(location.label.lines)
    stacks = {item.get("data-location"): item.get("data-symbol") for item in having(root, "stack")}
    assert set(stacks) == {location.id for location in board.locations}
    placed = {stack.location: stack.symbol for stack in board.token_stacks if stack.location}
    assert {place: symbol for place, symbol in stacks.items() if symbol} == placed


def test_every_card_token_and_car_has_a_symbol(board: Board) -> None:
    ids = {item.get("id") for item in parsed(draw_symbols(board)).iter()}
    assert {f"card-{card}" for card in board.cards} <= ids
    assert {f"token-{stack.symbol}" for stack in board.token_stacks} <= ids
    assert {f"car-{seat}" for seat in range(4)} <= ids
    assert {f"on-{name}" for name in ids if name and name.startswith(("card-", "car-"))} <= ids


def test_the_points_of_each_length_stand_on_the_board(board: Board) -> None:
    """Where there is room for them, as on all these."""
    table = " ".join(having(page(board), "points")[0].itertext())
    assert table == " ".join(f"{length} {points}" for length, points in sorted(board.route_points.items()))


def test_no_two_colors_and_no_two_tokens_look_alike(board: Board) -> None:
    drawn = [ET.tostring(item) for item in parsed(draw_symbols(board)).iter() if item.get("id")]
    bare = [re.sub(rb' id="[^"]+"', b"", item) for item in drawn if re.search(rb'id="(card|token)-', item)]
    assert len(set(bare)) == len(bare)


def test_san_francisco_is_light() -> None:
    board = load_board("san-francisco")
    assert len(gzip.compress((draw_board(board) + draw_symbols(board)).encode())) <= 16 * 1024


def test_names_are_escaped() -> None:
    text = (BOARDS / "m0.json").read_text("utf-8").replace('"name": "A"', '"name": "<b>&amp;\\"</b>"')
    hostile = parse_board(text, "test")
    assert [item for item in page(hostile).iter() if item.tag == "b"] == []
    assert '<b>&amp;"</b>' in [having(item, "name")[0].findtext("*") for item in having(page(hostile), "location")]
