"""A store on each database; every test gets a new, empty one."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.store import Store, open_store
from tests.store.rows import add_people, room


@pytest.fixture
def sqlite_address(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'data' / 'fogline.db'}"


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest) -> str:
    address: str = request.getfixturevalue(f"{request.param}_address")
    return address


@pytest.fixture
async def store(address: str) -> AsyncIterator[Store]:
    """With Ann, Ben and a room of Ann's in it."""
    async with open_store(address) as store:
        await add_people(store)
        await store.create_room(room())
        yield store
