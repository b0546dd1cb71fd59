"""Rooms that are visited, rooms that wait for anybody, and rooms nobody returns to, on both databases."""

import asyncio
from dataclasses import replace
from datetime import timedelta

from app.store import PlayerRow, SeatRow, Status, Store, UnknownRoomError, devices, open_store, queries, visits
from harness.store_rows import CODE, END, NOW, later, listed, move, room

DAY = timedelta(days=1)
FULL = (SeatRow(0, "ann", "Ann", None, ""), SeatRow(1, None, "Karl", "easy", ""))


async def make(
    store: Store, code: str, *, status: Status = "lobby", public: bool = False, days: int = 0, host: str = "ann"
) -> None:
    """A room made so many days after the first."""
    made = replace(room(code, host=host), status=status, options={"public": public}, created_at=NOW + days * DAY)
    await store.write(queries.create_room, made)


async def test_only_unfinished_rooms_that_nobody_came_to_are_removed_with_all_that_is_theirs(store: Store) -> None:
    await make(store, "PLAYING0", status="playing")
    await store.append_move("PLAYING0", move(1))
    await make(store, "OVER0000", status="over")
    await make(store, "VISITED0")
    await make(store, "NEW00000", days=20)
    await store.write(visits.note_visits, ["VISITED0"], NOW + 20 * DAY, NOW + 19 * DAY)
    removed = await store.write(visits.remove_abandoned, NOW + 20 * DAY, 10)
    assert sorted(removed) == [CODE, "PLAYING0"]
    left = {row.code for row in await listed(store)}
    assert left == {"OVER0000", "VISITED0", "NEW00000"}
    assert await store.load_moves("PLAYING0") == []
    assert await store.write(visits.remove_abandoned, NOW + 20 * DAY, 10) == []


async def test_a_batch_is_bounded_and_begins_with_those_longest_alone(store: Store) -> None:
    for day in (3, 1, 2):
        await make(store, f"DAY0000{day}", days=day)
    assert sorted(await store.write(visits.remove_abandoned, NOW + 30 * DAY, 2)) == [CODE, "DAY00001"]
    assert sorted(await store.write(visits.remove_abandoned, NOW + 30 * DAY, 2)) == ["DAY00002", "DAY00003"]


async def test_several_processes_remove_each_room_once(address: str, store: Store) -> None:
    for number in range(20):
        await make(store, f"OLD000{number:02}")
    async with open_store(address) as other:
        batches = await asyncio.gather(
            *(each.write(visits.remove_abandoned, NOW + DAY, 6) for _ in range(4) for each in (store, other))
        )
    removed = [code for batch in batches for code in batch]
    assert len(removed) == len(set(removed)) == 21
    assert await store.read(queries.newest_rooms) == []


async def test_a_finished_game_is_kept_though_its_visits_are_forgotten(store: Store) -> None:
    await make(store, "OVER0000", status="playing")
    await store.append_move("OVER0000", move(1), END)
    for _ in range(2):
        assert await store.write(visits.remove_abandoned, NOW + 99 * DAY, 10) in ([CODE], [])
    assert [row.code for row in await listed(store)] == ["OVER0000"]
    assert await store.load_moves("OVER0000") == [move(1)]
    await store.write(visits.note_visits, ["OVER0000"], NOW + 99 * DAY, NOW + 98 * DAY)
    assert await store.write(queries.delete_room, "OVER0000")


async def test_a_move_in_a_room_that_was_removed_finds_none(store: Store) -> None:
    await make(store, "PLAYING0", status="playing")
    await store.write(visits.remove_abandoned, NOW + DAY, 10)
    try:
        await store.append_move("PLAYING0", move(1))
    except UnknownRoomError:
        return
    raise AssertionError("the move was stored")


async def test_a_visit_is_written_down_again_only_after_a_while(store: Store) -> None:
    await store.write(visits.note_visits, [CODE], later(60), later(-60))
    assert await store.write(visits.remove_abandoned, later(1), 10) == [CODE]


async def test_more_rooms_than_a_statement_can_name(store: Store) -> None:
    """A statement has 65,535 parameters on PostgreSQL; a process may have more rooms."""
    await make(store, "ZZZZZZZZ")
    codes = [CODE, *(f"X{number:07}" for number in range(66_000)), "ZZZZZZZZ"]
    assert await store.read(queries.statuses, codes) == {CODE: "lobby", "ZZZZZZZZ": "lobby"}
    await store.write(visits.note_visits, codes, NOW + 20 * DAY, NOW + 19 * DAY)
    assert await store.write(visits.remove_abandoned, NOW + 20 * DAY, 10) == []
    await store.write(visits.note_waiting, codes, NOW)
    assert {row.code for row in await store.read_list(visits.waiting_rooms, NOW, NOW, 10)} == {CODE, "ZZZZZZZZ"}


async def test_rooms_that_wait_for_anybody_the_newest_first(store: Store) -> None:
    await make(store, "PRIVATE0")
    for day, code in enumerate(("OLDER000", "NEWER000")):
        await make(store, code, public=True, days=day)
    await make(store, "BEGUN000", status="playing", public=True)
    await store.write(queries.create_room, replace(room("FULL0000", seats=FULL), options={"public": True}))
    waiting = await store.read_list(visits.waiting_rooms, NOW, NOW + DAY, 10)
    assert [row.code for row in waiting] == ["NEWER000", "OLDER000"]
    assert waiting[0].seats == room().seats
    assert [row.code for row in await store.read_list(visits.waiting_rooms, NOW, NOW + DAY, 1)] == ["NEWER000"]


async def test_one_host_has_a_few_tables_in_the_list_and_the_others_come_between(store: Store) -> None:
    await store.write(devices.add_player, PlayerRow("cal", "Cal"), b"cal", NOW)
    await make(store, "CALS0000", public=True, host="cal")
    for day in range(1, 6):
        await make(store, f"ANNS000{day}", public=True, days=day)
    waiting = await store.read_list(visits.waiting_rooms, NOW, NOW + 9 * DAY, 30)
    assert [row.code for row in waiting] == ["ANNS0005", "CALS0000", "ANNS0004"]


async def test_players_made_at_one_network_have_a_few_tables_in_the_list(store: Store) -> None:
    for number in range(20):
        await store.write(devices.add_player, PlayerRow(f"eve{number}", "Eve"), b"%d" % number, NOW, origin=7)
        await make(store, f"EVES00{number:02}", public=True, days=number, host=f"eve{number}")
    await store.write(devices.add_player, PlayerRow("cal", "Cal"), b"cal", NOW, origin=8)
    await make(store, "CALS0000", public=True, host="cal")
    waiting = await store.read_list(visits.waiting_rooms, NOW, NOW + 30 * DAY, 30)
    oldest = [f"EVES00{number:02}" for number in reversed(range(6))]
    assert sorted(row.code for row in waiting) == sorted([*oldest, "CALS0000"])


async def test_a_host_who_has_left_waits_no_more(store: Store) -> None:
    await make(store, "PUBLIC00", public=True)
    assert await store.read_list(visits.waiting_rooms, later(90), later(180), 10) == []
    await store.write(visits.note_waiting, ["PUBLIC00"], later(100))
    assert [row.code for row in await store.read_list(visits.waiting_rooms, later(90), later(180), 10)] == ["PUBLIC00"]


async def test_after_a_restore_the_time_begins_anew(store: Store) -> None:
    await store.write(visits.renew_visits, NOW + 40 * DAY)
    assert await store.write(visits.remove_abandoned, NOW + 40 * DAY, 10) == []
    assert await store.write(visits.remove_abandoned, NOW + 41 * DAY, 10) == [CODE]


async def test_what_is_due_is_taken_once_the_longest_due_first(store: Store) -> None:
    for number, code in enumerate(("ONE00000", "TWO00000", "LATER000", "NEVER000")):
        await make(store, code, status="playing")
        if code != "NEVER000":
            await store.write(visits.put_off, [code], later(number))
    taken = [await store.write(visits.take_due, later(2), later(90), 1) for _ in range(3)]
    assert taken == [["ONE00000"], ["TWO00000"], []]
    assert await store.write(visits.take_due, later(91), later(180), 9) == ["LATER000", "ONE00000", "TWO00000"]
    await store.write(visits.put_off, ["ONE00000", "TWO00000"], None)
    assert await store.write(visits.take_due, later(999), later(999), 9) == ["LATER000"]


async def test_nothing_is_due_in_a_game_that_is_over(store: Store) -> None:
    await make(store, "OVER0000", status="playing")
    await store.write(visits.put_off, ["OVER0000"], NOW)
    await store.append_move("OVER0000", move(1), END)
    assert await store.write(visits.take_due, later(1), later(90), 1) == []
    await make(store, "PLAYING0", status="playing")
    await store.write(visits.put_off, ["PLAYING0"], NOW)
    assert await store.write(visits.take_due, later(1), later(90), 1) == ["PLAYING0"], "the other takes no place"


async def test_two_that_ask_at_once_take_each_game_once(store: Store, address: str) -> None:
    codes = [f"DUE{number:05}" for number in range(30)]
    for code in codes:
        await make(store, code, status="playing")
    await store.write(visits.put_off, codes, NOW)
    async with open_store(address) as other:
        asked = [side.write(visits.take_due, later(1), later(90), 5) for _ in range(6) for side in (store, other)]
        taken = [code for some in await asyncio.gather(*asked) for code in some]
    assert len(taken) == len(set(taken))
    taken += await store.write(visits.take_due, later(1), later(90), 30)
    assert sorted(taken) == codes
