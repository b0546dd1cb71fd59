"""Players, boards and rooms come back as they were put in, on both databases."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from app.store import CodeTakenError, PlayerRow, SeatRow, Status, Store, devices, queries
from harness.store_rows import CODE, NOW, later, player_of, room

NAMES = ["Zoë", "李小龍", "👩‍👩‍👧", "o'Neil\"; DROP TABLE players;--", "a\\b%s%(x)s", "\u200f\u202eabc"]

HOUR = timedelta(hours=1)

ROOMS: dict[str, Status] = {"LOBBY000": "lobby", "PLAYING0": "playing", "OVER0000": "over"}


@pytest.mark.parametrize("name", NAMES)
async def test_a_player_is_found_by_the_hash_of_the_token(store: Store, name: str) -> None:
    await store.write(devices.add_player, PlayerRow("zoe", name), b"\x00\xff" * 16, NOW)
    assert await player_of(store, b"\x00\xff" * 16) == PlayerRow("zoe", name)


async def test_nobody_has_an_unknown_token(store: Store) -> None:
    assert await player_of(store, b"?" * 32) is None


async def test_a_board_is_kept_once(store: Store) -> None:
    await store.write(queries.add_board, "d1", '{"name": "Übung"}')
    await store.write(queries.add_board, "d1", '{"name": "Übung"}')
    assert await store.read(queries.find_board, "d1") == '{"name": "Übung"}'
    assert await store.read(queries.find_board, "d2") is None


async def test_a_room_comes_back_as_it_was(store: Store) -> None:
    seats = (
        SeatRow(0, "ann", "Ann ✿", None, "n0"),
        SeatRow(1, None, "Bot", "easy", "n1"),
        SeatRow(2, "ben", "Ben", None, "n2", guardian="ann"),
        SeatRow(3, None, "", None, ""),
    )
    full = replace(
        room("FULL0000", seats=seats),
        status="over",
        options={"deep": {"list": [1, None, "ü\u0000\ud800"]}},
        seed=b"\x00" * 32,
        started_at=later(1),
        ended_at=later(2.000001),
    )
    await store.write(queries.create_room, full)
    assert await store.read(queries.find_room, "FULL0000") == full


async def test_an_unknown_room_is_none(store: Store) -> None:
    assert await store.read(queries.find_room, "NOROOM00") is None
    assert await store.load_moves("NOROOM00") == []


async def test_a_code_is_given_once_and_the_first_room_stays(store: Store) -> None:
    with pytest.raises(CodeTakenError, match=CODE):
        await store.write(queries.create_room, replace(room(host="ben"), seats=(SeatRow(0, "ben", "Ben", None, ""),)))
    assert await store.read(queries.find_room, CODE) == room()


async def test_times_of_any_zone_come_back_in_utc_to_the_microsecond(store: Store) -> None:
    lord_howe = timezone(timedelta(hours=10, minutes=30))
    moment = datetime(2026, 4, 5, 1, 59, 59, 999999, tzinfo=lord_howe)
    await store.write(queries.create_room, replace(room("ZONE0000"), created_at=moment))
    found = await store.read(queries.find_room, "ZONE0000")
    assert found is not None
    assert found.created_at == moment
    assert found.created_at.tzinfo is UTC


async def test_a_time_without_a_zone_is_refused(store: Store) -> None:
    with pytest.raises(Exception, match="no time zone"):
        await store.write(queries.create_room, replace(room("NAIVE000"), created_at=datetime(2026, 1, 1)))  # noqa: DTZ001
    assert await store.read(queries.find_room, "NAIVE000") is None


async def test_a_players_rooms_the_newest_first(store: Store) -> None:
    ben = (SeatRow(0, "ann", "Ann", None, ""), SeatRow(1, "ben", "Ben", None, ""))
    for code, seconds in ("OLD00000", -1), ("NEW00000", 1), ("MID00000", 0):
        await store.write(queries.create_room, replace(room(code, seats=ben), created_at=later(seconds)))
    found = await store.read_list(queries.rooms_of, "ben", ["lobby", "playing"], 9)
    assert [room.code for room in found] == ["NEW00000", "MID00000", "OLD00000"]
    assert all(room.seats == ben for room in found)
    assert len(await store.read_list(queries.rooms_of, "ann", ["lobby"], 9)) == 4
    assert [room.code for room in await store.read_list(queries.rooms_of, "ben", ["lobby"], 1)] == ["NEW00000"]
    assert (
        await store.read_list(queries.rooms_of, "ben", ["over"], 9)
        == await store.read_list(queries.rooms_of, "nobody", ["lobby"], 9)
        == []
    )


async def test_a_database_that_is_there_answers(store: Store) -> None:
    await store.ping()
