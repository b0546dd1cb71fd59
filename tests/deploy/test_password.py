"""The password that the compose file makes for its database is made once, kept from others, and opens a real one."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.store import StoreError, open_store, queries
from harness.postgres import PostgresServer, find_binaries

MAKE_PASSWORD = Path(__file__).parents[2] / "deploy" / "image" / "make-password"
ODD = r"it's a \ long: pässword"


def make_password(folder: Path, given: str = "") -> str:
    """Runs the script as the compose file does, with files for the user who tests."""
    user = str(os.getuid())
    settings = {"POSTGRES_UID": user, "FOGLINE_UID": user, "FOGLINE_DATABASE_PASSWORD": given}
    subprocess.run([MAKE_PASSWORD, folder], env={**os.environ, **settings}, check=True)
    return (folder / "password").read_text()


def test_a_password_is_made_once_and_only_its_owners_can_read_it(tmp_path: Path) -> None:
    password = make_password(tmp_path)
    assert len(password) == 48
    assert make_password(tmp_path) == password
    assert {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {
        "password": 0o600,
        "pgpass": 0o600,
    }


def test_two_hosts_have_two_passwords(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in "ab"]
    for folder in folders:
        folder.mkdir()
    assert len({make_password(folder) for folder in folders}) == 2


def test_the_hosts_own_password_counts_at_any_start(tmp_path: Path) -> None:
    make_password(tmp_path)
    assert make_password(tmp_path, ODD) == ODD
    assert make_password(tmp_path) == ODD


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[str]:
    """The address of a PostgreSQL that asks for the odd password."""
    binaries = find_binaries()
    assert binaries is not None
    server = PostgresServer(binaries)
    try:
        server.require_password(ODD)
        yield server.address
    finally:
        server.close()


@pytest.mark.slow
async def test_the_password_file_opens_the_database(guarded: str, tmp_path: Path) -> None:
    make_password(tmp_path, ODD)
    async with open_store(f"{guarded}?passfile={tmp_path}/pgpass") as store:
        assert await store.read(queries.find_room, "AAAAAAAA") is None
    make_password(tmp_path, "another")
    with pytest.raises(StoreError):
        async with open_store(f"{guarded}?passfile={tmp_path}/pgpass"):
            pass
