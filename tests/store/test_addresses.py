"""Addresses of databases: which are accepted, and how errors say what to fix."""

import os
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.store import StoreSetupError, StoreUnavailableError, open_store
from app.store.address import parse_address
from harness.disks import as_nobody
from harness.processes import free_port


@pytest.mark.parametrize(
    ("given", "understood"),
    [
        ("sqlite:///data/a.db", "sqlite+aiosqlite:///data/a.db"),
        ("sqlite:////srv/a.db", "sqlite+aiosqlite:////srv/a.db"),
        ("postgresql://u:p@host:5433/name", "postgresql+psycopg://u:p@host:5433/name"),
        ("postgres://host/name", "postgresql+psycopg://host/name"),
        ("postgresql+psycopg://host/name", "postgresql+psycopg://host/name"),
        ("postgresql:///name?host=/run/postgresql", "postgresql+psycopg:///name?host=%2Frun%2Fpostgresql"),
    ],
)
def test_an_address_is_understood(given: str, understood: str) -> None:
    assert parse_address(given).render_as_string(hide_password=False) == understood


@pytest.mark.parametrize("given", ["", "data/a.db", "mysql://u:secret@host/name", "postgresql+asyncpg://u:secret@h/n"])
def test_another_address_is_refused_with_what_is_allowed_and_without_the_password(given: str) -> None:
    with pytest.raises(StoreSetupError, match=r"sqlite:///PATH or postgresql://") as refused:
        parse_address(given)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("given", ["sqlite://", "sqlite:///:memory:"])
def test_sqlite_needs_a_file(given: str) -> None:
    with pytest.raises(StoreSetupError, match="needs a file"):
        parse_address(given)


async def test_the_folder_is_made(tmp_path: Path) -> None:
    file = tmp_path / "with space" / "and % sign" / "ü?.db"
    async with open_store(f"sqlite:///{str(file).replace('%', '%25').replace('?', '%3F')}") as store:
        await store.ping()
    assert file.exists()


async def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    """With what SQLite puts beside it: seeds and hands of running games are in there."""
    async with open_store(f"sqlite:///{tmp_path / 'fogline.db'}") as store:
        await store.ping()
        assert modes(tmp_path) == {"fogline.db": 0o600, "fogline.db-wal": 0o600, "fogline.db-shm": 0o600}


def modes(folder: Path) -> dict[str, int]:
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}


async def test_a_folder_that_can_not_be_made_is_named_with_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreSetupError, match=r"file/data.*FOGLINE_DATA_DIR"):
        async with open_store(f"sqlite:///{tmp_path}/file/data/a.db"):
            pass


@pytest.fixture
def locked_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder in which the test may not write."""
    tmp_path.chmod(0o555)
    with as_nobody(tmp_path):
        yield tmp_path


async def test_a_folder_that_can_not_be_written_is_named_with_the_remedy(locked_folder: Path) -> None:
    with pytest.raises(StoreSetupError, match=rf"{locked_folder} can't be written.*chown"):
        async with open_store(f"sqlite:///{locked_folder}/a.db"):
            pass


async def test_the_remedy_for_a_missing_folder_makes_it_and_leaves_its_parent_alone(locked_folder: Path) -> None:
    folder = locked_folder / "not yet" / "data"
    owner = f"{os.geteuid()}:{os.getegid()}"
    with pytest.raises(StoreSetupError) as refusal:
        async with open_store(f"sqlite:///{folder}/a.db"):
            pass
    assert f"(mkdir -p '{folder}' && chown {owner} '{folder}')" in str(refusal.value)


@pytest.fixture(params=["", "-wal"])
def closed_file(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A file of the database that the test may not write, in a folder that it may."""
    tmp_path.chmod(0o777)
    closed = tmp_path / f"a.db{request.param}"
    closed.touch(0o444)
    return closed


async def test_a_file_of_another_user_in_ones_own_folder_is_named(tmp_path: Path, closed_file: Path) -> None:
    with as_nobody(tmp_path), pytest.raises(StoreSetupError) as refusal:
        async with open_store(f"sqlite:///{tmp_path}/a.db"):
            pass
    assert f"{closed_file} can't be written by user" in str(refusal.value)
    assert f"chown {65534 if os.getuid() == 0 else os.getuid()}:{os.getegid()} {closed_file})" in str(refusal.value)


async def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.db").write_text("Dear diary, " * 1000)
    with pytest.raises(StoreSetupError, match=r"a\.db can't be opened.*not a database"):
        async with open_store(f"sqlite:///{tmp_path}/a.db"):
            pass


async def test_a_server_that_is_not_there_is_unavailable() -> None:
    with pytest.raises(StoreUnavailableError, match="unavailable") as refused:
        async with open_store(f"postgresql://u:secret@127.0.0.1:{free_port()}/name"):
            pass
    assert "secret" not in str(refused.value)


async def test_sqlite_writes_through_to_the_disk_and_keeps_references(
    sqlite_address: str, production_timeouts: None
) -> None:
    """Of both kinds of connections: the engine's, and the journal's own."""
    from app.store.address import sqlite_file
    from app.store.engine import make_engine, open_sqlite

    wanted = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "wal_autocheckpoint": 0, "busy_timeout": 1500}
    async with open_store(sqlite_address):
        url = parse_address(sqlite_address)
        engine = make_engine(url)
        async with engine.connect() as connection:
            for pragma, value in wanted.items():
                assert (await connection.exec_driver_sql(f"PRAGMA {pragma}")).scalar() == value
        await engine.dispose()
        own: sqlite3.Connection = open_sqlite(sqlite_file(url))
        assert {pragma: own.execute(f"PRAGMA {pragma}").fetchone()[0] for pragma in wanted} == wanted
        own.close()
