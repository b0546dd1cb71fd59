"""`kill -9` at random moments of running games, and at chosen points of a move; `./run bench kills` does many more."""

from pathlib import Path
from random import Random

import pytest

from tests.durability.kills import POINTS, take_toll
from tests.durability.servers import ForkedProcess

pytestmark = [pytest.mark.heavy, pytest.mark.slow]

KILLS = 15


async def test_kill_9_loses_nothing_halves_nothing_and_doubles_nothing(address: str, tmp_path: Path) -> None:
    toll = await take_toll(ForkedProcess(tmp_path, FOGLINE_DATABASE_URL=address), address, KILLS, Random())
    assert toll.harm == (0, 0, 0)
    assert all(toll.kills[point] for point in POINTS)
    assert toll.acknowledged > 0
    assert toll.sent_again > 0
