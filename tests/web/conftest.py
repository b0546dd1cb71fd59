"""What the tests of the web side share."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from httpx import AsyncClient

from harness.callers import open_client, serving, settings_in


@pytest.fixture
async def client(tmp_path: Path) -> AsyncGenerator[AsyncClient]:
    """A client of a new site."""
    async with open_client(settings_in(tmp_path)) as opened:
        yield opened


@pytest.fixture
async def server(tmp_path: Path) -> AsyncGenerator[AsyncClient]:
    """A client of a new site behind a real server, for sockets."""
    async with serving(settings_in(tmp_path)) as opened:
        yield opened
