"""One-time links, on both databases."""

import asyncio

from app.store import PlayerRow, Store, devices, links, open_store
from app.store.devices import MOST_DEVICES, device_id
from harness.store_rows import NOW, later, player_of

ANN = PlayerRow("ann", "Ann")
SECRET, TOKEN = b"s" * 32, b"t" * 32


async def test_a_link_gives_one_more_token_of_the_same_player(store: Store) -> None:
    await store.write(links.add_link, "ann", SECRET, NOW, later(120))
    assert await store.read(links.find_link, SECRET, later(119)) == ANN
    assert await store.write(links.use_link, SECRET, TOKEN, later(119)) == ANN
    assert await player_of(store, TOKEN) == await player_of(store, b"a" * 32) == ANN


async def test_a_link_is_used_once_however_many_try_at_the_same_time(address: str, store: Store) -> None:
    await store.write(links.add_link, "ann", SECRET, NOW, later(120))
    async with open_store(address) as other:
        tries = [
            each.write(links.use_link, SECRET, bytes([n]) * 32, NOW) for n in range(1, 5) for each in (store, other)
        ]
        used = await asyncio.gather(*tries)
    assert sorted(used, key=str) == [None] * 7 + [ANN]
    assert await store.read(links.find_link, SECRET, NOW) is None


async def test_a_link_past_its_time_is_none(store: Store) -> None:
    await store.write(links.add_link, "ann", SECRET, NOW, later(120))
    assert await store.read(links.find_link, SECRET, later(120)) is None
    assert await store.write(links.use_link, SECRET, TOKEN, later(120)) is None
    assert await player_of(store, TOKEN) is None


async def test_a_new_link_takes_the_place_of_the_old_one_and_of_those_past_their_time(store: Store) -> None:
    await store.write(links.add_link, "ann", b"1" * 32, NOW, later(120))
    await store.write(links.add_link, "ben", b"2" * 32, later(1), later(121))
    assert await store.read(links.find_link, b"1" * 32, later(2)) == ANN
    await store.write(links.add_link, "ann", b"3" * 32, later(2), later(122))
    assert await store.read(links.find_link, b"1" * 32, later(2)) is None
    assert await store.read(links.find_link, b"2" * 32, later(2)) is not None
    await store.write(links.add_link, "ann", b"4" * 32, later(200), later(320))
    assert await store.read(links.find_link, b"2" * 32, later(2)) is None


async def test_nobody_has_an_unknown_link(store: Store) -> None:
    assert await store.read(links.find_link, SECRET, NOW) is None
    assert await store.write(links.use_link, SECRET, TOKEN, NOW) is None


async def test_a_device_too_many_signs_out_the_one_that_was_used_least_recently(store: Store) -> None:
    for number in range(MOST_DEVICES):
        await store.write(links.add_link, "ann", SECRET, later(number), later(10_000))
        await store.write(links.use_link, SECRET, bytes([number + 1]) * 32, later(number + 1))
    kept = await store.read_list(devices.devices_of, "ann", 2 * MOST_DEVICES)
    assert len(kept) == MOST_DEVICES
    assert kept[0].id == device_id(bytes([MOST_DEVICES]) * 32), "the new one is signed in"
    assert await player_of(store, b"a" * 32) is None, "the first one is signed out"
    assert await player_of(store, bytes([1]) * 32) == ANN
