"""Opening brings any schema up to date: once, whole or not at all."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from app.store import MoveRow, StoreSetupError, open_store, queries, results, visits
from app.store.address import is_sqlite, parse_address, prepare_file, sqlite_file
from app.store.engine import make_engine
from app.store.migrate import SCRIPTS, migrate
from app.store.store import transact, writing
from app.store.tables import metadata
from harness.forked import Forked
from harness.store_rows import CODE, NOW, add_people, later, listed, room

LATER = """
import os, signal
from alembic import op
import sqlalchemy as sa

revision = "9999"
down_revision = "{head}"


def upgrade():
    op.create_table("half_done", sa.Column("id", sa.Integer, primary_key=True))
    op.execute("UPDATE rooms SET status = 'broken'")
    {end}
"""


@pytest.fixture
def address(bare_address: str) -> str:
    """Tables are made by the test."""
    return bare_address


async def ask(address: str, question: object) -> object:
    engine = make_engine(parse_address(address))
    try:
        return await transact(writing(engine), question)  # type: ignore[arg-type]
    finally:
        await engine.dispose()


def tables(connection: Connection) -> set[str]:
    return set(inspect(connection).get_table_names())


def with_later_migration(folder: Path, end: str) -> Path:
    scripts = folder / "migrations"
    shutil.copytree(SCRIPTS, scripts)
    head = ScriptDirectory(SCRIPTS).get_current_head()
    (scripts / "versions" / "9999_later.py").write_text(LATER.format(head=head, end=end))
    return scripts


async def test_the_migrations_make_the_tables_the_queries_use(address: str) -> None:
    def differences(connection: Connection) -> object:
        return compare_metadata(MigrationContext.configure(connection), metadata)

    async with open_store(address):
        assert await ask(address, differences) == []


async def test_opening_again_changes_nothing(address: str) -> None:
    async with open_store(address) as store:
        await add_people(store)
        await store.write(queries.create_room, room())
    async with open_store(address) as store:
        assert await store.read(queries.find_room, CODE) == room()


async def test_many_that_open_at_once_migrate_once(address: str) -> None:
    async def open_and_add(number: int) -> None:
        async with open_store(address) as store:
            await store.write(queries.add_board, f"d{number}", "{}")

    await asyncio.gather(*(open_and_add(number) for number in range(8)))
    count = await ask(address, lambda connection: connection.scalar(text("SELECT count(*) FROM alembic_version")))
    assert count == 1


async def test_many_processes_that_open_at_once_migrate_once(address: str, tmp_path: Path) -> None:
    children = [Forked(("tests.store.child", "open", address), tmp_path, {}, patient=True) for _ in range(4)]
    assert [child.wait() for child in children] == [0, 0, 0, 0]
    assert (tmp_path / "log").read_text() == ""
    async with open_store(address) as store:
        await store.ping()


async def test_a_migration_that_fails_leaves_nothing(address: str, tmp_path: Path) -> None:
    async with open_store(address) as store:
        await add_people(store)
        await store.write(queries.create_room, room())
    scripts = with_later_migration(tmp_path, "raise RuntimeError('power cut')")
    with pytest.raises(RuntimeError, match="power cut"):
        await ask(address, lambda connection: migrate(connection, scripts))
    await assert_untouched(address)


async def test_a_migration_that_is_killed_leaves_nothing(address: str, tmp_path: Path) -> None:
    async with open_store(address) as store:
        await add_people(store)
        await store.write(queries.create_room, room())
    scripts = with_later_migration(tmp_path, "os.kill(os.getpid(), signal.SIGKILL)")
    child = Forked(("tests.store.child", "migrate", address, str(scripts)), tmp_path, {}, patient=True)
    assert child.wait() == -signal.SIGKILL
    await assert_untouched(address)


async def assert_untouched(address: str) -> None:
    assert "half_done" not in await ask(address, tables)  # type: ignore[operator]
    async with open_store(address) as store:
        assert await store.read(queries.find_room, CODE) == room()


async def test_a_newer_schema_is_refused(address: str, tmp_path: Path) -> None:
    async with open_store(address):
        pass
    scripts = with_later_migration(tmp_path, "pass")
    await ask(address, lambda connection: migrate(connection, scripts))
    with pytest.raises(StoreSetupError, match="not of this version"):
        async with open_store(address):
            pass


async def test_a_database_that_can_t_keep_every_name_is_refused_and_left_as_it_was(narrow_address: str) -> None:
    with pytest.raises(StoreSetupError, match=r"encoding (SQL_ASCII|LATIN1).*ENCODING 'UTF8'"):
        async with open_store(narrow_address):
            pass
    assert await ask(narrow_address, tables) == set()


async def test_the_encoding_of_the_host_s_environment_changes_nothing(
    postgres_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
    before = room()
    named = replace(before, seats=(replace(before.seats[0], name="Ștefan 駒"), *before.seats[1:]))
    async with open_store(postgres_address) as store:
        await add_people(store)
        await store.write(queries.create_room, named)
    monkeypatch.delenv("PGCLIENTENCODING")
    async with open_store(postgres_address) as store:
        assert await store.read(queries.find_room, CODE) == named


BEFORE_0010 = """
INSERT INTO players (id, name, created_at) VALUES ('ann', 'Ann', '{at}');
INSERT INTO boards (digest, text) VALUES ('digest', '{{}}');
INSERT INTO rooms (code, status, host, board, board_id, options, server_seed, rules_version, created_at, ended_at)
    SELECT code, status, 'ann', 'digest', 'b', '{{}}', {seed}, 1, '{at}', '{at}' FROM (
        SELECT 'BOTS0000' AS code, 'playing' AS status UNION SELECT 'PEOPLE00', 'playing'
        UNION SELECT 'LOBBY000', 'lobby' UNION SELECT 'OVER0000', 'over'
    ) AS made;
INSERT INTO seats (room, seat, player, name, bot, nonce) SELECT code, 0, 'ann', 'Ann', NULL, '' FROM rooms;
INSERT INTO seats (room, seat, player, name, bot, nonce)
    SELECT code, 1, NULL, 'Karl', 'easy', '' FROM rooms WHERE code <> 'PEOPLE00';
INSERT INTO visits (room, at) SELECT code, '{at}' FROM rooms;
INSERT INTO moves (room, number, seat, action, action_id, at) VALUES ('BOTS0000', 1, 0, '{{}}', 'a', '{at}');
"""


async def test_what_a_database_of_schema_0009_holds_is_found_by_the_next(address: str) -> None:
    seed = "x'00'" if address.startswith("sqlite") else "'\\x00'"

    def fill(connection: Connection) -> None:
        migrate(connection, revision="0009")
        for statement in filter(str.strip, BEFORE_0010.format(at=NOW.isoformat(), seed=seed).split(";")):
            connection.exec_driver_sql(statement)

    if is_sqlite(url := parse_address(address)):
        prepare_file(sqlite_file(url))
    await ask(address, fill)
    async with open_store(address) as store:
        assert await store.load_moves("BOTS0000") == [MoveRow(1, 0, "{}", "a", NOW, "move", "owner")]
        seats = {row.code: row.seats for row in await listed(store)}
        assert [seat.driver for seat in seats["BOTS0000"]] == [None, "easy"]
        assert [seat.driver for seat in seats["PEOPLE00"]] == [None]
        assert await store.write(visits.take_due, later(1), later(2), 9) == ["BOTS0000"]
        assert await store.read(results.rooms_without_result, None, 9) == ["OVER0000"]


def test_the_scripts_are_found_from_any_folder(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.store.child", "open", f"sqlite:///{tmp_path / 'a.db'}"]
    root = str(SCRIPTS.parent)
    subprocess.run(command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": root}, check=True)
