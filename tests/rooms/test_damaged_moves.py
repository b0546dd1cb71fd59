"""Moves that are in the database otherwise than they were stored: the game is refused, and every loop ends."""

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
import structlog
from structlog.testing import capture_logs

from app.rooms import Code, RefusedError
from app.rooms.replica import State
from app.rules import DrawTickets, legal_actions
from app.store import damage as damage_reports
from harness.live_rooms import House, Party, game_of, house_on

PATIENCE = 20
"""Seconds in which what must end has ended, also on a busy machine."""

COPY_LAST = """
INSERT INTO moves SELECT room, {number}, seat, action, 'copied', at, kind, made_by FROM moves
ORDER BY number DESC LIMIT 1
"""

DAMAGE = {
    "a round is missing": "DELETE FROM moves WHERE number BETWEEN 5 AND 8",
    "the first is missing": "DELETE FROM moves WHERE number = 1",
    "a number is out of order": "UPDATE moves SET number = 1000 WHERE number = 5",
    "the first is before all others": "UPDATE moves SET number = -7 WHERE number = 1",
    "one before the first": COPY_LAST.format(number=0),
    "one long before the first": COPY_LAST.format(number=-3),
    "a seat that is not there": "UPDATE moves SET seat = 7 WHERE number = 5",
    "a seat below the first": "UPDATE moves SET seat = -1 WHERE number = 5",
    "a seat that is no number": "UPDATE moves SET seat = 'red' WHERE number = 5",
    "a number that is none": "UPDATE moves SET number = 5.5 WHERE number = 5",
    "an action that is cut off": "UPDATE moves SET action = substr(action, 1, 9) WHERE number = 5",
    "an action of another kind": """UPDATE moves SET action = '{"type": "resign"}' WHERE number = 5""",
    "an action that was not legal": """UPDATE moves SET action = '{"type": "pass"}' WHERE number = 5""",
    "an action of bytes": "UPDATE moves SET action = x'ff00ff' WHERE number = 5",
    "an action of damaged text": "UPDATE moves SET action = CAST(x'ff00ff' AS TEXT) WHERE number = 5",
    "an action that goes too deep": "UPDATE moves SET action = replace(hex(zeroblob(9000)), '0', '[') WHERE number = 5",
    "a time that is none": "UPDATE moves SET at = 'yesterday' WHERE number = 5",
}


def damage(folder: Path, statement: str, values: Sequence[object] = ()) -> None:
    """As something else than Fogline does it."""
    with closing(sqlite3.connect(folder / "fogline.db", isolation_level=None)) as connection:
        connection.execute(statement, values)


async def refused(party: Party, house: House) -> RefusedError:
    with pytest.raises(RefusedError) as refused:
        await house.rooms.find(party.room.code)
    assert refused.value.code is Code.UNAVAILABLE
    assert refused.value.reason == "damaged_table"
    return refused.value


@pytest.mark.parametrize("statement", DAMAGE.values(), ids=DAMAGE.keys())
async def test_a_game_whose_moves_are_damaged_is_refused_by_name_and_logged_once(
    house: House, tmp_path: Path, statement: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    party, other = await game_of(house, 2), await game_of(house, 2)
    await party.play_moves(12, Random(1))
    damage(tmp_path, statement)
    restarted = house_on(house.store)
    monkeypatch.setattr(damage_reports, "log", structlog.get_logger())  # of its own: one that was used may keep its way
    with capture_logs() as log:
        for _ in range(3):
            await refused(party, restarted)
    told = [line for line in log if line["event"] == "data_damaged"]
    assert [party.room.code in line["detail"] for line in told] == [True]
    assert "fogline restore" in told[0]["remedy"]
    found = await restarted.rooms.find(other.room.code)
    assert found.version == 0
    await restarted.rooms.close()


async def test_a_move_after_the_end_is_damage_for_the_game_and_for_its_record(house: House, tmp_path: Path) -> None:
    party = await game_of(house, 2)
    await party.play_until(lambda _: False)
    damage(tmp_path, COPY_LAST.format(number=party.room.version + 1))
    with pytest.raises(RefusedError, match="damaged"):
        await house.rooms.record(party.room)
    restarted = house_on(house.store)
    await refused(party, restarted)
    await restarted.rooms.close()


async def test_a_process_that_is_behind_refuses_a_game_with_a_gap_and_ends(
    deaf_houses: list[House], tmp_path: Path
) -> None:
    """It has read four moves, and finds the ninth after them."""
    one, other = deaf_houses
    party = await game_of(one, 2)
    await party.play_moves(4, Random(1))
    behind = Party(other, await other.rooms.find(party.room.code), party.people)
    await behind.room.close()  # what it has begun to read ends before the next moves
    await party.play_moves(8, Random(2))
    damage(tmp_path, "DELETE FROM moves WHERE number BETWEEN 5 AND 8")
    async with asyncio.timeout(PATIENCE):
        for _ in range(2):
            with pytest.raises(RefusedError, match="damaged"):
                await behind.room.catch_up()
        with pytest.raises(RefusedError, match="damaged"):
            await behind.act(0, DrawTickets())
        await refused(behind, other)
        assert behind.room.version == 4
        await other.rooms.close()


async def test_a_move_that_is_taken_by_nothing_that_can_be_read_is_refused(house: House, tmp_path: Path) -> None:
    """Its id is in a row that no replay comes to: reading again brings nothing new, however often."""
    party = await game_of(house, 2)
    await party.play_moves(4, Random(1))
    seat = party.game.to_act[0]
    values = party.room.code, seat
    damage(tmp_path, "INSERT INTO moves SELECT ?, -5, ?, action, 'mine', at, kind, made_by FROM moves LIMIT 1", values)
    async with asyncio.timeout(PATIENCE):
        with pytest.raises(RefusedError) as refused_act:
            await party.act(seat, legal_actions(party.game, seat)[0], action_id="mine")
        assert refused_act.value.reason == "damaged_table"
        await house.bots.close()
        await house.rooms.close()


async def test_a_game_that_was_repaired_goes_on(house: House, tmp_path: Path) -> None:
    party = await game_of(house, 2)
    await party.play_moves(4, Random(1))
    seat = party.game.to_act[0]
    values = party.room.code, seat
    damage(tmp_path, "INSERT INTO moves SELECT ?, 6, ?, action, 'stray', at, kind, made_by FROM moves LIMIT 1", values)
    await house.rooms.find(party.room.code)
    party.room.replica.state = State.BEHIND
    with pytest.raises(RefusedError):
        await party.act(seat, legal_actions(party.game, seat)[0])
    damage(tmp_path, "DELETE FROM moves WHERE number = 6")
    assert await house.rooms.find(party.room.code) is party.room
    assert await party.act(seat, legal_actions(party.game, seat)[0]) == 5
