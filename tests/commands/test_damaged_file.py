"""A database whose own file is damaged: the process is not ready, says once what helps, and that does help."""

import asyncio
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from httpx import AsyncClient

from harness.callers import PATIENCE, started
from harness.forked import ForkedSite
from tests.commands.conftest import Fogline


def pages_of(file: Path, table: str) -> list[tuple[int, int]]:
    """Where the pages of a table and its indexes are: offset and size."""
    with closing(sqlite3.connect(file)) as connection:
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        names = "SELECT name FROM sqlite_master WHERE tbl_name = ? AND rootpage > 0"
        roots = f"SELECT rootpage FROM sqlite_master WHERE name IN ({names})"
        return [((page - 1) * size, size) for (page,) in connection.execute(roots, [table])]


def spoil(file: Path, table: str, rng: Random) -> None:
    """Random bytes where this table begins, as a failing disk writes them."""
    with file.open("r+b") as opened:
        for offset, size in pages_of(file, table):
            opened.seek(offset)
            opened.write(rng.randbytes(size))
        os.fsync(opened.fileno())


async def test_a_damaged_file_makes_the_process_unready_and_is_logged_once(tmp_path: Path) -> None:
    server = ForkedSite(tmp_path / "data")
    async with AsyncClient(base_url=server.address, timeout=PATIENCE, verify=False) as client:
        code, _ = await started(client, 2)
        server.stop()
        spoil(tmp_path / "data" / "fogline.db", "rooms", Random(1))
        server.begins_with = "/healthz"
        server.start()
        for _ in range(3):
            page = await client.get(f"/t/{code}", headers={"Accept": "text/html", "Accept-Language": "it"})
            assert page.status_code == 503
            assert "danneggiati" in page.text
            problem = (await client.get(f"/api/v1/rooms/{code}")).json()
            assert (problem["code"], problem["reason"]) == ("unavailable", "damaged_site")
        ready = await client.get("/readyz")
        assert ready.status_code == 503
        assert "fogline restore" in ready.json()["detail"]
        assert (await client.get("/healthz")).status_code == 200
    server.kill()
    told = [line for line in server.log.splitlines() if "database_damaged" in line]
    assert len(told) == 1
    assert "fogline restore" in told[0]
    assert "Traceback" not in server.log


@pytest.mark.parametrize("table", ["rooms", "moves", "players"])
async def test_restore_takes_the_place_of_a_damaged_file(
    tmp_path: Path,
    fogline: Fogline,
    table: str,
) -> None:
    server = ForkedSite(tmp_path / "data")
    async with AsyncClient(base_url=server.address, timeout=PATIENCE, verify=False) as client:
        code, _ = await started(client, 2)
        assert (await asyncio.to_thread(fogline, "backup", "saved")).returncode == 0
        server.stop()
        spoil(tmp_path / "data" / "fogline.db", table, Random(2))
        restored = await asyncio.to_thread(fogline, "restore", "saved", "--replace")
        assert restored.returncode == 0, restored.stderr
        server.start()
        assert (await client.get(f"/t/{code}")).status_code == 200
        assert (await client.get("/readyz")).status_code == 200
    server.stop()


def test_a_file_that_is_no_database_stops_the_start_with_a_word_about_restore(
    tmp_path: Path,
    fogline: Fogline,
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "fogline.db").write_bytes(Random(3).randbytes(20_000))
    said = fogline("migrate")
    assert said.returncode == 1
    assert "fogline restore" in said.stderr
    assert "Traceback" not in said.stderr
