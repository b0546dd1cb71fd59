"""The rematch: one next room, at however many processes and however many players ask at once."""

import asyncio
import json
from dataclasses import replace

import pytest

from app.rooms import Code, RefusedError, lobby
from app.store import RoomRow, queries
from harness.live_rooms import House, Party, lobby_of, new_player, waiting


async def finished(house: House, people: int, *, bots: int = 0, seats: int | None = None) -> Party:
    """A game that the host of the site has ended, which is an end like any other."""
    party = await lobby_of(house, people, seats or people + bots)
    for _ in range(bots):
        await party.room.change(lambda row: lobby.add_bot(row, party.people[0].id, "easy"))
    await house.rooms.start(party.room, party.people[0])
    await party.room.change(lambda row: replace(row, status="over", ended_at=row.started_at))
    return party


async def ask(party: Party, person: int, house: House | None = None) -> str:
    """Ask for another game, at this process or another."""
    house = house or party.house
    return (await house.rooms.rematch(await house.rooms.find(party.room.code), party.people[person])).code


async def next_row(party: Party) -> RoomRow:
    """The room of the next game, as it is stored."""
    old = await party.house.store.read(queries.find_room, party.room.code)
    assert old is not None
    assert old.next is not None
    found = await party.house.store.read(queries.find_room, old.next)
    assert found is not None
    return found


async def test_the_first_who_asks_is_host_and_all_have_their_old_seats(house: House) -> None:
    party = await finished(house, 3, seats=4)
    assert len({await ask(party, person) for person in (2, 0, 1, 0, 2)}) == 1
    row = await next_row(party)
    assert row.status == "lobby"
    assert [seat.player for seat in row.seats] == [*(person.id for person in party.people), None]
    assert row.host == party.people[2].id
    for field in ("board", "board_id", "options"):
        assert getattr(row, field) == getattr(party.room.row, field)
    assert row.server_seed != party.room.row.server_seed


async def test_one_with_three_bots_can_begin_again_at_once(house: House) -> None:
    party = await finished(house, 1, bots=3)
    room = await house.rooms.find(await ask(party, 0))
    assert [seat.driver for seat in room.row.seats] == [None, "easy", "easy", "easy"]
    await house.rooms.start(room, party.people[0])
    assert room.game is not None


async def test_everybody_who_follows_is_shown_where_it_goes_on(house: House) -> None:
    party = await finished(house, 2)
    player, spectator = party.room.connect(party.people[1].id), party.room.connect(None)
    await waiting(player)
    await waiting(spectator)
    code = await ask(party, 0)
    for listener in (player, spectator):
        assert json.loads((await waiting(listener))[-1])["room"]["next"] == code


async def test_those_of_another_process_are_shown_it_too(houses: list[House]) -> None:
    party = await finished(houses[0], 2)
    there = await houses[1].rooms.find(party.room.code)
    spectator = there.connect(None)
    code = await ask(party, 0)
    await there.close()
    assert json.loads((await waiting(spectator))[-1])["room"]["next"] == code


async def test_of_many_who_ask_at_once_at_two_processes_all_come_to_one_room(houses: list[House]) -> None:
    party = await finished(houses[0], 4)
    asked = [ask(party, person, houses[turn % 2]) for turn, person in enumerate((0, 1, 2, 3, 0, 1))]
    codes = set(await asyncio.gather(*asked))
    assert len(codes) == 1
    assert len(await houses[0].store.read(queries.newest_rooms, "lobby")) == 1
    assert {seat.player for seat in (await next_row(party)).seats} == {person.id for person in party.people}


async def test_whose_seat_is_taken_gets_another_and_the_last_may_watch(house: House) -> None:
    party = await finished(house, 2)
    room = await house.rooms.find(await ask(party, 0))
    await house.rooms.join(room, await new_player(house, "Stranger"), "")
    assert await ask(party, 1) == room.code
    assert lobby.seat_of(room.row, party.people[1].id) is None


async def test_who_left_the_next_lobby_sits_down_again_by_asking(house: House) -> None:
    party = await finished(house, 2)
    await ask(party, 0)
    room = await house.rooms.find(await ask(party, 1))
    await room.change(lambda row: lobby.leave(row, party.people[1].id))
    assert await ask(party, 1) == room.code
    assert lobby.seat_of(room.row, party.people[1].id) == 1


async def test_a_next_room_that_was_removed_is_made_anew(house: House) -> None:
    party = await finished(house, 2)
    first = await ask(party, 0)
    await house.store.write(queries.delete_room, first)
    await house.rooms.notice_changes()
    second = await ask(party, 0)
    assert second != first
    assert await house.store.read(queries.find_room, second) is not None


async def test_before_the_end_and_for_those_who_did_not_play_there_is_none(house: House) -> None:
    party = await lobby_of(house, 2)
    stranger = await new_player(house, "Stranger")
    for player, code in ((party.people[0], Code.NOT_STARTED), (stranger, Code.NOT_SEATED)):
        with pytest.raises(RefusedError) as refused:
            await house.rooms.rematch(party.room, player)
        assert refused.value.code is code
    assert party.room.row.next is None
