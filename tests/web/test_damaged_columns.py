"""Each column of the database holds in turn what can't be there: nothing ends in a traceback, others are served."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from app.store.tables import installation, metadata
from harness.callers import new_caller, open_client, settings_in
from harness.forked import refused_start
from tests.web.test_devices import site_of

pytestmark = pytest.mark.slow

VALUES = {"null": None, "brace": "{", "bytes": b"\xff\x00\xfe", "number": 7, "huge": "9" * 100_000}

COLUMNS = [
    f"{table.name}.{column.name}"
    for table in metadata.sorted_tables
    if table is not installation
    for column in table.columns
]


@pytest.fixture(scope="module")
async def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with something in every table."""
    folder = tmp_path_factory.mktemp("template")
    async with open_client(settings_in(folder)) as client:
        ann, bob = await new_caller(client), await new_caller(client, "Bob")
        code = await ann.create(seats=2)
        await bob.post(f"{code}/join", {})
        await ann.post(f"{code}/start")
        (folder / "code").write_text(f"{code} {ann.token}")
    return folder


def damage(file: Path, column: str, value: object) -> bool:
    """Whether SQLite takes it there."""
    table, _, name = column.partition(".")
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        try:
            connection.execute(f"UPDATE {table} SET {name} = ?", [value])
        except sqlite3.IntegrityError:
            return False
    return True


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("column", COLUMNS)
async def test_a_damaged_column_ends_in_no_traceback(template: Path, tmp_path: Path, column: str, value: str) -> None:
    folder = tmp_path / "data"
    shutil.copytree(template, folder)
    code, token = (folder / "code").read_text().split()
    if not damage(folder / "fogline.db", column, VALUES[value]):
        return
    headers = {"Authorization": f"Bearer {token}"}
    with capture_logs() as logs:
        async with open_client(settings_in(folder)) as client:
            other = await (await new_caller(client)).create()
            for path in (f"/t/{code}", "/", f"/api/v1/rooms/{code}", "/api/v1/rooms", "/api/v1/players/me/devices"):
                answer = await client.get(path, headers=headers)
                assert answer.status_code != 500, path
            assert (await client.get(f"/api/v1/rooms/{other}")).status_code == 200, "another room"
            site = site_of(client)
            await site.rooms.notice_changes()
            await site.upkeep.keep_positions(timedelta(0))
            await site.devices.sweep()
    assert [line for line in logs if line.get("exc_info")] == []


@pytest.mark.parametrize("column", [column.name for column in installation.columns if column.name != "id"])
async def test_a_server_with_a_damaged_key_does_not_start_and_says_why(
    template: Path, tmp_path: Path, column: str
) -> None:
    folder = tmp_path / "data"
    shutil.copytree(template, folder)
    assert damage(folder / "fogline.db", f"installation.{column}", b"\xff\x00" if column != "key" else "{")
    said = await asyncio.to_thread(refused_start, tmp_path / "log", FOGLINE_DATA_DIR=str(folder))
    assert f"installation 1 is damaged: `{column}` can't be read" in said
