"""A store on each database; every test gets a new, empty one."""

from collections.abc import AsyncIterator

import pytest

from app.store import Store, open_store, queries
from harness.store_rows import add_people, room


@pytest.fixture
async def store(address: str) -> AsyncIterator[Store]:
    """With Ann, Ben and a room of Ann's in it."""
    async with open_store(address) as store:
        await add_people(store)
        await store.write(queries.create_room, room())
        yield store
