"""Moves: in order, each number once, each action once, the end with the last."""

import asyncio
from dataclasses import replace
from datetime import UTC
from typing import get_args

import pytest

from app.store import Maker, MoveTakenError, RoomOverError, Store, StoreError, UnknownRoomError, open_store, queries
from app.store.rows import EntryKind
from harness.store_rows import CODE, END, move, room


async def append(store: Store, number: int, *, seat: int = 0, action_id: str | None = None) -> None:
    await store.append_move(CODE, move(number, seat=seat, action_id=action_id))


async def outcome(store: Store, number: int, *, seat: int = 0, action_id: str | None = None) -> str:
    try:
        await append(store, number, seat=seat, action_id=action_id)
    except StoreError as error:
        return type(error).__name__
    return "stored"


async def test_moves_come_back_in_order(store: Store) -> None:
    for number in (2, 10, 1, 9, 3):
        await append(store, number)
    assert await store.load_moves(CODE) == [move(number) for number in (1, 2, 3, 9, 10)]
    assert await store.load_moves(CODE, after=3) == [move(9), move(10)]
    assert all(each.at.tzinfo is UTC for each in await store.load_moves(CODE))


async def test_a_number_is_given_once(store: Store) -> None:
    await append(store, 1)
    with pytest.raises(MoveTakenError, match=CODE):
        await append(store, 1, seat=1, action_id="other")
    assert await store.load_moves(CODE) == [move(1)]


async def test_an_action_of_a_seat_is_stored_once(store: Store) -> None:
    await append(store, 1, action_id="same")
    with pytest.raises(MoveTakenError):
        await append(store, 2, action_id="same")
    await append(store, 2, seat=1, action_id="same")
    assert [each.number for each in await store.load_moves(CODE)] == [1, 2]


async def test_rooms_do_not_meddle(store: Store) -> None:
    await store.write(queries.create_room, room("OTHER000"))
    await append(store, 1)
    await store.append_move("OTHER000", move(1))
    assert await store.load_moves("OTHER000") == [move(1)]


async def test_a_move_without_a_room_is_refused_alone(store: Store) -> None:
    moves = [store.append_move(code, move(1)) for code in ("NOROOM00", CODE, "NOROOM01")]
    outcomes = await asyncio.gather(*moves, return_exceptions=True)
    assert [type(each) for each in outcomes] == [UnknownRoomError, type(None), UnknownRoomError]
    assert await store.load_moves(CODE) == [move(1)]


async def test_text_that_can_not_be_kept_is_refused_alone(store: Store) -> None:
    broken = replace(move(1, seat=1), action="\ud800")
    moves = [store.append_move(CODE, each) for each in (broken, move(2))]
    outcomes = await asyncio.gather(*moves, return_exceptions=True)
    assert [type(each) for each in outcomes] == [UnicodeEncodeError, type(None)]
    assert await store.load_moves(CODE) == [move(2)]


async def test_the_last_move_ends_the_room(store: Store) -> None:
    await append(store, 1)
    await store.append_move(CODE, move(2), END)
    assert await store.read(queries.find_room, CODE) == replace(room(), status="over", ended_at=move(2).at)


async def test_a_move_that_lost_its_race_ends_nothing(store: Store) -> None:
    await append(store, 1)
    with pytest.raises(MoveTakenError):
        await store.append_move(CODE, move(1, action_id="late"), END)
    assert await store.read(queries.find_room, CODE) == room()


async def test_of_many_for_one_number_one_wins(store: Store) -> None:
    outcomes = await asyncio.gather(*(outcome(store, 1, seat=seat, action_id="a") for seat in range(20)))
    assert sorted(outcomes) == ["MoveTakenError"] * 19 + ["stored"]
    assert [each.seat for each in await store.load_moves(CODE)] == [outcomes.index("stored")]


async def test_a_repetition_in_the_same_moment_wins_once(store: Store) -> None:
    outcomes = await asyncio.gather(*(outcome(store, number, action_id="same") for number in range(1, 21)))
    assert sorted(outcomes) == ["MoveTakenError"] * 19 + ["stored"]


async def test_a_loser_takes_nobody_along(store: Store) -> None:
    """Number 5 is free, but the first that wants it repeats an old action: the second gets it."""
    await append(store, 1, action_id="old")
    first, second = await asyncio.gather(outcome(store, 5, action_id="old"), outcome(store, 5, seat=1, action_id="new"))
    assert (first, second) == ("MoveTakenError", "stored")


async def test_of_two_that_have_the_database_open_one_wins_each_number(store: Store, address: str) -> None:
    async with open_store(address) as other:
        for number in range(1, 41):
            outcomes = await asyncio.gather(outcome(store, number, seat=0), outcome(other, number, seat=1))
            assert sorted(outcomes) == ["MoveTakenError", "stored"]
    assert [each.number for each in await store.load_moves(CODE)] == list(range(1, 41))


async def test_many_rooms_race_from_two_sides_without_a_deadlock(store: Store, address: str) -> None:
    codes = [f"ROOM{number:04}" for number in range(40)]
    for code in codes:
        await store.write(queries.create_room, room(code))

    async def race(side: Store, seat: int, number: int, code: str) -> bool:
        try:
            await side.append_move(code, move(number, seat=seat))
        except MoveTakenError:
            return False
        return True

    async with open_store(address) as other:
        for number in range(1, 6):
            forth = [race(store, 0, number, code) for code in codes]
            back = [race(other, 1, number, code) for code in reversed(codes)]
            won = await asyncio.gather(*forth, *back)
            assert sum(won) == len(codes)


async def end(store: Store, code: str = CODE) -> None:
    """As `fogline rooms end` does."""
    await store.write(queries.change_room, code, lambda row: replace(row, status="over", ended_at=move(1).at))


async def test_a_room_that_is_over_takes_no_move_and_its_neighbours_do(store: Store) -> None:
    await store.write(queries.create_room, room("OTHER000"))
    await append(store, 1)
    await end(store)
    sent = [store.append_move(code, move(2)) for code in (CODE, "OTHER000")]
    outcomes = await asyncio.gather(*sent, return_exceptions=True)
    assert [type(each) for each in outcomes] == [RoomOverError, type(None)]
    with pytest.raises(RoomOverError):
        await store.append_move(CODE, move(2), END)
    assert await store.load_moves(CODE) == [move(1)]
    assert await store.load_moves("OTHER000") == [move(2)]


async def test_of_a_batch_whose_last_move_ends_a_room_the_ended_one_is_left_out(store: Store) -> None:
    await store.write(queries.create_room, room("OTHER000"))
    await end(store)
    sent = store.append_move(CODE, move(1)), store.append_move("OTHER000", move(1), END)
    outcomes = await asyncio.gather(*sent, return_exceptions=True)
    assert [type(each) for each in outcomes] == [RoomOverError, type(None)]
    other = await store.read(queries.find_room, "OTHER000")
    assert other is not None
    assert other.status == "over"


async def play_without_end(store: Store, code: str, acknowledged: list[int], begun: asyncio.Event) -> None:
    for number in range(1, 1000):
        await store.append_move(code, move(number))
        acknowledged.append(number)
        begun.set()


async def test_what_is_stored_in_an_ended_room_was_acknowledged_before_its_end(store: Store, address: str) -> None:
    """Moves of one process and the end by another race without a pause: none is acknowledged after the end was told."""
    async with open_store(address) as other:
        for round_ in range(20):
            code = f"ROUND{round_:03}"
            await store.write(queries.create_room, room(code))
            acknowledged: list[int] = []
            begun = asyncio.Event()
            playing = asyncio.create_task(play_without_end(store, code, acknowledged, begun))
            await begun.wait()
            await end(other, code)
            stored = await other.load_moves(code)
            with pytest.raises(RoomOverError):
                await playing
            assert [each.number for each in stored] == acknowledged
            assert await other.load_moves(code) == stored


@pytest.mark.parametrize("kind", get_args(EntryKind))
@pytest.mark.parametrize("made_by", get_args(Maker))
async def test_an_entry_comes_back_as_what_it_is_and_by_whom(store: Store, kind: EntryKind, made_by: Maker) -> None:
    entry = replace(move(1), action="null", kind=kind, made_by=made_by)
    await store.append_move(CODE, entry)
    assert await store.load_moves(CODE) == [entry]
