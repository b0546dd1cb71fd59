"""`kill -9` at random moments of running games, and at chosen points of a move; `./run bench kills` does many more."""

from pathlib import Path
from random import Random

import pytest

from harness.kills import POINTS, kill_repeatedly
from harness.server_process import ForkedServerProcess

pytestmark = [pytest.mark.heavy, pytest.mark.slow]

KILLS = 15


async def test_kill_9_loses_nothing_halves_nothing_and_doubles_nothing(address: str, tmp_path: Path) -> None:
    report = await kill_repeatedly(
        ForkedServerProcess(tmp_path, FOGLINE_DATABASE_URL=address), address, KILLS, Random()
    )
    assert report.harm == (0, 0, 0)
    assert all(report.kills[point] for point in POINTS)
    assert report.acknowledged > 0
    assert report.sent_again > 0
