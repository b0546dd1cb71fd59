"""What all tests share."""

import pytest

pytest_plugins = ["tests.services.fixtures", "tests.workers"]


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """The server runs on asyncio only, and so do its tests."""
    return "asyncio"
