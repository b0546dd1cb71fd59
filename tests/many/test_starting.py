"""Which servers may run beside each other on one database."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.store import InstanceLockedError, hold_instance_lock, instance_lock, postgres_lock
from harness.disks import FORBIDDEN
from harness.forked import ForkedSite, refused_start
from harness.paths import ROOT
from harness.postgres import PostgresServer
from harness.site import Site

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


def by_link(data: Path, other: Path) -> None:
    other.mkdir()
    (other / "fogline.db").symlink_to(data / "fogline.db")


def by_linked_folder(data: Path, other: Path) -> None:
    other.symlink_to(data)


def by_hard_link(data: Path, other: Path) -> None:
    other.mkdir()
    (other / "fogline.db").hardlink_to(data / "fogline.db")


def by_renamed_folder(data: Path, other: Path) -> None:
    data.rename(other)


def by_mount(data: Path, other: Path) -> None:
    other.mkdir()
    mount = ["mount", "--bind", str(data), str(other)]
    done = subprocess.run(mount, check=False, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    if any(sign in done.stderr for sign in FORBIDDEN):
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr


WAYS = [by_link, by_linked_folder, by_hard_link, by_renamed_folder, by_mount]


@pytest.fixture(params=WAYS, ids=lambda way: way.__name__)
def second_name(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Path, Path]]:
    """A folder that is served, and another in which its database is."""
    data, other = tmp_path / "data", tmp_path / "other"
    with served(data):
        request.param(data, other)
        yield data, other
        if request.param is by_mount:
            subprocess.run(["umount", "--lazy", other], check=True)
        if request.param is by_renamed_folder:
            other.rename(data)


def test_a_second_process_on_the_same_file_by_another_name_is_refused(second_name: tuple[Path, Path]) -> None:
    _, other = second_name
    assert "Another server uses" in refusal(other)


def test_a_command_opens_no_file_that_is_served_by_another_hard_link(tmp_path: Path) -> None:
    """SQLite would give it another log."""
    data, other = tmp_path / "data", tmp_path / "other"
    with served(data):
        by_hard_link(data, other)
        for command in (["rooms"], ["rooms", "delete", "ABCD2345"], ["backup", "saved"], ["migrate"], ["check"]):
            done = fogline(other, *command)
            assert done.returncode == 1
            assert "by another name" in done.stdout + done.stderr
        assert not (other / "fogline.db-wal").exists()
        assert fogline(data, "rooms").stdout == "0 rooms\n"
        by_link(data, tmp_path / "link")
        assert fogline(tmp_path / "link", "rooms").stdout == "0 rooms\n"


def fogline(data: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """A command beside a server."""
    environment = {**os.environ, "FOGLINE_DATA_DIR": str(data), "PYTHONPATH": str(ROOT)}
    program = [sys.executable, "-m", "app", *command]
    return subprocess.run(program, check=False, capture_output=True, text=True, cwd=data.parent, env=environment)


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
    monkeypatch.setattr(postgres_lock, "CHECK", 0.1)
    monkeypatch.setattr(instance_lock, "OVERLAP", 0.1)
    address = own_postgres.create()
    async with hold_instance_lock(address, shared=False):
        own_postgres.stop()
        own_postgres.start()
        with pytest.raises(InstanceLockedError):
            await keep_taking(address)


async def keep_taking(address: str) -> None:
    """Take a place beside others and let it go, again and again."""
    async with asyncio.timeout(60):
        while True:
            async with hold_instance_lock(address, shared=True):
                await asyncio.sleep(0.05)
