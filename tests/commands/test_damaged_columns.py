"""Commands on a database with a damaged column: a sentence at most, no traceback, and all that can be read is there."""

import asyncio
import shutil
from pathlib import Path

import pytest

from harness.callers import new_caller, open_client, settings_in
from harness.damaged_rows import COLUMNS, POSTGRES_VALUES, VALUES, damage, fill_every_table
from harness.postgres import Databases
from tests.commands.conftest import Fogline

pytestmark = pytest.mark.slow


async def fill(folder: Path, **settings: str) -> None:
    async with open_client(settings_in(folder, **settings)) as client:
        await fill_every_table(client)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("template")
    asyncio.run(fill(folder))
    return folder


@pytest.fixture(scope="module")
def postgres_template(postgres: Databases, tmp_path_factory: pytest.TempPathFactory) -> str:
    address = postgres.create()
    asyncio.run(fill(tmp_path_factory.mktemp("template"), database_url=address))
    return address


async def add_room(folder: Path, **settings: str) -> str:
    """A room that is sound; its code."""
    async with open_client(settings_in(folder, **settings)) as client:
        return await (await new_caller(client, "Else")).create()


def look_with_every_command(fogline: Fogline, code: str, where: str, **settings: str) -> None:
    """`fogline` raises here what would be a traceback there."""
    listed = fogline("rooms", **settings)
    assert listed.returncode == 0, (where, listed.stderr)
    assert code in listed.stdout, where
    checked = fogline("check", **settings)
    assert checked.stdout.splitlines()[-1].endswith(("fine.", "to fix.")), where
    saved = Path("saved")
    backed_up = fogline("backup", saved, **settings)
    if backed_up.returncode == 0:
        restored = fogline("restore", saved, data_dir="restored")
        assert restored.returncode == 0 or len(restored.stderr.splitlines()) == 1, (where, restored.stderr)
        saved.unlink()
        shutil.rmtree("restored")
    else:
        assert len(backed_up.stderr.splitlines()) == 1, (where, backed_up.stderr)


@pytest.mark.parametrize("column", COLUMNS)
def test_commands_bear_a_damaged_column(template: Path, tmp_path: Path, fogline: Fogline, column: str) -> None:
    for name, value in VALUES.items():
        folder = tmp_path / name
        shutil.copytree(template, folder)
        if damage(f"sqlite:///{folder}/fogline.db", column, value):
            code = asyncio.run(add_room(folder))
            look_with_every_command(fogline, code, f"{column} {name}", data_dir=str(folder))
        shutil.rmtree(folder)


@pytest.mark.parametrize("column", COLUMNS)
def test_commands_bear_a_damaged_column_on_postgres(
    postgres: Databases, postgres_template: str, tmp_path: Path, fogline: Fogline, column: str
) -> None:
    for name, value in POSTGRES_VALUES.items():
        address = postgres.create(like=postgres_template)
        if damage(address, column, value):
            code = asyncio.run(add_room(tmp_path / "data", database_url=address))
            look_with_every_command(fogline, code, f"{column} {name}", database_url=address)
        postgres.drop(address)
