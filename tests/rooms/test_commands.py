"""What commands do to rooms that a server has open."""

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.rooms import Code, OutboxClosedError, RefusedError
from app.rules import Phase
from app.store import queries
from harness.live_rooms import House, game_of, lobby_of, next_text, waiting


async def test_a_game_ended_from_outside_is_shown_as_over_and_takes_no_more_moves(house: House) -> None:
    party = await game_of(house, 2)
    await party.play_until(lambda game: game.phase is Phase.TURN)
    watcher = party.room.connect(None)
    await waiting(watcher)
    now = datetime.now(UTC)
    await house.store.write(queries.change_room, party.room.code, lambda row: replace(row, status="over", ended_at=now))
    await house.rooms.notice_changes()
    shown = json.loads((await waiting(watcher))[-1])
    assert shown["room"]["status"] == shown["view"]["phase"] == "over"
    assert shown["view"]["to_act"] == []
    assert [line["seat"] for line in shown["view"]["scores"]] == [0, 1]
    with pytest.raises(RefusedError, match="ended by the host") as refused:
        await party.play_until(lambda _: False)
    assert refused.value.code is Code.ILLEGAL_ACTION
    assert (await house.rooms.record(party.room)).ended_at == now


async def test_a_room_removed_from_outside_sends_its_listeners_away(house: House) -> None:
    party, other = await game_of(house, 2), await lobby_of(house, 1)
    watcher = party.room.connect(None)
    await house.store.write(queries.delete_room, party.room.code)
    await house.rooms.notice_changes()
    with pytest.raises(OutboxClosedError, match="removed"):
        await next_text(watcher.outbox)
    with pytest.raises(RefusedError) as refused:
        await house.rooms.find(party.room.code)
    assert refused.value.code is Code.UNKNOWN_ROOM
    assert await house.rooms.find(other.room.code) is other.room


async def test_a_move_in_a_room_removed_just_now_is_refused(house: House) -> None:
    party = await game_of(house, 2)
    await house.store.write(queries.delete_room, party.room.code)
    with pytest.raises(RefusedError) as refused:
        await party.play_until(lambda _: False)
    assert refused.value.code is Code.UNKNOWN_ROOM


async def test_nobody_finds_a_room_that_is_known_to_be_removed(house: House) -> None:
    """Not even before the next look at all rooms, which forgets it."""
    party = await game_of(house, 2)
    await house.store.write(queries.delete_room, party.room.code)
    assert not await party.room.look_again()
    with pytest.raises(RefusedError) as refused:
        await house.rooms.find(party.room.code)
    assert refused.value.code is Code.UNKNOWN_ROOM
    await house.rooms.notice_changes()
    assert house.rooms.loaded() == []
