"""Results of finished games, on both databases."""

from dataclasses import replace

import pytest

from app.store import MoveTakenError, SeatRow, Store, queries, results
from harness.store_rows import CODE, END, later, move, room


async def over(store: Store, code: str, seconds: float = 0) -> None:
    """A game that a command, or an older version, has ended."""
    row = replace(room(code), status="over", ended_at=later(seconds))
    await store.write(queries.create_room, row)


async def without_result(store: Store, since: float | None = None, most: int = 9) -> list[str]:
    ended_since = None if since is None else later(since)
    return await store.read(results.rooms_without_result, ended_since, most)


async def test_the_last_move_brings_the_result(store: Store) -> None:
    await store.append_move(CODE, move(1))
    assert await store.read(results.results_of, [CODE]) == {}
    await store.append_move(CODE, move(2), END)
    assert await store.read(results.results_of, [CODE, "NOROOM00"]) == {CODE: END}
    assert await without_result(store) == []


async def test_a_last_move_that_lost_its_race_brings_none(store: Store) -> None:
    await store.append_move(CODE, move(1))
    with pytest.raises(MoveTakenError):
        await store.append_move(CODE, move(1, action_id="late"), END)
    assert await store.read(results.results_of, [CODE]) == {}


async def test_finished_games_without_a_result_are_found_and_get_one(store: Store) -> None:
    for seconds, code in enumerate(("OLD00000", "NEW00000")):
        await over(store, code, seconds)
    assert await without_result(store) == ["NEW00000", "OLD00000"]
    assert await without_result(store, most=1) == ["NEW00000"]
    assert await without_result(store, since=1) == ["NEW00000"]
    await store.write(results.add_results, {"NEW00000": END, "NOROOM00": END})
    assert await without_result(store) == ["OLD00000"]
    assert await store.read(results.results_of, ["NEW00000", "NOROOM00"]) == {"NEW00000": END}


async def test_a_result_that_is_there_stays(store: Store) -> None:
    await store.append_move(CODE, move(1), END)
    await store.write(results.add_results, {CODE: "another"})
    await store.write(results.add_results, {})
    assert await store.read(results.results_of, [CODE]) == {CODE: END}


async def test_a_room_goes_with_its_result(store: Store) -> None:
    await store.append_move(CODE, move(1), END)
    assert await store.write(queries.delete_room, CODE)
    assert await store.read(results.results_of, [CODE]) == {}


def test_the_owner_of_a_seat_is_not_its_driver() -> None:
    free, bot = SeatRow(0, None, "", None, ""), SeatRow(0, None, "Karl", "easy", "")
    person, stand_in = SeatRow(0, "ann", "Ann", None, ""), SeatRow(0, "ann", "Ann", "easy", "")
    assert [seat.is_free for seat in (free, bot, person, stand_in)] == [True, False, False, False]
    assert [seat.is_bots for seat in (free, bot, person, stand_in)] == [False, True, False, False]
