"""The lobby: pure changes of a room's row."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.rooms import Code, RefusedError, lobby, parse_code
from app.rooms.codes import SIGNS, new_code
from app.rules.shuffle import all_nonces, mix_seed
from app.store import PlayerRow, RoomRow, SeatRow

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ANN, BOB, EVE, DAN, IDA = (PlayerRow(name.lower(), name) for name in ("Ann", "Bob", "Eve", "Dan", "Ida"))


def table(seats: int = 3) -> RoomRow:
    """A table that Ann made."""
    free = [SeatRow(number, None, "", None, "") for number in range(1, seats)]
    return RoomRow(
        code="CODE",
        status="lobby",
        host="ann",
        board="digest",
        board_id="san-francisco",
        options={},
        server_seed=bytes(32),
        seed=None,
        rules_version=1,
        created_at=NOW,
        derivation=2,
        seats=(SeatRow(0, "ann", "Ann", None, "a"), *free),
    )


@contextmanager
def refused(code: Code) -> Generator[None]:
    """Expect a refusal with this code."""
    with pytest.raises(RefusedError) as error:
        yield
    assert error.value.code is code


def test_people_sit_in_the_order_of_their_coming_and_each_once() -> None:
    room = lobby.join(lobby.join(table(), BOB, "b"), EVE, "e")
    assert [seat.player for seat in room.seats] == ["ann", "bob", "eve"]
    assert lobby.join(room, BOB, "other nonce") == room


def test_who_sits_may_still_give_the_first_nonce_until_the_start() -> None:
    room = lobby.join(table(), BOB, "")
    assert lobby.join(room, BOB, "") == room
    given = lobby.join(room, BOB, "b")
    assert [seat.nonce for seat in given.seats] == ["a", "b", ""]
    assert lobby.join(given, BOB, "other nonce") == given
    begun = lobby.start(room, "ann", NOW)
    assert lobby.join(begun, BOB, "late") == begun


def test_the_nonces_of_bots_follow_from_those_of_the_players_and_from_their_seats() -> None:
    room = lobby.add_bot(lobby.join(lobby.add_bot(table(4), "ann", "easy"), BOB, "b"), "ann", "easy")
    begun = lobby.start(room, "ann", NOW)
    nonces = [seat.nonce for seat in begun.seats]
    assert nonces == all_nonces(["a", None, "b", None], 2)
    assert len(set(nonces)) == 4
    assert begun.seed == mix_seed(bytes(32), nonces)
    other = lobby.start(replace(room, seats=(replace(room.seats[0], nonce="A"), *room.seats[1:])), "ann", NOW)
    assert other.seats[1].nonce != nonces[1]


def test_a_table_from_before_the_second_derivation_starts_by_the_first() -> None:
    begun = lobby.start(lobby.add_bot(replace(table(2), derivation=1), "ann", "easy"), "ann", NOW)
    assert [seat.nonce for seat in begun.seats] == ["a", ""]
    assert begun.seed == mix_seed(bytes(32), ["a", ""])


def test_BUG703_a_full_table_is_refused() -> None:
    room = lobby.join(table(2), BOB, "")
    with refused(Code.ROOM_FULL):
        lobby.join(room, EVE, "")
    with refused(Code.ROOM_FULL):
        lobby.add_bot(room, "ann", "easy")


def test_who_leaves_frees_the_seat_for_the_next() -> None:
    room = lobby.join(lobby.join(table(), BOB, ""), EVE, "")
    room = lobby.join(lobby.leave(room, "bob"), DAN, "")
    assert [seat.name for seat in room.seats] == ["Ann", "Dan", "Eve"]
    assert lobby.seat_of(room, "bob") is None
    with refused(Code.NOT_SEATED):
        lobby.leave(room, "bob")


def test_BUG1606_the_hosts_rights_pass_to_the_next_person() -> None:
    room = lobby.add_bot(table(4), "ann", "easy")
    room = lobby.join(lobby.join(room, BOB, ""), EVE, "")
    room = lobby.leave(room, "ann")
    assert (room.host, lobby.host_seat(room)) == ("bob", 2)
    with refused(Code.NOT_HOST):
        lobby.start(room, "ann", NOW)
    assert lobby.start(room, "bob", NOW).status == "playing"


def test_a_table_that_all_have_left_is_the_next_ones() -> None:
    room = lobby.leave(table(), "ann")
    assert lobby.host_seat(room) is None
    room = lobby.join(room, BOB, "")
    assert (room.host, lobby.host_seat(room)) == ("bob", 0)


def test_only_the_host_sends_away_adds_bots_and_starts() -> None:
    room = lobby.join(table(), BOB, "")
    with refused(Code.NOT_HOST):
        lobby.remove_seat(room, "bob", 0)
    with refused(Code.NOT_HOST):
        lobby.add_bot(room, "bob", "easy")
    for player in ("bob", "nobody"):
        with refused(Code.NOT_HOST):
            lobby.start(room, player, NOW)


def test_the_host_frees_any_seat() -> None:
    room = lobby.add_bot(lobby.join(table(), BOB, ""), "ann", "easy")
    assert [seat.name for seat in lobby.remove_seat(room, "ann", 2).seats] == ["Ann", "Bob", ""]
    assert lobby.remove_seat(room, "ann", 1).seats[1] == SeatRow(1, None, "", None, "")
    assert lobby.remove_seat(room, "ann", 0).host == "bob"
    assert lobby.remove_seat(table(), "ann", 2) == table()
    with refused(Code.BAD_REQUEST):
        lobby.remove_seat(room, "ann", 3)


def test_bots_have_different_names() -> None:
    room = table(4)
    for _ in range(3):
        room = lobby.add_bot(room, "ann", "easy")
    assert len({seat.name for seat in room.seats}) == 4


def test_one_alone_can_not_start() -> None:
    with pytest.raises(RefusedError, match="Two or more"):
        lobby.start(table(), "ann", NOW)


def test_the_start_closes_gaps_and_mixes_the_seed_in_the_order_of_the_seats() -> None:
    room = lobby.join(lobby.join(lobby.join(table(4), BOB, "b"), EVE, "e"), DAN, "d")
    room = lobby.start(lobby.leave(room, "bob"), "ann", NOW)
    assert [(seat.seat, seat.name) for seat in room.seats] == [(0, "Ann"), (1, "Eve"), (2, "Dan")]
    assert room.seed == mix_seed(bytes(32), ["a", "e", "d"])
    assert (room.status, room.started_at) == ("playing", NOW)


def test_BUG705_a_second_start_is_refused_by_name() -> None:
    room = lobby.start(lobby.join(table(), BOB, ""), "ann", NOW)
    with refused(Code.ALREADY_STARTED):
        lobby.start(room, "ann", NOW)


def test_after_the_start_nothing_changes_but_the_seated_may_join_again() -> None:
    room = lobby.start(lobby.join(table(), BOB, ""), "ann", NOW)
    assert lobby.join(room, BOB, "") == room
    with refused(Code.ALREADY_STARTED):
        lobby.join(room, EVE, "")
    with refused(Code.ALREADY_STARTED):
        lobby.leave(room, "bob")
    with refused(Code.ALREADY_STARTED):
        lobby.add_bot(room, "ann", "easy")
    with refused(Code.ALREADY_STARTED):
        lobby.remove_seat(room, "ann", 1)


def test_a_seat_is_a_players_and_not_its_numbers() -> None:
    """BUG1201, BUG1204: who left has nothing more to say for the one who came."""
    room = lobby.join(lobby.leave(lobby.join(table(2), BOB, ""), "bob"), EVE, "")
    assert (lobby.seat_of(room, "bob"), lobby.seat_of(room, "eve")) == (None, 1)
    assert lobby.seat_of(replace(room, seats=()), None) is None


def test_codes_are_read_as_people_write_them() -> None:
    assert parse_code("abcd-efgh") == "ABCDEFGH"
    assert parse_code(" oi1l 0OLI ") == "01110011"
    for wrong in ("", "ABCDEFG", "ABCDEFGHJ", "ABCDEFGU", "ABCDEFG!", "ß" * 8, "\x00" * 8):
        assert parse_code(wrong) is None


def test_new_codes_are_codes_and_differ() -> None:
    codes = [new_code() for _ in range(1000)]
    assert all(parse_code(code) == code and parse_code(code.lower()) == code for code in codes)
    assert len(set(codes)) == 1000
    assert set("".join(codes)) == set(SIGNS)
