"""What was acknowledged outlives `kill -9`."""

import asyncio
import random
import sys

import pytest

from app.store import open_store
from tests.store.rows import add_people, move, room

pytestmark = pytest.mark.heavy

CODES = [f"ROOM{number:04}" for number in range(8)]


async def acknowledged_before_the_kill(address: str, rng: random.Random) -> dict[str, int]:
    """Run a child that plays, kill it somewhere, and return the last number it was told for each room."""
    command = [sys.executable, "-m", "tests.store.child", "play", address, *CODES]
    child = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert child.stdout is not None
    told: dict[str, int] = {}
    for _ in range(rng.randrange(1, 200)):
        await tell(child.stdout, told)
    await asyncio.sleep(rng.random() / 100)
    child.kill()
    while await tell(child.stdout, told):
        pass
    await child.wait()
    return told


async def tell(lines: asyncio.StreamReader, told: dict[str, int]) -> bool:
    line = (await lines.readline()).decode()
    if not line.endswith("\n"):
        return False
    code, number = line.split()
    told[code] = int(number)
    return True


@pytest.mark.parametrize("kills", [3, pytest.param(30, marks=pytest.mark.slow)])
async def test_no_acknowledged_move_is_lost(address: str, kills: int) -> None:
    rng = random.Random(kills)
    async with open_store(address) as store:
        await add_people(store)
        for code in CODES:
            await store.create_room(room(code))
    total = 0
    for _ in range(kills):
        told = await acknowledged_before_the_kill(address, rng)
        async with open_store(address) as store:
            for code in CODES:
                moves = await store.load_moves(code)
                assert moves == [move(number) for number in range(1, len(moves) + 1)]
                assert told.get(code, 0) <= len(moves)
        total += len(told)
    assert total > 0
