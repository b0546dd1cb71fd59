"""Each column of the database holds in turn what can't be there: nothing ends in a traceback, others are served."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from app.store.tables import installation
from harness.callers import new_caller, open_client, settings_in
from harness.damaged_rows import COLUMNS, POSTGRES_VALUES, VALUES, damage, empty_tables, fill_every_table
from harness.forked import refused_start
from harness.postgres import Databases
from tests.web.test_devices import site_of

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
async def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite database with something in every table."""
    folder = tmp_path_factory.mktemp("template")
    async with open_client(settings_in(folder)) as client:
        code, host = await fill_every_table(client)
        (folder / "code").write_text(f"{code} {host.token}")
    assert empty_tables(f"sqlite:///{folder}/fogline.db") == []
    return folder


@pytest.fixture(scope="module")
async def postgres_template(
    postgres: Databases, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[tuple[str, str, str]]:
    """The same on PostgreSQL: its address, a room's code and the host's token."""
    address = postgres.create()
    async with open_client(settings_in(tmp_path_factory.mktemp("template"), database_url=address)) as client:
        code, host = await fill_every_table(client)
    assert empty_tables(address) == []
    yield address, code, host.token
    postgres.drop(address)


async def visit_everything(folder: Path, code: str, token: str, **settings: str) -> None:
    """Open the site on damaged data, look at everything, and see that another room is served."""
    headers = {"Authorization": f"Bearer {token}"}
    with capture_logs() as logs:
        async with open_client(settings_in(folder, **settings)) as client:
            other = await (await new_caller(client)).create()
            pages = (f"/t/{code}", "/")
            calls = (
                "rooms",
                "players/me",
                "players/me/devices",
                *(f"rooms/{code}{end}" for end in ("", "/view", "/record")),
            )
            for path in (*pages, *(f"/api/v1/{call}" for call in calls)):
                answer = await client.get(path, headers=headers)
                assert answer.status_code != 500, path
            assert (await client.get(f"/api/v1/rooms/{other}")).status_code == 200, "another room"
            site = site_of(client)
            await site.rooms.notice_changes()
            await site.upkeep.keep_positions(timedelta(0))
            await site.upkeep.wake_at_start()
            await site.upkeep.put_off_due()
            await site.upkeep.fill_results()
            await site.devices.sweep()
    assert [line for line in logs if line.get("exc_info")] == []


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("column", COLUMNS)
async def test_a_damaged_column_ends_in_no_traceback(template: Path, tmp_path: Path, column: str, value: str) -> None:
    folder = tmp_path / "data"
    shutil.copytree(template, folder)
    code, token = (folder / "code").read_text().split()
    if damage(f"sqlite:///{folder}/fogline.db", column, VALUES[value]):
        await visit_everything(folder, code, token)


@pytest.mark.parametrize("column", COLUMNS)
async def test_a_damaged_column_on_postgres_ends_in_no_traceback(
    postgres: Databases, postgres_template: tuple[str, str, str], tmp_path: Path, column: str
) -> None:
    like, code, token = postgres_template
    for value in POSTGRES_VALUES.values():
        address = postgres.create(like=like)
        if damage(address, column, value):
            await visit_everything(tmp_path, code, token, database_url=address)
        postgres.drop(address)


@pytest.mark.parametrize("column", [column.name for column in installation.columns if column.name != "id"])
async def test_a_server_with_a_damaged_key_does_not_start_and_says_why(
    template: Path, tmp_path: Path, column: str
) -> None:
    folder = tmp_path / "data"
    shutil.copytree(template, folder)
    address = f"sqlite:///{folder}/fogline.db"
    assert damage(address, f"installation.{column}", b"\xff\x00" if column != "key" else "{")
    said = await asyncio.to_thread(refused_start, tmp_path / "log", FOGLINE_DATA_DIR=str(folder))
    assert f"installation 1 is damaged: `{column}` can't be read" in said
