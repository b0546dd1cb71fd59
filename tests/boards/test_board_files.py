"""Board files: a wrong one is refused with the file, the place and what is wrong; any other can be played."""

import ast
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import app.boards
import app.rules
from app.boards import BoardError, load_board, parse_board
from harness.paths import BOARDS
from harness.positions import ALL_BOARDS, SAN_FRANCISCO

M0_TEXT = (BOARDS / "m0.json").read_text(encoding="utf-8")
SOURCES = sorted(path for package in (app.boards, app.rules) for path in Path(package.__path__[0]).rglob("*.py"))

Change = Callable[[Any], object]
TRUE = True


def put(value: object, *way: str | int) -> Change:
    """Put a value at a place of the document."""

    def change(board: Any) -> None:
        for step in way[:-1]:
            board = board[step]
        board[way[-1]] = value

    return change


def drop(*way: str | int) -> Change:
    def change(board: Any) -> None:
        for step in way[:-1]:
            board = board[step]
        del board[way[-1]]

    return change


def add(item: object, *way: str | int) -> Change:
    def change(board: Any) -> None:
        for step in way:
            board = board[step]
        board.append(item)

    return change


def route(name: str, between: list[str], **more: object) -> dict[str, object]:
    return {"id": name, "between": between, "length": 2, "color": None, "ferries": 0, **more}


def many_stacks(board: Any) -> None:
    board["token_stacks"] += [{"symbol": f"s{number}", "location": None} for number in range(1, 3)]
    board["token_points"] = [0] * 8


FIELDS = sorted(json.loads(M0_TEXT))

WRONG: list[tuple[str, Change, str, str]] = [
    *[(f"no {name}", drop(name), "", f'the field "{name}" is missing') for name in FIELDS],
    ("an unknown field", put(1, "speed"), "", 'no field "speed"'),
    ("an unknown field of a route", put(1, "routes", 0, "speed"), "routes[0]", 'no field "speed"'),
    ("a route without length", drop("routes", 2, "length"), "routes[2]", 'the field "length" is missing'),
    ("a ticket without points", drop("tickets", 1, "points"), "tickets[1]", 'the field "points" is missing'),
    ("a location without x", drop("locations", 1, "x"), "locations[1]", 'the field "x" is missing'),
    ("a stack without location", drop("token_stacks", 1, "location"), "token_stacks[1]", "is missing"),
    ("a list for an object", put([], "routes", 0), "routes[0]", "an object is wanted"),
    ("an object for a list", put({}, "routes"), "routes", "a list is wanted"),
    ("a text for a list", put("red", "colors"), "colors", "a list is wanted"),
    ("a list for the points", put([1, 2], "route_points"), "route_points", "an object is wanted"),
    ("a text for a number", put("2", "routes", 0, "length"), "routes[0].length", "a whole number"),
    ("a fraction", put(2.5, "routes", 0, "length"), "routes[0].length", "a whole number"),
    ("a whole fraction", put(2.0, "routes", 0, "length"), "routes[0].length", "a whole number"),
    ("true for 1", put(TRUE, "routes", 0, "length"), "routes[0].length", "a whole number"),
    ("true for a coordinate", put(TRUE, "locations", 0, "x"), "locations[0].x", "a number"),
    ("null for a number", put(None, "cars_per_player"), "cars_per_player", "a whole number"),
    ("a number for a text", put(7, "name"), "name", "a text"),
    ("a blank name", put("  ", "name"), "name", "a text"),
    ("a blank name of a location", put("", "locations", 0, "name"), "locations[0].name", "a text"),
    ("a name on two lines", put("M\n0", "name"), "name", "on one line"),
    ("half a sign", put("\ud800", "name"), "name", "on one line"),
    ("an id with capitals", put("M0", "id"), "id", "an id is wanted"),
    ("an id with a space", put("r 1", "routes", 0, "id"), "routes[0].id", "an id is wanted"),
    ("an id with a line end", put("r1\n", "routes", 0, "id"), "routes[0].id", "an id is wanted"),
    ("an id of dots", put("../m0", "id"), "id", "an id is wanted"),
    ("an id of markup", put("<b>", "locations", 0, "id"), "locations[0].id", "an id is wanted"),
    ("a number for an id", put(1, "tickets", 0, "id"), "tickets[0].id", "an id is wanted"),
    ("a viewbox of three", put([0, 0, 9], "viewbox"), "viewbox", "a list of 4 is wanted here, not of 3"),
    ("a viewbox of no width", put([0, 0, 0, 100], "viewbox"), "locations[0]", "outside"),
    ("a viewbox of texts", put(["0", 0, 9, 9], "viewbox"), "viewbox[0]", "a number"),
    ("three ends", put(["a", "b", "c"], "routes", 0, "between"), "routes[0].between", "a list of 2"),
    ("no length", put(0, "routes", 0, "length"), "routes[0].length", "from 1 to 99"),
    ("below zero", put(-1, "routes", 0, "ferries"), "routes[0].ferries", "from 0 to 99"),
    ("huge", put(10**30, "cards_per_color"), "cards_per_color", "from 1 to 1000"),
    ("a huge coordinate", put(1e300, "locations", 0, "x"), "locations[0].x", "a number"),
    ("no cards", put(0, "cards_per_color"), "cards_per_color", "from 1 to 1000"),
    ("ferries below zero", put(-1, "ferry_cards"), "ferry_cards", "from 0 to 1000"),
    ("cars for no turn", put(2, "cars_per_player"), "cars_per_player", "from 3 to 1000"),
    ("points for nothing", put({"0": 1}, "route_points"), "route_points.0", "from 1 to 99"),
    ("points for words", put({"one": 1}, "route_points"), "route_points.one", "from 1 to 99"),
    ("points below zero", put(-1, "route_points", "1"), "route_points.1", "from 0"),
    ("token points below zero", put(-1, "token_points", 0), "token_points[0]", "from 0"),
    ("a ticket for nothing", put(0, "tickets", 0, "points"), "tickets[0].points", "from 1"),
    ("an unknown anchor", put({"dx": 0, "dy": 0, "anchor": "left"}, "locations", 0, "label"),
     "locations[0].label.anchor", '"start", "middle" or "end"'),
    ("an anchor that is a list", put({"dx": 0, "dy": 0, "anchor": []}, "locations", 0, "label"),
     "locations[0].label.anchor", '"start", "middle" or "end"'),
    ("a label line that is no text", put({"dx": 0, "dy": 0, "anchor": "end", "lines": [1]}, "locations", 0, "label"),
     "locations[0].label.lines[0]", "a text"),
    ("an unknown end of a route", put("z", "routes", 3, "between", 1), "routes[3].between[1]", 'no location "z"'),
    ("an unknown end of a ticket", put("z", "tickets", 3, "between", 0), "tickets[3].between[0]", 'no location "z"'),
    ("an unknown stack", put("z", "token_stacks", 0, "location"), "token_stacks[0].location", 'no location "z"'),
    ("an unknown color", put("pink", "routes", 0, "color"), "routes[0].color", 'no color "pink"'),
    ("a route of ferries' color", put("ferry", "routes", 0, "color"), "routes[0].color", 'no color "ferry"'),
    ("a color named ferry", put("ferry", "colors", 0), "colors", "wild card"),
    ("a route to itself", put(["a", "a"], "routes", 0, "between"), "routes[0].between", "two different"),
    ("a ticket to itself", put(["a", "a"], "tickets", 0, "between"), "tickets[0].between", "two different"),
    ("a twin of other length", put(3, "routes", 3, "length"), "routes[2].length", "differ in length"),
    ("a third parallel route", add(route("d3", ["c", "a"]), "routes"), "routes[2]", "third between"),
    ("no points for a length", put(7, "routes", 0, "length"), "routes[0].length", "no points for the length 7"),
    ("a route longer than the cars", put(4, "cars_per_player"), "routes[8].length", "4 cars are too few"),
    ("more ferries than spaces", put(3, "routes", 1, "ferries"), "routes[1].ferries", "don't fit on 2 spaces"),
    ("more ferry symbols than ferries", put(0, "ferry_cards"), "routes[4]", "too few cards to pay"),
    ("too few cards for a route", lambda board: board.update(cards_per_color=2, ferry_cards=2),
     "routes[8]", "too few cards to pay"),
    ("too few cards to begin", lambda board: board.update(cards_per_color=1, ferry_cards=6),
     "cards_per_color", "12 cards are too few: 4 players need 13"),
    ("too few tickets to begin", drop("tickets", 7), "tickets", "7 are too few: 4 players need 8"),
    ("two tickets alike", put(["d", "a"], "tickets", 1, "between"), "tickets[1]", "the same locations as another"),
    ("an island", lambda board: (board["locations"].append({"id": "i", "name": "I", "x": 1, "y": 1}),
                                 put("i", "tickets", 0, "between", 0)(board)),
     "tickets[0]", "can't be completed"),
    ("a ticket beyond the cars", lambda board: (board.update(cars_per_player=5),
                                                put(5, "routes", 1, "length")(board),
                                                put(4, "routes", 0, "length")(board),
                                                put(5, "routes", 4, "length")(board),
                                                put(["b", "e"], "routes", 3, "between")(board),
                                                put(["b", "e"], "routes", 2, "between")(board),
                                                put(5, "routes", 7, "length")(board)),
     "tickets[0]", "can't be completed"),
    ("two colors alike", put("red", "colors", 0), "colors[4]", '"red" is there already'),
    ("two locations alike", put("b", "locations", 0, "id"), "locations[1]", '"b" is there already'),
    ("two routes alike", put("r1", "routes", 1, "id"), "routes[1]", '"r1" is there already'),
    ("two tickets of one id", put("t1", "tickets", 1, "id"), "tickets[1]", '"t1" is there already'),
    ("two stacks of a symbol", put("sun", "token_stacks", 1, "symbol"), "token_stacks[1]", '"sun" is there already'),
    ("two stacks on a location", put("a", "token_stacks", 1, "location"), "token_stacks[0].location", "more than one"),
    ("stacks without a place", many_stacks, "token_stacks", "more stacks than locations"),
    ("token points for another number", put([0, 1], "token_points"), "token_points", "6 numbers are wanted"),
    ("outside the viewbox", put(101, "locations", 2, "x"), "locations[2]", "outside the viewbox"),
    ("above the viewbox", put(-0.5, "locations", 2, "y"), "locations[2]", "outside the viewbox"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "place", "problem"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_a_wrong_board_is_refused_with_file_place_and_problem(change: Change, place: str, problem: str) -> None:
    board = json.loads(M0_TEXT)
    change(board)
    with pytest.raises(BoardError) as refusal:
        parse_board(json.dumps(board), "boards/wrong.json")
    assert refusal.value.place == place
    assert problem in refusal.value.problem
    assert str(refusal.value).startswith(f"boards/wrong.json: {place}: " if place else "boards/wrong.json: ")


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[1,]", "{'id': 1}", "\ufeff{}", "\x00", '{"id": "\x01"}', "[" * 100_000, '{"a":' * 100_000,
        "1" * 10_000, M0_TEXT[:-3], M0_TEXT + "{}",
        M0_TEXT.replace("0, 0, 100", "NaN, 0, 100"), M0_TEXT.replace("0, 0, 100", "0, -Infinity, 100"),
        M0_TEXT.replace('"ferries": 0', '"ferries": 0, "bend": NaN', 1),
        M0_TEXT.replace('"ferries": 0', '"ferries": 0, "bend": Infinity', 1),
        M0_TEXT.replace('"1": 1', '"1": 1, "1": 2'), M0_TEXT.replace('"name": "M0"', '"name": "M0", "name": "M1"'),
    ],
    ids=[
        "nothing", "half", "trailing comma", "single quotes", "mark of byte order", "NUL", "control sign", "deep lists",
        "deep objects", "long number", "cut off", "two documents", "NaN", "minus Infinity", "NaN bend", "Infinity bend",
        "points twice", "name twice",
    ],
)  # fmt: skip
def test_what_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(BoardError, match=r"^wrong\.json: this is not JSON|^wrong\.json: an object is wanted"):
        parse_board(text, "wrong.json")


@pytest.mark.parametrize("value", [None, 1, "text", [], True, 1.5])
def test_a_document_that_is_no_object_is_refused(value: object) -> None:
    with pytest.raises(BoardError, match=r"^wrong\.json: an object is wanted here$"):
        parse_board(json.dumps(value), "wrong.json")


@pytest.mark.parametrize(
    "name", ["atlantis", "", "../san-francisco", "san-francisco.json", "no/such.json", "a\0b", "\ud800"]
)
def test_a_board_that_is_not_there_is_refused_by_its_name(name: str) -> None:
    with pytest.raises(BoardError, match="no board can be read here"):
        load_board(name)


@pytest.mark.parametrize("way", [("locations", 0, "label"), ("locations", 0, "label", "lines"), ("routes", 0, "bend")])
def test_what_may_be_left_out_is_not_null(way: tuple[str | int, ...]) -> None:
    board = json.loads(M0_TEXT)
    board["locations"][0]["label"] = {"dx": 0, "dy": 0, "anchor": "end"}
    put(None, *way)(board)
    with pytest.raises(BoardError, match="is wanted here"):
        parse_board(json.dumps(board), "wrong.json")


def test_a_folder_or_another_encoding_is_refused(tmp_path: Path) -> None:
    (tmp_path / "latin.json").write_bytes(M0_TEXT.replace('"M0"', '"M\xd8"').encode("latin-1"))
    for path in (tmp_path, tmp_path / "latin.json"):
        with pytest.raises(BoardError, match="no board can be read here") as refusal:
            load_board(path)
        assert refusal.value.source == str(path)


def test_a_length_without_points_stops_the_loading_and_names_the_route() -> None:
    """BUG613: not a game in the middle of which the points are missing."""
    board = json.loads(M0_TEXT)
    del board["route_points"]["4"]
    with pytest.raises(BoardError, match=r"routes\[6\]\.length: route_points has no points for the length 4"):
        parse_board(json.dumps(board), "m0.json")


@pytest.mark.parametrize("board", ALL_BOARDS, ids=lambda board: board.id)
def test_every_board_of_the_tests_loads_and_is_the_same_again(board: app.rules.Board) -> None:
    path = board.id if board is SAN_FRANCISCO else BOARDS / f"{board.id}.json"
    assert load_board(path) == board


def names_of(board: app.rules.Board) -> set[str]:
    """All ids and names of a board."""
    return {
        board.id, board.name, *board.colors,
        *(stack.symbol for stack in board.token_stacks),
        *(name for location in board.locations for name in (location.id, location.name)),
        *(route.id for route in board.routes),
        *(ticket.id for ticket in board.tickets),
    }  # fmt: skip


def literals(source: Path) -> list[tuple[int, object]]:
    """The strings and numbers in a module's code, docstrings left out."""
    tree = ast.parse(source.read_text(encoding="utf-8"))
    told = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    return [
        (node.lineno, node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and id(node) not in told and not isinstance(node.value, bool)
    ]


BOARD_NUMBERS = {44, 24, 21, 20, 22, 52, 8, 7, 6, 15, 12}
"""Totals and numbers of San Francisco; the ones below 6 are numbers of the rules too."""

RULE_NUMBERS = {("table.py", 20), ("shuffle.py", 8), ("schema.py", 24), ("payments.py", 12)}
"""The limit of flushes in a row (D4), bytes, where a label stands if a file doesn't say, and the size of a cache."""


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_nothing_of_a_board_stands_in_the_code(source: Path) -> None:
    names = names_of(SAN_FRANCISCO)
    for line, value in literals(source):
        assert value not in names, f"{source.name}:{line}: {value!r} belongs into the board"
        if type(value) is int and (source.name, value) not in RULE_NUMBERS:
            assert value not in BOARD_NUMBERS, f"{source.name}:{line}: {value} belongs into the board"
