"""What the tests of rooms share."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from app.bus import MemoryBus
from harness.live_rooms import DeafBus, House, open_house


@pytest.fixture
async def house(tmp_path: Path) -> AsyncGenerator[House]:
    """Rooms of a new database."""
    async with open_house(tmp_path) as opened:
        yield opened


@pytest.fixture
async def houses(tmp_path: Path) -> AsyncGenerator[list[House]]:
    """Two processes on a bus."""
    bus = MemoryBus()
    async with open_house(tmp_path, bus, shared=True) as one, open_house(tmp_path, bus, shared=True) as other:
        yield [one, other]


@pytest.fixture
async def deaf_houses(tmp_path: Path) -> AsyncGenerator[list[House]]:
    """Two processes that hear nothing of each other."""
    async with (
        open_house(tmp_path, DeafBus(), shared=True) as one,
        open_house(tmp_path, DeafBus(), shared=True) as other,
    ):
        yield [one, other]
