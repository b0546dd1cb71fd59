"""docs/protocol.md says what the server does: each example, each table."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from fastapi.routing import APIWebSocketRoute

from app.config import Settings
from app.rooms import Code
from app.rooms.outbox import MOST_EVENTS, MOST_HELD
from app.rules import Action, Event
from app.server import http as http_protocol
from app.web import Rate, chat, limits, socket_limits, websocket
from app.web.names import LONGEST
from app.web.problems import STATUS
from app.wire import (
    MOST_BYTES,
    Act,
    Invitation,
    Join,
    LinkSecret,
    NewBar,
    NewBot,
    NewGuest,
    NewLink,
    NewPlayer,
    NewRoom,
    Phrase,
    RoomChanges,
    Say,
    dump_action,
    parse_action,
    parse_body,
    parse_message,
    parse_record,
)
from harness.documents import document, examples, field_names, fields_of_all, parsed, rows, under
from tests.docs.played import Heard, calls, play_a_game

PATIENCE = 180
"""Seconds for a whole game, on a busy machine."""

TEXT = document("docs/protocol.md")

BODIES: dict[str, Any] = {
    "POST /api/v1/players": NewPlayer,
    "PATCH /api/v1/players/me": NewPlayer,
    "POST /api/v1/rooms": NewRoom,
    "POST /api/v1/rooms/{code}/join": Join,
    "POST /api/v1/rooms/{code}/guests": NewGuest,
    "POST /api/v1/rooms/{code}/invitations": Invitation,
    "POST /api/v1/rooms/{code}/bars": NewBar,
    "POST /api/v1/rooms/{code}/bots": NewBot,
    "POST /api/v1/rooms/{code}/act": Act,
    "POST /api/v1/rooms/{code}/talk": Say,
    "POST /api/v1/rooms/{code}/rematch": Join,
    "PATCH /api/v1/rooms/{code}": RoomChanges,
    "POST /api/v1/links": NewLink,
    "POST /api/v1/links/owner": LinkSecret,
    "POST /api/v1/links/use": LinkSecret,
}
ROOM = {
    "GET /api/v1/rooms/{code}",
    *(f"POST /api/v1/rooms/{{code}}/{call}" for call in ("leave", "invitations", "bots", "start")),
}
ROOM |= {"PATCH /api/v1/rooms/{code}", "DELETE /api/v1/rooms/{code}/seats/{number}"}
VIEW = "GET /api/v1/rooms/{code}/view"
BOARD = "GET /api/v1/boards/{board_id}"


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory) -> Heard:
    """What a real game's server said."""
    return asyncio.run(asyncio.wait_for(play_a_game(tmp_path_factory.mktemp("protocol")), PATIENCE))


def told(kind: str) -> list[Any]:
    """The values of the examples of a kind."""
    return [parsed(block) for _, block in examples(TEXT, kind)]


def test_the_table_of_calls_has_every_call() -> None:
    sockets = [f"WS {route.path}" for route in websocket.router.routes if isinstance(route, APIWebSocketRoute)]
    assert {row[0] for row in rows(TEXT, "## Calls")} == {*calls(), *sockets}


def test_bodies_can_be_read() -> None:
    bodies = list(examples(TEXT, "body"))
    assert {call for call, _ in bodies} == set(BODIES)
    for call, block in bodies:
        left_out = {"type", "text"} if BODIES[call] is Say else {"type"}
        assert {*parsed(block), *left_out} == {*BODIES[call].__dataclass_fields__, *left_out}
        parse_body(BODIES[call], block.encode())


def test_the_options_of_a_room_are_told_with_their_defaults() -> None:
    table = {row[0]: row[1] for row in rows(TEXT, "### Rooms")}
    wish = NewRoom(2)
    assert table.pop("seats") == "no"
    assert table == {name: json.dumps(getattr(wish, name)) for name in NewRoom.__dataclass_fields__ if name != "seats"}


def test_messages_of_clients_can_be_read() -> None:
    kinds = {type(parse_message(block)).__name__ for _, block in examples(TEXT, "client")}
    assert kinds == {"Act", "Say", "Ping"}


def test_the_phrases_of_talk_are_all_told() -> None:
    (sentence,) = re.findall(r"^- A phrase is one of (.*?)\.", TEXT, re.MULTILINE)
    assert tuple(re.findall(r"`(\w+)`", sentence)) == get_args(Phrase)


def test_actions_can_be_read_and_none_is_missing() -> None:
    actions = [parse_action(block) for _, block in examples(TEXT, "action")]
    assert {type(action) for action in actions} == set(Action.__args__)
    for _, block in examples(TEXT, "action"):
        left_out = set(parsed(dump_action(parse_action(block)))) - set(parsed(block))
        assert left_out <= {"token"}


def test_events_have_the_fields_of_the_code_and_none_is_missing() -> None:
    kinds = {kind._field_defaults["type"]: {*kind._fields, "version"} for kind in Event.__args__}
    assert {event["type"]: set(event) for event in told("event")} == kinds
    assert {row[0] for row in rows(TEXT, "## Events")} == set(kinds)


def test_events_that_hide_something_are_told() -> None:
    hiding = {row[0]: row[2].split(" ")[0] for row in rows(TEXT, "## Events") if row[2]}
    assert hiding == {
        "first_tickets_kept": "kept",
        "deck_card_drawn": "card",
        "tickets_drawn": "tickets",
        "tickets_kept": "kept",
    }


def test_events_of_a_game_have_the_fields_of_the_examples(heard: Heard) -> None:
    shapes = {event["type"]: field_names(event) for event in told("event")}
    assert len({event["type"] for event in heard.events}) > 7
    for event in heard.events:
        assert field_names(event) == shapes[event["type"]]


def test_every_code_is_told_with_its_status() -> None:
    table = [row for row in rows(TEXT, "## Refusals") if row[0]]
    assert [row[0] for row in table] == list(Code)
    assert {row[0]: int(row[1]) for row in table} == STATUS


def test_problems_have_the_fields_of_the_example(heard: Heard) -> None:
    (problem,) = told("problem")
    assert heard.problems
    for real in heard.problems:
        assert set(real) == set(problem)
        assert real["code"] in set(Code)


@pytest.mark.parametrize("kind", ["ack", "refused", "pong", "room", "said", "spoken", "talk"])
def test_messages_of_the_server_have_the_fields_of_the_examples(heard: Heard, kind: str) -> None:
    (example,) = [parsed(block) for way, block in examples(TEXT, "server") if way == kind]
    real = heard.messages[kind]
    assert real
    assert example["type"] == kind
    if kind != "room":
        assert all(field_names(message) == field_names(example) for message in real)


def test_rooms_views_and_events_have_the_fields_of_the_examples(heard: Heard) -> None:
    ways = [(way, parsed(block)) for way, block in examples(TEXT, "server") if way.startswith("room")]
    example = set().union(*(field_names(value, way.removeprefix("room").lstrip(".")) for way, value in ways))
    views = [{"view": view} for view in heard.answers[VIEW]]
    real = fields_of_all([*heard.messages["room"], *views])
    for way in ("room", "view"):
        assert _below(example, way) == _below(real, way)
    assert {name for name in real if "." not in name} == {name for name in example if "." not in name}


def _below(names: set[str], way: str) -> set[str]:
    return {name for name in names if name.startswith(f"{way}.")}


def test_answers_have_the_fields_of_the_examples(heard: Heard) -> None:
    answers = dict(examples(TEXT, "answer"))
    assert set(heard.answers) == {*answers, *ROOM, VIEW, BOARD}
    for call, block in answers.items():
        assert field_names(parsed(block)) == fields_of_all(heard.answers[call]), call


def test_calls_that_answer_with_the_room_do(heard: Heard) -> None:
    (example,) = [parsed(block) for way, block in examples(TEXT, "server") if way == "room.room"]
    shape = field_names(example)
    of_watchers = {name for name in shape if name.startswith("watchers[]")}
    for call in ROOM:
        assert fields_of_all(heard.answers[call]) | of_watchers == shape


def test_the_record_can_be_read() -> None:
    block = dict(examples(TEXT, "answer"))["GET /api/v1/rooms/{code}/record"]
    record = parse_record(block.encode())
    for line in record.scores:
        assert line.total == line.routes + line.tokens + sum(ticket.points for ticket in line.tickets)


def test_the_tables_of_fields_have_every_field(heard: Heard) -> None:
    message = heard.messages["room"][-1]
    room = {row[0] for row in rows(TEXT, "## The room")}
    assert room - {"seats[].connected", "seats[].guardian", "seats[].level"} == set(message["room"])
    public = [row[0] for row in rows(TEXT, "## The view")]
    own = [row[0] for row in rows(TEXT, "The viewer's own part; a spectator has `null` as `seat`, and the rest empty:")]
    assert sorted(public + own) == sorted(message["view"])
    legal = {row[0].split(".")[0] for row in rows(TEXT, "### What is legal")}
    assert legal == set(under(message, "view.legal"))


def test_sizes_and_rates_are_those_of_the_code() -> None:
    sizes = [row[1] for row in rows(TEXT, "## Limits")]
    assert sizes[0] == f"{MOST_BYTES} bytes"
    assert sizes[1] == f"{http_protocol.MOST_HEAD // 1024} KB"
    assert sizes[2:4] == [f"{limit:g} seconds" for limit in (http_protocol.TIMEOUT, http_protocol.TAKEN_IN)]
    assert sizes[6] == f"{LONGEST} characters"
    assert sizes[7] == f"{chat.LONGEST} characters"
    assert sizes[8].startswith(f"{MOST_HELD // 1024} KB")
    assert f"they exceed {MOST_EVENTS // 1024} KB" in TEXT
    heading = re.search(r"^second in the long run:$", TEXT, re.MULTILINE)
    assert heading is not None
    rates = [(int(row[1]), float(row[2])) for row in rows(TEXT, heading[0])]
    assert rates == [
        numbers(rate)
        for rate in (
            limits.NEW_PLAYERS,
            limits.NEW_ROOMS,
            limits.CALL,
            limits.OPEN_TABLES,
            limits.READINESS,
            limits.STATIC_FILE,
            limits.QR_CODE,
            limits.OTHER,
            limits.WRONG_CODE,
            limits.CHAT_MESSAGE,
            limits.SOCKET_MESSAGE,
            socket_limits.SEAT_MESSAGE,
            socket_limits.SEATED_MESSAGE,
            socket_limits.UNSEATED_MESSAGE,
            socket_limits.STRANGERS_SOCKET,
        )
    ]
    assert f"{limits.WIDE} times as much as one /64" in TEXT
    settings = Settings()
    most = settings.sockets_per_seat, settings.sockets_per_address, settings.connections_per_address
    assert [int(size.partition(";")[0]) for size in sizes[9:12]] == list(most)
    assert [numbers(Rate.parse(text)) for text in (settings.new_players, settings.new_rooms)] == rates[:2]


def numbers(rate: Rate) -> tuple[int, float]:
    return rate.burst, rate.per_second


def test_no_socket_closes_with_a_code_that_is_not_told() -> None:
    source = (Path(__file__).parents[2] / "app/web/websocket.py").read_text("utf-8")
    told_codes = {row[0].split(" ")[0] for row in rows(TEXT, "### Closing")}
    assert set(re.findall(r"\b1[0-9]{3}\b", source)) <= told_codes
