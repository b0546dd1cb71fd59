"""Games go on when the machine's clock jumps, and in every time zone."""

import ast
import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest

import app
from app.cli.records import findings
from app.rules import Phase
from app.store import open_store
from app.wire import dump, parse_record
from harness.live_rooms import Party, game_of, house_on

HOUR = timedelta(hours=1)
READERS_OF_THE_CLOCK = {"main.py", "cli"}
"""Where the time of day is read; everybody else is handed it, and measures waiting by a clock that does not jump."""


@pytest.fixture(params=["Pacific/Kiritimati", "America/St_Johns", "Asia/Kathmandu"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A process in a time zone: 14 hours ahead, three and a half behind, five and three quarters ahead."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


class Jumping:
    """A clock that somebody sets an hour ahead or back at every look."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self.earliest = datetime.now(UTC) - HOUR

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self._rng.choice((-1, 0, 1)) * HOUR


async def test_BUG1016_an_hour_ahead_or_back_changes_nothing(zone: str, address: str) -> None:
    """Moves are as legal as ever, and none is earlier than the one before it; the record is true."""
    clock = Jumping(Random(1))
    async with open_store(address) as store:
        party = await game_of(house_on(store, now=clock), 2)
        await party.play_until(lambda game: game.version > 20)
        party.house.upkeep.forget_idle(-1)
        again = house_on(store, now=clock)
        party = Party(again, await again.rooms.find(party.room.code), party.people)
        await party.play_until(lambda _: False)
        assert party.game.phase is Phase.OVER
        record = await again.rooms.record(party.room)
        moves = await store.load_moves(party.room.code)
    times = [record.started_at, *(move.at for move in moves)]
    assert times == sorted(times)
    assert record.ended_at == times[-1]
    assert {moment.utcoffset() for moment in times} == {timedelta(0)}
    assert all(timedelta(0) <= moment - clock.earliest <= 2 * HOUR + timedelta(minutes=10) for moment in times)
    assert list(findings(parse_record(dump(record))))


def test_the_time_of_day_is_read_in_few_places() -> None:
    """Waiting, limits and heartbeats go by clocks that only ever go on."""
    folder = Path(os.fspath(app.__path__[0]))
    readers = {path.relative_to(folder).parts[0] for path in folder.rglob("*.py") if reads_the_time_of_day(path)}
    assert readers == READERS_OF_THE_CLOCK


def reads_the_time_of_day(path: Path) -> bool:
    """Whether a module asks `datetime` or `time` for it."""
    names = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Attribute)]
    asked = {f"{node.value.id}.{node.attr}" for node in names if isinstance(node.value, ast.Name)}
    return bool(
        asked & {"datetime.now", "datetime.today", "datetime.utcnow", "date.today", "time.time", "time.time_ns"}
    )
