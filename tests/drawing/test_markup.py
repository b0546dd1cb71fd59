"""What a page and its client may rely on in the drawing of any board."""

import gzip
import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from app.rules import Board, load_board, parse_board
from app.web.drawing import draw_board, draw_symbols

BOARDS = Path(__file__).parents[1] / "rules/boards"
NAMES = ["san-francisco", *(str(file) for file in sorted(BOARDS.glob("*.json")))]
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
        shown = [use.get("href") for space in having(item, "space") for use in space.iter() if use.get("href")]
        assert len(having(item, "space")) == len(having(item, "car")) == route.length
        assert shown.count("#card-ferry") == route.ferries
        assert shown.count(f"#card-{route.color}") == (0 if route.color is None else route.length)
        assert len(having(item, "hit")) == len(having(item, "glow")) == 1
        assert item.get("aria-label")


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
    assert {"car", "car-0", "car-1", "car-2", "car-3"} <= ids


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
