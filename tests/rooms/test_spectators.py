"""Spectators: listed by name, asked to sit down, counted at all processes, and kept out where the host wants none."""

import json
from typing import Any

import pytest

from app.rooms import Code, Listener, RefusedError, Room, audience, lobby
from app.store import PlayerRow, queries
from harness.live_rooms import House, Party, lobby_of, new_player


def watch(room: Room, player: PlayerRow) -> Listener:
    """Follow a room as this player."""
    return room.connect(player.id, player.name)


def watchers(room: Room) -> list[dict[str, Any]]:
    """Those whom the room lists."""
    listed: list[dict[str, Any]] = json.loads(room.audience.described)["watchers"]
    return listed


def told(room: Room) -> None:
    """Time has passed in which comings and goings are gathered."""
    room.audience._show_presence()


async def refusal(party: Party, by: PlayerRow, asked: PlayerRow) -> Code:
    """Why this one may not ask that one."""
    with pytest.raises(RefusedError) as refused:
        await party.house.rooms.invite(party.room, by, asked.id)
    return refused.value.code


async def test_spectators_with_a_name_are_listed_once_each(house: House) -> None:
    party = await lobby_of(house, 2, seats=3)
    bea, abe = await new_player(house, "Bea"), await new_player(house, "Abe")
    for player in (bea, bea, abe, party.people[0]):
        watch(party.room, player)
    party.room.connect(None)
    assert [watcher["name"] for watcher in watchers(party.room)] == ["Abe", "Bea"]
    assert json.loads(party.room.audience.described)["spectators"] == 4


async def test_who_is_asked_sits_down_and_is_no_longer_asked(house: House) -> None:
    party = await lobby_of(house, 1, seats=2)
    cal = await new_player(house, "Cal")
    listener = watch(party.room, cal)
    await house.rooms.invite(party.room, party.people[0], cal.id)
    assert watchers(party.room) == [{"player": cal.id, "name": "Cal", "asked": True}]
    assert (await house.rooms.join(party.room, cal, "")).seat == 1
    assert watchers(party.room) == []
    assert party.room.row.asked == ()
    assert listener.viewer == 1


async def test_only_the_host_asks_only_before_the_start_only_those_who_are_there(house: House) -> None:
    party = await lobby_of(house, 2, seats=3)
    host, guest = party.people
    cal, away = await new_player(house, "Cal"), await new_player(house, "Away")
    watch(party.room, cal)
    assert await refusal(party, guest, cal) is Code.NOT_HOST
    assert await refusal(party, host, away) is Code.BAD_REQUEST
    await party.room.change(lambda row: lobby.add_bot(row, host.id, "easy"))
    assert await refusal(party, host, cal) is Code.ROOM_FULL
    await house.rooms.start(party.room, host)
    assert await refusal(party, host, cal) is Code.ALREADY_STARTED


async def test_an_invitation_outlives_the_process_and_ends_with_the_start(house: House) -> None:
    party = await lobby_of(house, 2, seats=3)
    cal = await new_player(house, "Cal")
    watch(party.room, cal)
    await house.rooms.invite(party.room, party.people[0], cal.id)
    stored = await house.store.read(queries.find_room, party.room.code)
    assert stored is not None
    assert stored.asked == (cal.id,)
    await house.rooms.start(party.room, party.people[0])
    assert watchers(party.room) == [{"player": cal.id, "name": "Cal", "asked": False}]


async def test_of_many_who_are_asked_the_last_count(house: House) -> None:
    party = await lobby_of(house, 1, seats=2)
    crowd = [await new_player(house, f"Fan {number}") for number in range(lobby.MOST_ASKED + 1)]
    for player in crowd:
        watch(party.room, player)
        await house.rooms.invite(party.room, party.people[0], player.id)
    assert party.room.row.asked == tuple(player.id for player in crowd[1:])


async def test_spectators_of_another_process_are_counted_listed_and_can_be_asked(houses: list[House]) -> None:
    party = await lobby_of(houses[0], 1, seats=2)
    there = await houses[1].rooms.find(party.room.code)
    cal = await new_player(houses[0], "Cal")
    watch(there, cal)
    there.connect(None)
    told(there)
    described = json.loads(party.room.audience.described)
    assert described["spectators"] == 2
    assert described["watchers"] == [{"player": cal.id, "name": "Cal", "asked": False}]
    await houses[0].rooms.invite(party.room, party.people[0], cal.id)
    await there.close()
    assert watchers(there)[0]["asked"] is True


async def test_of_a_crowd_so_many_are_named_and_all_are_counted(
    houses: list[House], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither what a process tells the others nor what a page is told grows with the crowd."""
    monkeypatch.setattr(audience, "MOST_NAMED", 3)
    party = await lobby_of(houses[0], 1, seats=2)
    there = await houses[1].rooms.find(party.room.code)
    for room in (there, party.room):
        for name in ("Ann", "Ben", "Cal", "Dan", "Eve"):
            watch(room, await new_player(houses[0], name))
    assert len(audience.named(there.audience.listeners)) == 3
    told(there)
    assert len(watchers(party.room)) == 3
    assert json.loads(party.room.audience.described)["spectators"] == 10
