"""Who may serve beside whom."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.store import PlaceTakenError, hold_place
from app.store import place as places
from tests.services.forks import ForkedSite, refused_start
from tests.services.postgres import PostgresServer
from tests.services.site import Site

pytestmark = [pytest.mark.heavy, pytest.mark.slow]


@contextmanager
def served(folder: Path, **settings: str) -> Iterator[Site]:
    site = ForkedSite(folder, **settings)
    yield site
    site.stop()


def refusal(folder: Path, **settings: str) -> str:
    """What a start that is refused says: one line."""
    named = {f"FOGLINE_{name.upper()}": value for name, value in settings.items()}
    said = refused_start(folder.with_name(f"{folder.name}-refused"), FOGLINE_DATA_DIR=str(folder), **named)
    [line] = said.splitlines()
    return line


def test_a_second_process_on_sqlite_is_refused(tmp_path: Path) -> None:
    with served(tmp_path / "data"):
        said = refusal(tmp_path / "data")
        for setting in ("FOGLINE_DATABASE_URL=postgresql://", "FOGLINE_BUS_URL=redis://", "FOGLINE_DATA_DIR"):
            assert setting in said


def test_the_memory_bus_beside_any_other_process_is_refused(
    tmp_path: Path, postgres_address: str, valkey_address: str
) -> None:
    shared = {"database_url": postgres_address, "bus_url": valkey_address}
    with served(tmp_path / "one", **shared), served(tmp_path / "two", **shared):
        said = refusal(tmp_path / "three", database_url=postgres_address)
        assert "this one has no bus" in said
        assert "FOGLINE_BUS_URL=redis://" in said
    with served(tmp_path / "one", database_url=postgres_address):
        assert "FOGLINE_BUS_URL=redis://" in refusal(tmp_path / "two", **shared)


def test_a_process_that_was_killed_leaves_its_place(tmp_path: Path) -> None:
    site = ForkedSite(tmp_path / "data")
    site.kill()
    with served(tmp_path / "data"):
        pass


async def test_a_place_is_taken_again_after_the_database_was_away(
    own_postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "LOOK", 0.1)
    monkeypatch.setattr(places, "OVERLAP", 0.1)
    address = own_postgres.create()
    async with hold_place(address, shared=False):
        own_postgres.stop()
        own_postgres.start()
        with pytest.raises(PlaceTakenError):
            await keep_taking(address)


async def keep_taking(address: str) -> None:
    """Take a place beside others and let it go, again and again."""
    async with asyncio.timeout(60):
        while True:
            async with hold_place(address, shared=True):
                await asyncio.sleep(0.05)
