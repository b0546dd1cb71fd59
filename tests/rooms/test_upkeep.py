"""Upkeep: stored visits, hosts who wait for others, and the removal of abandoned rooms."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, delete, update
from structlog.testing import capture_logs

from app.rooms import Code, OutboxClosedError, RefusedError, Room, Upkeep, lobby, open_tables, set_public, tables_of
from app.rooms import upkeep as upkeep_module
from app.rooms.listing import MOST_OFFERED
from app.rooms.upkeep import LEASE
from app.rules import Phase, score
from app.store import PlayerRow, StoreUnavailableError, queries, results, tables, visits
from app.wire import NewRoom
from harness.live_rooms import House, Party, game_of, lobby_of, new_player, next_text, open_house, waiting
from harness.queries import replace_query

DAY = timedelta(days=1)


class Clock:
    """The time, which only the test lets pass."""

    def __init__(self) -> None:
        self.now = datetime.now(UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def upkeep_of(house: House, clock: Clock, days: int = 30) -> Upkeep:
    return Upkeep(replace(house.context, now=clock), house.rooms, days)


async def public_table(house: House) -> tuple[Room, PlayerRow]:
    host = await new_player(house)
    return await house.rooms.find((await house.rooms.create(host, NewRoom(3, public=True))).code), host


async def is_there(house: House, code: str) -> bool:
    return await house.store.read(queries.find_room, code) is not None


async def test_a_room_nobody_returns_to_is_removed_and_its_page_told(house: House, clock: Clock) -> None:
    party, upkeep = await game_of(house, 2), upkeep_of(house, clock)
    asleep = party.room.connect(None)
    await waiting(asleep)
    clock.now += 30 * DAY - timedelta(minutes=1)
    await upkeep.remove_abandoned()
    assert await is_there(house, party.room.code)
    clock.now += timedelta(minutes=2)
    await upkeep.remove_abandoned()
    assert not await is_there(house, party.room.code)
    with pytest.raises(OutboxClosedError, match="removed"):
        await next_text(asleep.outbox)
    with pytest.raises(RefusedError) as refused:
        await house.rooms.find(party.room.code)
    assert refused.value.code is Code.UNKNOWN_ROOM


async def test_a_visit_begins_the_time_anew(house: House, clock: Clock) -> None:
    party, other, upkeep = await lobby_of(house, 1), await lobby_of(house, 1), upkeep_of(house, clock)
    clock.now += 20 * DAY
    upkeep.visit(party.room.code)
    await upkeep.close()
    clock.now += 20 * DAY
    await upkeep.remove_abandoned()
    assert await is_there(house, party.room.code)
    assert not await is_there(house, other.room.code)


async def test_a_page_that_stays_open_is_a_visit_for_as_long(house: House, clock: Clock) -> None:
    party, upkeep = await lobby_of(house, 1), upkeep_of(house, clock, days=2)
    party.room.connect(party.people[0].id)
    for _ in range(5):
        clock.now += DAY
        await upkeep.sweep()
    assert await is_there(house, party.room.code)


async def test_with_0_days_everything_stays(house: House, clock: Clock) -> None:
    party, upkeep = await lobby_of(house, 1), upkeep_of(house, clock, days=0)
    clock.now += 3650 * DAY
    await upkeep.remove_abandoned()
    assert await is_there(house, party.room.code)


async def test_more_rooms_than_a_batch_holds_all_go(house: House, clock: Clock) -> None:
    host = await new_player(house)
    codes = [(await house.rooms.create(host, NewRoom(2))).code for _ in range(45)]
    clock.now += 31 * DAY
    with capture_logs() as log:
        await upkeep_of(house, clock).remove_abandoned()
    assert await house.store.read(queries.statuses, codes) == {}
    [entry] = log
    assert (entry["event"], sorted(entry["rooms"])) == ("rooms_removed", sorted(codes))


async def test_a_table_is_offered_while_its_host_is_there(house: House, clock: Clock) -> None:
    (room, host), upkeep = await public_table(house), upkeep_of(house, clock)
    assert [table.code for table in await open_tables(upkeep._context)] == [room.code]
    clock.now += timedelta(minutes=2)
    assert await open_tables(upkeep._context) == []
    listener = room.connect(host.id)
    await upkeep.sweep()
    clock.now += timedelta(minutes=1)
    assert [table.code for table in await open_tables(upkeep._context)] == [room.code]
    room.disconnect(listener)
    room.connect(None)
    clock.now += timedelta(minutes=1)
    await upkeep.sweep()
    assert await open_tables(upkeep._context) == []


async def test_tables_that_were_taken_back_are_in_the_way_of_none(house: House, clock: Clock) -> None:
    (room, _), upkeep = await public_table(house), upkeep_of(house, clock)
    for _ in range(MOST_OFFERED):
        other, host = await public_table(house)
        await set_public(upkeep._context, other, host.id, public=False)
    assert [table.code for table in await open_tables(upkeep._context)] == [room.code]


async def test_a_table_is_offered_no_more_once_its_host_wants_it_so(house: House, clock: Clock) -> None:
    (room, host), upkeep = await public_table(house), upkeep_of(house, clock)
    await set_public(upkeep._context, room, host.id, public=False)
    assert await open_tables(upkeep._context) == []
    with pytest.raises(RefusedError) as refused:
        await set_public(upkeep._context, room, "somebody", public=True)
    assert refused.value.code is Code.NOT_HOST


async def test_while_the_database_is_away_visits_wait_for_it(
    house: House, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    party, upkeep = await lobby_of(house, 1), upkeep_of(house, clock)

    async def away(*_asked: object) -> None:
        raise StoreUnavailableError("away")

    with monkeypatch.context() as broken:
        replace_query(broken, visits.note_visits, away)
        clock.now += 20 * DAY
        upkeep.visit(party.room.code)
        await upkeep.note_visits()
    clock.now += 20 * DAY
    await upkeep.note_visits()
    await upkeep.remove_abandoned()
    assert await is_there(house, party.room.code)


async def test_what_a_clock_that_was_ahead_wrote_down_keeps_no_table_on_the_list(house: House, clock: Clock) -> None:
    (room, host), upkeep = await public_table(house), upkeep_of(house, clock)
    right = clock.now
    listener = room.connect(host.id)
    for ahead in (timedelta(hours=5), 60 * DAY):
        clock.now = right + ahead
        await upkeep.sweep()
        clock.now = right
        room.disconnect(listener)
        await upkeep.sweep()
        assert await open_tables(upkeep._context) == []
        listener = room.connect(host.id)
        await upkeep.sweep()
        assert [table.code for table in await open_tables(upkeep._context)] == [room.code]


async def test_a_visit_by_a_clock_that_was_ahead_does_not_hide_that_the_site_was_down(
    house: House, clock: Clock
) -> None:
    party, other = await lobby_of(house, 1), await lobby_of(house, 1)
    right = clock.now
    clock.now = right + 400 * DAY
    upkeep = upkeep_of(house, clock)
    upkeep.visit(party.room.code)
    await upkeep.close()
    clock.now = right + 40 * DAY
    await upkeep_of(house, clock).sweep()
    assert await is_there(house, other.room.code)


async def test_days_on_which_the_site_was_down_do_not_count(house: House, clock: Clock) -> None:
    party = await lobby_of(house, 1)
    clock.now += 40 * DAY
    upkeep = upkeep_of(house, clock)
    await upkeep.sweep()
    assert await is_there(house, party.room.code)
    await days_pass(upkeep, clock, 30)
    assert await is_there(house, party.room.code)
    await days_pass(upkeep, clock, 1)
    assert not await is_there(house, party.room.code)


async def test_BUG1016_a_clock_that_leaps_removes_nothing(house: House, clock: Clock) -> None:
    party, upkeep = await lobby_of(house, 1), upkeep_of(house, clock)
    await upkeep.sweep()
    for leap in (40 * DAY, -80 * DAY, 400 * DAY):
        clock.now += leap
        await upkeep.sweep()
        assert await is_there(house, party.room.code)


async def test_a_damaged_time_of_a_visit_stops_no_upkeep(house: House, clock: Clock) -> None:
    party, upkeep = await lobby_of(house, 1), upkeep_of(house, clock)

    def damage(connection: Connection) -> None:
        connection.exec_driver_sql("UPDATE visits SET at = '2026-10-10 at noon'")

    await house.store.write(damage)
    clock.now += 31 * DAY
    await upkeep.sweep()
    assert await is_there(house, party.room.code)
    assert await house.store.read(visits.last_visit) == clock.now


async def test_a_step_that_fails_keeps_no_other_from_being_done(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    party = await game_of(house, 2)
    await party.play_until(lambda _: False)
    await house.store.write(delete_results)

    async def fail() -> None:
        raise LookupError("nobody expects this")

    monkeypatch.setattr(house.rooms, "notice_changes", fail)
    await house.upkeep.sweep()
    assert await house.store.read(results.results_of, [party.room.code])


async def days_pass(upkeep: Upkeep, clock: Clock, number: int) -> None:
    """The site runs for so many days, and nobody comes."""
    for _ in range(number):
        clock.now += DAY
        await upkeep.sweep()


async def test_what_one_process_offers_and_removes_the_others_know(tmp_path: Path, clock: Clock) -> None:
    async with open_house(tmp_path) as one, open_house(tmp_path) as other:
        (room, host), there = await public_table(one), upkeep_of(other, clock)
        assert [table.code for table in await open_tables(there._context)] == [room.code]
        guest = await new_player(other)
        await other.rooms.join(await other.rooms.find(room.code), guest, "")
        assert [table.free for table in await open_tables(there._context)] == [1]
        asleep = room.connect(host.id)
        await waiting(asleep)
        clock.now += 31 * DAY
        await there.remove_abandoned()
        await one.rooms.notice_changes()
        with pytest.raises(OutboxClosedError, match="removed"):
            await next_text(asleep.outbox)


async def test_the_list_of_a_player_reads_results_and_loads_no_finished_game(house: House) -> None:
    party = await game_of(house, 2)
    await party.play_until(lambda _: False)
    house.upkeep.forget_idle(-1)
    [shown] = await tables_of(house.context, house.rooms, party.people[1].id)
    assert shown.result == score(party.game)[1]
    assert house.rooms.loaded() == []


@pytest.mark.parametrize("phase", [Phase.OVER, Phase.TURN])
async def test_results_of_older_games_and_of_ended_ones_are_worked_out(house: House, phase: Phase) -> None:
    party = await game_of(house, 2)
    await party.play_until(lambda game: game.phase is phase)
    await house.store.write(queries.change_room, party.room.code, lambda row: replace(row, **ended(house)))
    await house.store.write(delete_results)
    [unknown] = await tables_of(house.context, house.rooms, party.people[0].id)
    assert (unknown.status, unknown.result) == ("over", None)
    house.upkeep.forget_idle(-1)
    await house.upkeep.fill_results()
    [known] = await tables_of(house.context, house.rooms, party.people[0].id)
    assert known.result == score(party.game)[0]
    assert house.rooms.loaded() == []


def ended(house: House) -> dict[str, Any]:
    """What a command changes to end a game."""
    return {"status": "over", "ended_at": house.context.now()}


def delete_results(connection: Connection) -> None:
    """As if the game had been played by an older version."""
    connection.execute(delete(tables.results))


async def test_a_game_that_can_t_be_read_keeps_no_other_from_its_result(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep_module, "RESULTS_AT_ONCE", 1)
    parties = sorted([await game_of(house, 2) for _ in range(3)], key=lambda party: party.room.code)
    for party in parties:
        await party.play_until(lambda _: False)
    await house.store.write(delete_results)
    damaged = parties[0].room.code
    await house.store.write(damage_moves, damaged)
    for _ in range(4):
        await house.upkeep.fill_results()
    found = await house.store.read(results.results_of, [party.room.code for party in parties])
    assert found.keys() == {party.room.code for party in parties[1:]}


async def test_an_outage_keeps_no_game_from_its_result(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    party = await game_of(house, 2)
    await party.play_until(lambda _: False)
    await house.store.write(delete_results)

    async def away(*_: object) -> None:
        raise StoreUnavailableError("away")

    with monkeypatch.context() as broken:
        replace_query(broken, queries.find_room, away)
        replace_query(broken, results.add_results, away)
        with pytest.raises(StoreUnavailableError):
            await house.upkeep.fill_results()
    await house.upkeep.fill_results()
    assert await house.store.read(results.results_of, [party.room.code])


def damage_moves(connection: Connection, code: str) -> None:
    connection.execute(update(tables.moves).where(tables.moves.c.room == code).values(action="?"))


async def begin_with_bot(party: Party) -> None:
    await party.room.change(lambda row: lobby.add_bot(row, party.people[0].id, "easy"))
    await party.house.rooms.start(party.room, party.people[0])


async def test_games_of_a_process_that_is_gone_are_woken_by_another(tmp_path: Path) -> None:
    """What it has in memory, it puts off; what it leaves, it hands over at once, and what it lost, a lease later."""
    async with open_house(tmp_path, shared=True) as one, open_house(tmp_path, shared=True) as other:
        await one.bots.close()
        await other.bots.close()
        left, idle = [(await lobby_of(one, 1, seats=2)) for _ in range(2)]
        for party in (left, idle):
            await begin_with_bot(party)
        await one.upkeep.put_off_due()
        await other.upkeep.wake_at_start()
        assert other.rooms.loaded() == [], "they are looked after"
        one.rooms.forget(idle.room.code)
        await one.upkeep.put_off_due()
        clock = Clock()
        clock.now = other.context.now() + 2 * LEASE
        await upkeep_of(other, clock).wake()
        assert [room.code for room in other.rooms.loaded()] == [left.room.code]
