"""A process that has missed moves and changes of others, and reads them."""

import asyncio
import json
from collections.abc import Awaitable, Callable

import pytest

from app.news import News
from app.rooms import Room, lobby, tasks
from app.rooms.outbox import Update
from app.rooms.replica import State
from app.rules import DrawCard, Phase
from app.store import queries
from harness.live_rooms import House, Party, game_of, lobby_of
from harness.queries import replace_query


async def hear_of_misses(house: House, _room: Room, _party: Party) -> None:
    """The bus says that something may have been lost."""
    house.rooms._hear(_room.code, News.MISSED, "")
    await _room.close()


async def ask_for_the_seat(house: House, room: Room, party: Party) -> None:
    """Who has a seat is told which, at any time."""
    assert (await house.rooms.join(room, party.people[1], "")).seat == 1


async def look(house: House, _room: Room, _party: Party) -> None:
    """The look at all rooms."""
    await house.rooms.notice_changes()


@pytest.mark.parametrize("notice", [hear_of_misses, ask_for_the_seat, look])
async def test_a_game_that_ended_elsewhere_is_shown_over_by_its_end_only(
    deaf_houses: list[House], monkeypatch: pytest.MonkeyPatch, notice: Callable[[House, Room, Party], Awaitable[None]]
) -> None:
    """The row says sooner that it is over than the moves of which it has not heard."""
    party = await game_of(deaf_houses[0], 2)
    room = await deaf_houses[1].rooms.find(party.room.code)
    watcher = room.connect(None)
    room.audience.close()  # that somebody has come would be shown at a moment that depends on the machine
    await party.play_until(lambda _: False)
    shown: list[Update] = []
    monkeypatch.setattr("app.rooms.audience.Listener.show", lambda _, update: shown.append(update))
    await notice(deaf_houses[1], room, party)
    assert watcher in room.audience.listeners
    views = [json.loads(update.view) for update in shown]
    assert [view["version"] for view in views if view["phase"] == "over"] == [party.room.version]
    scores = (await deaf_houses[0].rooms.record(party.room)).scores
    assert (await deaf_houses[1].rooms.record(room)).scores == scores


async def test_what_was_missed_is_read_before_an_answer_that_rests_on_it(deaf_houses: list[House]) -> None:
    party = await game_of(deaf_houses[0], 2)
    await party.play_until(lambda game: game.phase is Phase.TURN)
    room = await deaf_houses[1].rooms.find(party.room.code)
    version = await party.act(party.game.to_act[0], DrawCard(None))
    room.hear(News.MISSED, "")
    assert room.replica.state is not State.CURRENT
    await room.close()
    assert room.version == version


async def test_after_an_outage_of_the_bus_rooms_are_read_a_few_at_a_time_and_once_each(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms = [(await lobby_of(house, 1)).room for _ in range(3 * tasks.AT_ONCE)]
    under_way: set[str] = set()
    read: list[str] = []

    async def watched(find_room: Callable[..., Awaitable[object]], code: str) -> object:
        read.append(code)
        under_way.add(code)
        assert len(under_way) <= tasks.AT_ONCE
        await asyncio.sleep(0)
        found = await find_room(code)
        under_way.remove(code)
        return found

    replace_query(monkeypatch, queries.find_room, watched)
    for room in 2 * rooms:
        room.hear(News.MISSED, "")
    for room in rooms:
        await room.close()
        assert room.replica.state is State.CURRENT
    assert sorted(read) == sorted(room.code for room in rooms)


async def test_a_room_whose_turn_did_not_come_is_read_the_next_time(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    late, *others = [(await lobby_of(house, 1)).room for _ in range(1 + tasks.AT_ONCE)]
    await house.store.write(queries.change_room, late.code, lambda row: lobby.set_public(row, row.host, public=True))
    may_go_on = asyncio.Event()

    async def waits(find_room: Callable[..., Awaitable[object]], code: str) -> object:
        await may_go_on.wait()
        return await find_room(code)

    monkeypatch.setattr(tasks, "TIMEOUT", 0.01)
    replace_query(monkeypatch, queries.find_room, waits)
    for room in (*others, late):
        room.hear(News.MISSED, "")
    async with asyncio.timeout(5):
        await late.close()
    may_go_on.set()
    assert late.replica.state is not State.CURRENT
    for room in others:
        await room.close()
    house.rooms.heal()
    await late.close()
    assert late.row.options["public"]
