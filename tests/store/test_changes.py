"""Changing a room is reading, deciding and writing in one transaction."""

import asyncio
from dataclasses import replace

import pytest

from app.store import RoomRow, SeatRow, Store, open_store, queries
from harness.store_rows import CODE, later, room


def take_seat(number: int) -> SeatRow:
    return SeatRow(number, "ben", "Ben", None, f"n{number}")


async def test_what_changed_is_written_and_the_rest_stays(store: Store) -> None:
    def start(before: RoomRow) -> RoomRow:
        return replace(before, status="playing", seed=b"s" * 32, started_at=later(1), options={"seats": 2})

    after = await store.write(queries.change_room, CODE, start)
    assert after == start(room())
    assert await store.read(queries.find_room, CODE) == after


@pytest.mark.parametrize(
    "seats",
    [
        (),
        (take_seat(0),),
        (take_seat(0), take_seat(1)),
        (take_seat(0), take_seat(1), take_seat(2), take_seat(3)),
        (SeatRow(0, None, "", None, ""), SeatRow(1, "ann", "Ann", None, "nonce")),
    ],
)
async def test_seats_may_come_go_and_swap(store: Store, seats: tuple[SeatRow, ...]) -> None:
    await store.write(queries.change_room, CODE, lambda before: replace(before, seats=seats))
    assert await store.read(queries.find_room, CODE) == replace(room(), seats=seats)


async def test_an_unknown_room_is_not_changed(store: Store) -> None:
    assert await store.write(queries.change_room, "NOROOM00", lambda before: before) is None


async def test_what_the_change_raises_goes_through_and_nothing_is_written(store: Store) -> None:
    def refuse(before: RoomRow) -> RoomRow:
        raise LookupError("full")

    with pytest.raises(LookupError, match="full"):
        await store.write(queries.change_room, CODE, refuse)
    assert await store.read(queries.find_room, CODE) == room()
    assert await store.write(queries.change_room, CODE, lambda before: before) == room()


async def test_a_change_that_the_database_refuses_leaves_nothing(store: Store) -> None:
    stranger = SeatRow(2, "nobody", "?", None, "")
    with pytest.raises(Exception, match=r"(?i)foreign key"):
        await store.write(
            queries.change_room, CODE, lambda before: replace(before, status="over", seats=(*before.seats, stranger))
        )
    assert await store.read(queries.find_room, CODE) == room()


def count(before: RoomRow) -> RoomRow:
    return replace(before, options={"count": before.options.get("count", 0) + 1})


async def test_none_of_40_changes_at_once_is_lost(store: Store) -> None:
    await asyncio.gather(*(store.write(queries.change_room, CODE, count) for _ in range(40)))
    found = await store.read(queries.find_room, CODE)
    assert found is not None
    assert found.options == {"count": 40}


async def test_none_is_lost_between_two_that_have_the_database_open(store: Store, address: str) -> None:
    async with open_store(address) as other:
        await asyncio.gather(
            *(each.write(queries.change_room, CODE, count) for _ in range(25) for each in (store, other))
        )
    found = await store.read(queries.find_room, CODE)
    assert found is not None
    assert found.options == {"count": 50}
