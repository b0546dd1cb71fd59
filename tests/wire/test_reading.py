"""What clients send is read strictly, and what the record keeps reads back as it was."""

import json

import pytest

from app.rules import (
    Action,
    Card,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    KeepTickets,
    LocationId,
    Pass,
    PlaceToken,
    RouteId,
    Symbol,
    TicketId,
)
from app.wire import (
    Act,
    Join,
    NewRoom,
    Ping,
    Say,
    WireError,
    dump_action,
    id_of,
    parse_action,
    parse_body,
    parse_message,
)

ACTIONS: list[Action] = [
    KeepTickets((TicketId("a--b"), TicketId("c--d"))),
    KeepTickets(()),
    PlaceToken(Symbol("crab"), LocationId("sunset")),
    DrawCard(None),
    DrawCard(4),
    DrawTickets(),
    ClaimRoute(RouteId("a--b-1"), {Card("red"): 2, Card("ferry"): 1}, Symbol("crab")),
    ClaimRoute(RouteId("a--b-1"), {Card("ferry"): 1}),
    Pass(),
]


@pytest.mark.parametrize("action", ACTIONS, ids=str)
def test_BUG1009_an_action_is_read_as_it_was_written(action: Action) -> None:
    assert parse_action(dump_action(action)) == action
    message = json.dumps({"type": "act", "id": "x", "version": 3, "action": json.loads(dump_action(action))})
    assert parse_message(message) == Act("x", 3, action)


def test_every_kind_of_action_has_been_tried() -> None:
    assert {type(action) for action in ACTIONS} == set(Action.__args__)


def test_a_token_may_be_left_out_and_cards_of_which_there_is_none_do_not_count() -> None:
    text = '{"type": "claim_route", "route": "r", "payment": {"red": 2, "ferry": 0}}'
    act = parse_body(Act, f'{{"id": "x", "version": 0, "action": {text}}}'.encode())
    assert act.action == ClaimRoute(RouteId("r"), {Card("red"): 2})


def test_the_other_messages() -> None:
    assert parse_message('{"type": "ping"}') == Ping()
    assert parse_message('{"type": "say", "id": "x", "text": "hello"}') == Say("x", "hello")


def test_what_may_be_left_out_has_its_default() -> None:
    assert parse_body(Join, b"") == Join(nonce="")
    assert parse_body(NewRoom, b'{"seats": 3}') == NewRoom(
        seats=3, nonce="", board="san-francisco", clock_seconds=None, public=False, spectators=True, planner=True
    )


WRONG: dict[str, str] = {
    '{"type": "draw_card"}': "slot: this field is missing.",
    '{"type": "draw_card", "slot": "0"}': "slot: must be a valid integer.",
    '{"type": "draw_card", "slot": 0.0}': "slot: must be a valid integer.",
    '{"type": "draw_card", "slot": true}': "slot: must be a valid integer.",
    '{"type": "draw_card", "slot": NaN}': "slot: must be a valid integer.",
    '{"type": "draw_card", "slot": null, "seat": 1}': "seat: there is no such field here.",
    '{"type": "keep_tickets", "tickets": "a"}': "tickets: must be a valid array.",
    '{"type": "keep_tickets", "tickets": [1]}': "tickets.0: must be a valid string.",
    '{"type": "claim_route", "route": "r", "payment": {"red": null}}': "payment.red: must be a valid integer.",
    '{"type": "claim_route", "route": "r", "payment": []}': "payment: must be an object.",
    '{"type": "claim_route", "route": 1, "payment": {}}': "route: must be a valid string.",
    '{"type": 7}': (
        "type: must be one of 'keep_tickets', 'place_token', 'draw_card', 'draw_tickets', 'claim_route', 'pass'."
    ),
    "{}": "type: this field is missing.",
    "[]": "must be an object.",
    "": "This is not JSON.",
    '{"type": "pass"} x': "This is not JSON.",
    '{"type": ' * 500: "This is not JSON.",
    '{"type": "keep_tickets", "tickets": ["\\ud800"]}': "This is not JSON.",
}


@pytest.mark.parametrize("text", WRONG, ids=lambda text: text[:40])
def test_what_is_wrong_is_said_in_a_sentence_that_names_the_field(text: str) -> None:
    with pytest.raises(WireError) as error:
        parse_action(text)
    assert str(error.value) == WRONG[text]


@pytest.mark.parametrize("version", ["-1", "1e3", "1000001", "9" * 4000, '"1"', "null", "1.5"])
def test_versions_are_bounded_whole_numbers(version: str) -> None:
    with pytest.raises(WireError, match=r"^version: "):
        parse_message(f'{{"type": "act", "id": "x", "version": {version}, "action": {{"type": "pass"}}}}')


@pytest.mark.parametrize("action_id", ["", " ", "a b", "é", "x" * 65, "\n", "\x00"])
def test_ids_are_short_and_plain(action_id: str) -> None:
    with pytest.raises(WireError, match=r"^id: "):
        parse_message(json.dumps({"type": "act", "id": action_id, "version": 0, "action": {"type": "pass"}}))


def test_a_message_that_is_too_long_is_not_read() -> None:
    with pytest.raises(WireError, match="at most 8192 bytes"):
        parse_message(json.dumps({"type": "say", "id": "x", "text": "x" * 9000}))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"id": "x"}', "x"),
        (r'{"id": "x", "text": "half a pair \ud83d"}', "x"),
        (r'{"id": "\ud83d"}', None),
        ('{"id": "x", "version": NaN}', None),
        ("[" * 8000, None),
        ('{"id": 7}', None),
        ("[]", None),
        ("{", None),
        ('{"id": "' + "x" * 65 + '"}', None),
    ],
)
def test_the_id_of_what_can_not_be_read(text: str, found: str | None) -> None:
    assert id_of(text) == found
