"""What was acknowledged outlives `kill -9`."""

import random
import signal
import time
from pathlib import Path

import pytest

from app.store import open_store, queries
from harness.forked import Forked
from harness.store_rows import add_people, move, room

pytestmark = pytest.mark.heavy

CODES = [f"ROOM{number:04}" for number in range(8)]


def acknowledged_before_the_kill(address: str, folder: Path, rng: random.Random) -> dict[str, int]:
    """Run a child that plays, kill it somewhere, and return the last number it was told for each room."""
    child = Forked(("tests.store.child", "play", address, *CODES), folder, {}, patient=True)
    moves = rng.randrange(1, 200)
    while len(lines_of(folder / "log")) < moves:
        assert not child.ended(), (folder / "log").read_text()
        time.sleep(0.002)
    time.sleep(rng.random() / 100)
    child.stop(signal.SIGKILL)
    return {code: int(number) for code, number in map(str.split, lines_of(folder / "log"))}


def lines_of(log: Path) -> list[str]:
    """Those that were written to their end."""
    return log.read_text().split("\n")[:-1] if log.exists() else []


@pytest.mark.parametrize("kills", [3, pytest.param(30, marks=pytest.mark.slow)])
async def test_no_acknowledged_move_is_lost(address: str, kills: int, tmp_path: Path) -> None:
    rng = random.Random(kills)
    async with open_store(address) as store:
        await add_people(store)
        for code in CODES:
            await store.write(queries.create_room, room(code))
    total = 0
    for kill in range(kills):
        told = acknowledged_before_the_kill(address, tmp_path / f"kill-{kill}", rng)
        async with open_store(address) as store:
            for code in CODES:
                moves = await store.load_moves(code)
                assert moves == [move(number) for number in range(1, len(moves) + 1)]
                assert told.get(code, 0) <= len(moves)
        total += len(told)
    assert total > 0
