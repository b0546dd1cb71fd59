"""What all tests share."""

import os

import pytest

from tests.services.patience import wait_long
from tests.services.ready import share_boards
from tests.services.watched import quick_disk

pytest_plugins = ["tests.services.fixtures", "tests.workers"]

os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", quick_disk())
wait_long()
share_boards()


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """The server runs on asyncio only, and so do its tests."""
    return "asyncio"
