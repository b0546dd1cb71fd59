import os

import pytest

from harness.prepared import share_boards
from harness.processes import quick_disk
from harness.timeouts import lengthen_timeouts

pytest_plugins = ["harness.fixtures", "harness.scheduling", "harness.figures", "harness.hangs"]

os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", quick_disk())
lengthen_timeouts()
share_boards()


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """The server runs on asyncio only, and so do its tests."""
    return "asyncio"
