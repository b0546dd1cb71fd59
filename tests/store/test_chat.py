"""Chat messages are kept in order, once each, and not for ever."""

import asyncio
from dataclasses import replace

import pytest

from app.store import MessageRow, Store, UnknownRoomError, open_store, queries, talk
from app.store.talk import KEPT
from harness.store_rows import CODE, NOW


def message(message_id: str, text: str = "Hello", *, player: str = "ann") -> MessageRow:
    return MessageRow("players", 0, player, player.title(), message_id, None, text, NOW)


async def test_messages_come_back_as_they_were_written(store: Store) -> None:
    said = [
        await store.write(talk.say, CODE, message(f"m{n}", text)) for n, text in enumerate(("שלום", "<b>&amp;", "🚋 Ü"))
    ]
    aside = await store.write(
        talk.say, CODE, replace(message("m9", player="ben"), talk="spectators", text=None, phrase="hello")
    )
    assert [each.number for each in said] == [1, 2, 3]
    assert await store.read_list(talk.load_messages, CODE, "players", 0, 50) == said
    assert await store.read_list(talk.load_messages, CODE, "players", 1, 1) == said[2:]
    assert await store.read_list(talk.load_messages, CODE, "spectators", 0, 50) == [replace(aside, number=1)]


async def test_a_message_is_stored_once_and_the_same_of_two_people_twice(store: Store) -> None:
    first = await store.write(talk.say, CODE, message("m1"))
    assert await store.write(talk.say, CODE, replace(message("m1", "Other words"), talk="spectators")) == first
    assert (await store.write(talk.say, CODE, message("m1", player="ben"))).number == 2


async def test_many_who_write_at_once_get_a_number_each(store: Store, address: str) -> None:
    async with open_store(address) as other:
        asked = [
            (store, other)[n % 2].write(talk.say, CODE, message(f"m{n // 2}", player=("ann", "ben")[n % 2]))
            for n in range(12)
        ]
        said = await asyncio.gather(*asked)
    assert sorted(each.number for each in said) == list(range(1, 13))


async def test_the_same_message_at_two_places_at_once_is_stored_once(store: Store, address: str) -> None:
    async with open_store(address) as other:
        said = await asyncio.gather(*(each.write(talk.say, CODE, message("m1")) for each in (store, other) * 3))
    assert {each.number for each in said} == {1}


async def test_old_messages_of_a_chat_are_deleted(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.store.talk.KEPT", 3)
    assert KEPT > 50
    await store.write(talk.say, CODE, replace(message("s1"), talk="spectators"))
    for number in range(5):
        await store.write(talk.say, CODE, message(f"m{number}"))
    assert [each.number for each in await store.read_list(talk.load_messages, CODE, "players", 0, 50)] == [3, 4, 5]
    assert len(await store.read_list(talk.load_messages, CODE, "spectators", 0, 50)) == 1


async def test_a_room_takes_its_talk_with_it(store: Store) -> None:
    await store.write(talk.say, CODE, message("m1"))
    assert await store.write(queries.delete_room, CODE)
    assert await store.read_list(talk.load_messages, CODE, "players", 0, 50) == []
    with pytest.raises(UnknownRoomError):
        await store.write(talk.say, CODE, message("m2"))
