"""Devices, their tokens, and the removal of those that nobody uses any more, on both databases."""

import asyncio
from dataclasses import replace

from sqlalchemy import Connection, inspect

from app.store import Agent, PlayerRow, Store, devices, links, open_store, queries
from app.store.address import parse_address
from app.store.devices import device_id
from app.store.engine import make_engine
from app.store.players import NEEDS
from app.store.store import transact
from harness.store_rows import CODE, NOW, later, player_of, room

ANN, BEN = PlayerRow("ann", "Ann"), PlayerRow("ben", "Ben")
FIRST, SECOND, THIRD = b"a" * 32, b"2" * 32, b"3" * 32
PHONE = Agent("Firefox", "Android")
DAY = 24 * 3600.0


async def further_device(store: Store, token_hash: bytes, player: str = "ann") -> None:
    await store.write(links.add_link, player, token_hash, NOW, later(120))
    await store.write(links.use_link, token_hash, token_hash, later(1), PHONE)


async def ids_of(store: Store, player: str = "ann") -> set[str]:
    return {device.id for device in await store.read_list(devices.devices_of, player, 100)}


async def test_a_player_s_devices_are_known_by_kind_and_times(store: Store) -> None:
    await further_device(store, SECOND)
    await store.write(devices.note_use, device_id(SECOND), later(7200), replace(PHONE, browser="Chrome"))
    phone, first = await store.read_list(devices.devices_of, "ann", 100)
    assert (phone.created_at, phone.used_at, phone.agent) == (later(1), later(7200), Agent("Chrome", "Android"))
    assert (first.created_at, first.used_at, first.agent) == (NOW, NOW, Agent())
    assert await store.read_list(devices.devices_of, "ann", 1) == [phone]


async def test_another_name_replaces_the_token_once_the_new_one_is_used(store: Store) -> None:
    assert await store.write(devices.rename_player, "ann", "Anna", FIRST, SECOND)
    anna = PlayerRow("ann", "Anna")
    assert await player_of(store, FIRST) == await player_of(store, SECOND) == anna
    assert [room.seats[0].name for room in await store.read_list(queries.rooms_of, "ann", ["lobby"], 9)] == ["Ann"]
    await store.write(devices.begin_token, SECOND, later(10), later(70))
    assert await player_of(store, FIRST, later(69)) == anna
    assert await player_of(store, FIRST, later(70)) is None
    assert await player_of(store, SECOND, later(70)) == anna
    assert await ids_of(store) == {device_id(FIRST)}


async def test_a_lost_answer_to_another_name_loses_nothing(store: Store) -> None:
    for name in ("Anna", "Annie", "Anja"):
        assert await store.write(devices.rename_player, "ann", name, FIRST, SECOND)
    assert await player_of(store, FIRST, later(400 * DAY)) == PlayerRow("ann", "Anja")
    await store.write(devices.begin_token, SECOND, later(10), later(10))
    assert await player_of(store, FIRST, later(10)) is None


async def test_replaced_tokens_don_t_pile_up(store: Store, address: str) -> None:
    current = FIRST
    for number in range(30):
        following = bytes([number]) * 32
        assert await store.write(devices.rename_player, "ann", f"Ann {number}", current, following)
        await store.write(devices.begin_token, following, later(number), later(number))
        current = following
    engine = make_engine(parse_address(address))
    count = await transact(engine, lambda connection: len(connection.exec_driver_sql("SELECT * FROM tokens").all()))
    await engine.dispose()
    assert count == 2  # Ann's and Ben's


async def test_who_was_signed_out_can_t_take_another_name(store: Store) -> None:
    await further_device(store, SECOND)
    assert await store.write(devices.remove_device, "ann", device_id(FIRST), device_id(SECOND))
    assert not await store.write(devices.rename_player, "ann", "Anna", SECOND, THIRD)
    assert await player_of(store, FIRST) == ANN
    assert await player_of(store, THIRD) is None


async def test_one_device_or_all_others_are_signed_out_with_their_links(store: Store) -> None:
    await further_device(store, SECOND)
    await further_device(store, THIRD)
    await store.write(links.add_link, "ann", b"l" * 32, NOW, later(120))
    assert await store.write(devices.remove_device, "ann", device_id(FIRST), device_id(SECOND))
    assert await store.read(links.find_link, b"l" * 32, NOW) is None
    assert await ids_of(store) == {device_id(FIRST), device_id(THIRD)}
    assert await store.write(devices.remove_device, "ann", device_id(FIRST), device_id(SECOND)) is False
    await store.write(links.add_link, "ann", b"l" * 32, NOW, later(120))
    assert await store.write(devices.remove_other_devices, "ann", device_id(FIRST))
    assert await store.read(links.find_link, b"l" * 32, NOW) is None
    assert await ids_of(store) == {device_id(FIRST)}
    assert await player_of(store, FIRST) == ANN
    assert [await player_of(store, token) for token in (SECOND, THIRD)] == [None, None]


async def test_nobody_signs_out_the_device_of_another_player(store: Store) -> None:
    assert await store.write(devices.remove_device, "ann", device_id(FIRST), device_id(b"b" * 32)) is False
    assert await player_of(store, b"b" * 32) == BEN


async def test_two_devices_that_sign_each_other_out_leave_one(address: str, store: Store) -> None:
    async with open_store(address) as other:
        for number in range(5):
            token = bytes([100 + number]) * 32
            await further_device(store, token)
            first, *_ = kept = sorted(await ids_of(store))
            second = kept[-1]
            results = await asyncio.gather(
                store.write(devices.remove_other_devices, "ann", first),
                other.write(devices.remove_other_devices, "ann", second),
            )
            assert sorted(results, key=str) == [None, True]
            assert len(await ids_of(store)) == 1


async def test_devices_that_nobody_uses_are_removed_in_portions(store: Store) -> None:
    for number in range(5):
        await store.write(devices.add_player, PlayerRow(f"p{number}", "P"), bytes([number]) * 32, later(number))
    removed: list[str] = []
    while batch := await store.write(devices.remove_unused, later(4), 2):
        assert len(batch) <= 2
        removed += batch
    # Ann sits at a table that is not over
    assert sorted(removed) == sorted(map(device_id, [b"b" * 32, *(bytes([number]) * 32 for number in range(4))]))
    assert await player_of(store, FIRST) == ANN
    assert await player_of(store, bytes([4]) * 32) is not None


async def test_a_player_of_a_finished_game_stays_in_it_by_name(store: Store) -> None:
    await store.write(queries.change_room, CODE, lambda row: replace(row, status="over", ended_at=NOW))
    assert sorted(await store.write(devices.remove_unused, later(1), 10)) == sorted(map(device_id, [FIRST, b"b" * 32]))
    assert await player_of(store, FIRST) is None
    found = await store.read(queries.find_room, CODE)
    assert found is not None
    assert found.seats[0].player == "ann"
    assert await people(store) == {"ann"}
    await store.write(queries.delete_room, CODE)
    assert await people(store) == set()


async def test_who_goes_on_somewhere_else_outlives_the_room(store: Store) -> None:
    await store.write(queries.create_room, room("OTHER123"))
    await store.write(queries.delete_room, CODE)
    assert await people(store) == {"ann", "ben"}


async def test_presence_is_written_down_where_it_was_not_lately(store: Store) -> None:
    await store.write(devices.note_presence, [device_id(FIRST)], later(60), NOW)
    assert (await store.read_list(devices.devices_of, "ann", 1))[0].used_at == NOW
    await store.write(devices.note_presence, [device_id(FIRST), "none"], later(7200), later(3600))
    assert (
        (await store.read_list(devices.devices_of, "ann", 1))[0].used_at
        == await store.read(devices.last_use)
        == later(7200)
    )


async def test_devices_that_are_known(store: Store) -> None:
    assert await store.read(devices.known_devices, [device_id(FIRST), "none"]) == {device_id(FIRST)}
    assert await store.read(devices.known_devices, []) == set()


async def test_the_installation_is_the_same_whoever_asks(address: str, store: Store) -> None:
    async with open_store(address) as other:
        assert await other.read(devices.find_installation) == await store.read(devices.find_installation)
        await other.write(devices.count_from, later(5))
    assert (await store.read(devices.find_installation)).counted_from == later(5)


async def test_every_column_that_names_a_player_has_an_index(address: str, store: Store) -> None:
    """Without one, whoever removes a player would read whole tables."""

    def indexed(connection: Connection) -> set[tuple[str, str]]:
        named = inspect(connection)
        return {
            (column.table.name, str(index["column_names"][0]))
            for column in NEEDS
            for index in named.get_indexes(column.table.name)
        }

    engine = make_engine(parse_address(address))
    found = await transact(engine, indexed)
    await engine.dispose()
    assert {(column.table.name, column.name) for column in NEEDS} <= found


async def people(store: Store) -> set[str]:
    """The players there are."""
    engine = store._engine
    rows = await transact(engine, lambda connection: connection.exec_driver_sql("SELECT id FROM players").all())
    return {str(each[0]) for each in rows}
