"""Outages of the database: a clear refusal, nothing half-written, and recovery without a restart."""

import asyncio
import os
import resource
import shutil
import signal
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from app.store import (
    FileGoneError,
    MoveTakenError,
    Store,
    StoreSetupError,
    StoreUnavailableError,
    open_store,
    queries,
    timeouts,
)
from app.store.sqlite_ledger import SqliteLedger
from harness.disks import as_nobody, mounted
from harness.postgres import PostgresServer
from harness.store_rows import CODE, END, add_people, move, room
from harness.tcp_proxy import TcpProxy, proxy_to

pytestmark = pytest.mark.heavy


async def append(store: Store, number: int) -> None:
    await store.append_move(CODE, move(number))


async def refused(store: Store, number: int, match: str = "unavailable") -> None:
    with pytest.raises(StoreUnavailableError, match=match):
        await append(store, number)


async def change(store: Store, count: int) -> None:
    await store.write(queries.change_room, CODE, lambda before: replace(before, options={"count": count}))


async def change_refused(store: Store, match: str = "unavailable") -> None:
    with pytest.raises(StoreUnavailableError, match=match):
        await change(store, -1)


async def ping_refused(store: Store, match: str = "unavailable") -> None:
    with pytest.raises(StoreUnavailableError, match=match):
        await store.ping()


async def fill(store: Store) -> None:
    await add_people(store)
    await store.write(queries.create_room, room())


async def assert_stored(store: Store, *numbers: int) -> None:
    assert await store.load_moves(CODE) == [move(number) for number in numbers]


# SQLite


@pytest.fixture
async def sqlite_store(sqlite_address: str) -> AsyncIterator[Store]:
    async with open_store(sqlite_address) as store:
        await fill(store)
        yield store


def fill_up(file: Path) -> None:
    with file.open("wb", buffering=0) as filler:
        try:
            while True:
                filler.write(bytes(4096))
        except OSError:
            return


async def test_sqlite_on_a_full_disk(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "4m") as disk:
        async with open_store(f"sqlite:///{disk}/a.db") as store:
            await fill(store)
            await append(store, 1)
            fill_up(disk / "filler")
            await refused(store, 2, "full")
            await refused(store, 2, "full")
            await change_refused(store, "full")
            await ping_refused(store, "full")
            await assert_stored(store, 1)
            (disk / "filler").unlink()
            await append(store, 2)
            await change(store, 2)
            await store.ping()
            await assert_stored(store, 1, 2)


@contextmanager
def failing_disk() -> Iterator[None]:
    """No file of this process can grow."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


async def test_sqlite_on_a_disk_that_fails(sqlite_store: Store) -> None:
    await append(sqlite_store, 1)
    with failing_disk():
        await refused(sqlite_store, 2, r"disk I/O error|full")
        await change_refused(sqlite_store)
        await ping_refused(sqlite_store)
        await assert_stored(sqlite_store, 1)
    await append(sqlite_store, 2)
    await change(sqlite_store, 2)
    await assert_stored(sqlite_store, 1, 2)


async def test_sqlite_that_turned_read_only(sqlite_store: Store) -> None:
    await append(sqlite_store, 1)
    ledger = sqlite_store.journal._ledger
    assert isinstance(ledger, SqliteLedger)
    assert ledger._connection is not None
    ledger._connection.execute("PRAGMA query_only=ON")
    await refused(sqlite_store, 2, "readonly")
    await append(sqlite_store, 2)
    await assert_stored(sqlite_store, 1, 2)


@pytest.mark.parametrize("closed", [".", "a.db"])
async def test_sqlite_that_may_not_be_written_is_named_at_the_start(tmp_path: Path, closed: str) -> None:
    async with open_store(f"sqlite:///{tmp_path}/a.db"):
        pass
    (tmp_path / closed).chmod(0o555)
    with as_nobody(tmp_path), pytest.raises(StoreSetupError, match=r"can't be written by user \d+.*chown"):
        async with open_store(f"sqlite:///{tmp_path}/a.db"):
            pass


async def test_sqlite_that_another_process_keeps_locked(
    production_timeouts: None, sqlite_store: Store, sqlite_address: str
) -> None:
    await append(sqlite_store, 1)
    other = sqlite3.connect(sqlite_address.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    await asyncio.gather(refused(sqlite_store, 2), change_refused(sqlite_store))
    await assert_stored(sqlite_store, 1)
    other.execute("ROLLBACK")
    other.close()
    await append(sqlite_store, 2)
    await change(sqlite_store, 2)
    await assert_stored(sqlite_store, 1, 2)


async def test_a_change_that_was_refused_as_too_late_is_not_made_later(
    sqlite_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as impatient:
        impatient.setattr(timeouts, "ANSWER", 0.05)
        async with sqlite_store._turn:
            await change_refused(sqlite_store)
    await sqlite_store.ping()  # whose turn is behind it
    after = await sqlite_store.read(queries.find_room, CODE)
    assert after is not None
    assert after.options == room().options


async def test_a_checkpoint_shortens_a_long_log_and_loses_nothing(
    sqlite_store: Store, sqlite_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.store.checkpoints import Checkpoints, WriteTurn

    monkeypatch.setattr("app.store.checkpoints.LONG_LOG", 8)
    file = Path(sqlite_address.removeprefix("sqlite:///"))
    checkpoints = Checkpoints(file, WriteTurn(file))
    log = file.with_name(f"{file.name}-wal")
    for number in range(1, 101):
        await append(sqlite_store, number)
        await checkpoints.checkpoint()
    assert log.stat().st_size < 50 * 4096
    await assert_stored(sqlite_store, *range(1, 101))
    await checkpoints.close()


async def test_a_file_that_is_removed_or_replaced_takes_no_more_moves(sqlite_store: Store, sqlite_address: str) -> None:
    """An open connection would write to it for ever, and nobody would ever read that."""
    file = Path(sqlite_address.removeprefix("sqlite:///"))
    aside = file.with_name("aside")
    await append(sqlite_store, 1)
    shutil.move(file, aside)
    for _ in range(2):
        await refused(sqlite_store, 2, "removed or replaced")
        await change_refused(sqlite_store, "removed or replaced")
        with pytest.raises(FileGoneError):
            await sqlite_store.ping()
        shutil.copy(aside, file)
    shutil.move(aside, file)
    await append(sqlite_store, 2)
    await sqlite_store.ping()
    await assert_stored(sqlite_store, 1, 2)


# PostgreSQL


@pytest.fixture
async def restartable(own_postgres: PostgresServer) -> AsyncIterator[Store]:
    async with open_store(own_postgres.create()) as store:
        await fill(store)
        yield store


async def test_postgres_away_and_back(restartable: Store, own_postgres: PostgresServer) -> None:
    await append(restartable, 1)
    own_postgres.stop()
    await refused(restartable, 2)
    await change_refused(restartable)
    with pytest.raises(StoreUnavailableError):
        await restartable.ping()
    own_postgres.start()
    await append(restartable, 2)
    await change(restartable, 2)
    await assert_stored(restartable, 1, 2)


async def test_a_restart_between_two_moves_costs_nobody_a_move(
    restartable: Store, own_postgres: PostgresServer
) -> None:
    for number in range(1, 4):
        await asyncio.gather(
            append(restartable, number), *(restartable.read(queries.find_room, CODE) for _ in range(5))
        )
        own_postgres.stop()
        own_postgres.start()
    await asyncio.gather(append(restartable, 4), *(restartable.read(queries.find_room, CODE) for _ in range(5)))
    await change(restartable, 2)
    await assert_stored(restartable, 1, 2, 3, 4)


async def play(store: Store, code: str, stop: asyncio.Event) -> int:
    """As a room does it: after a refusal, read what is there before going on. Returns the last number."""
    number = 0
    while not stop.is_set():
        try:
            await store.append_move(code, move(number + 1))
            number += 1
        except (StoreUnavailableError, MoveTakenError):
            number = await reread(store, code, number)
    return number


async def reread(store: Store, code: str, acknowledged: int) -> int:
    while True:
        try:
            found = len(await store.load_moves(code))
        except StoreUnavailableError:
            await asyncio.sleep(0.05)
        else:
            assert found >= acknowledged
            return found


async def test_restarts_under_load_lose_nothing_that_was_acknowledged(
    restartable: Store, own_postgres: PostgresServer
) -> None:
    codes = [f"ROOM{number:04}" for number in range(8)]
    for code in codes:
        await restartable.write(queries.create_room, room(code))
    stop = asyncio.Event()
    playing = [asyncio.create_task(play(restartable, code, stop)) for code in codes]
    for _ in range(3):
        await asyncio.sleep(0.3)
        await asyncio.to_thread(own_postgres.stop)
        await asyncio.to_thread(own_postgres.start)
    stop.set()
    for code, played in zip(codes, await asyncio.gather(*playing), strict=True):
        assert played > 0
        assert await restartable.load_moves(code) == [move(number) for number in range(1, played + 1)]


async def append_until_refused(store: Store, number: int) -> None:
    """From `number` on."""
    while True:
        await append(store, number)
        number += 1


async def test_postgres_that_turned_read_only(restartable: Store, own_postgres: PostgresServer) -> None:
    def set_read_only(value: str) -> None:
        own_postgres._execute(f"ALTER SYSTEM SET default_transaction_read_only = {value}")
        own_postgres._execute("SELECT pg_reload_conf()")

    await append(restartable, 1)
    set_read_only("on")  # the server's processes hear of it one by one
    with pytest.raises(StoreUnavailableError, match="read-only"):
        await append_until_refused(restartable, 2)
    await change_refused(restartable, "read-only")
    await ping_refused(restartable, "only be read")
    stored = len(await restartable.load_moves(CODE))
    set_read_only("off")
    async with asyncio.timeout(60):
        while not await succeeds(append(restartable, stored + 1)):
            pass
    await assert_stored(restartable, *range(1, stored + 2))


async def succeeds(doing: Awaitable[None]) -> bool:
    try:
        await doing
    except StoreUnavailableError:
        return False
    return True


async def test_postgres_on_a_full_disk(tmp_path: Path, own_postgres: PostgresServer) -> None:
    with mounted(own_postgres.folder / "disk", "16m") as disk:
        (disk / "space").mkdir()
        os.chown(disk / "space", 65534, -1)
        own_postgres._execute(f"CREATE TABLESPACE small LOCATION '{disk}/space'")
        own_postgres._execute("CREATE DATABASE full_one TABLESPACE small")
        async with open_store(own_postgres.address_of("full_one")) as store:
            await fill(store)
            fill_up(disk / "filler")
            with pytest.raises(StoreUnavailableError, match=r"(?i)no space"):
                await append_until_refused(store, 1)
            stored = len(await store.load_moves(CODE))
            (disk / "filler").unlink()
            await append(store, stored + 1)
            await assert_stored(store, *range(1, stored + 2))
        own_postgres._execute("DROP DATABASE full_one WITH (FORCE)")
        own_postgres._execute("DROP TABLESPACE small")


@pytest.fixture
async def proxied(postgres_address: str) -> AsyncIterator[tuple[Store, TcpProxy]]:
    """A store that reaches PostgreSQL through a proxy, which the test can hold up or cut."""
    async with proxy_to(postgres_address) as (proxy, address), open_store(address) as store:
        await fill(store)
        yield store, proxy


async def test_a_connection_that_was_cut_costs_nobody_a_move(proxied: tuple[Store, TcpProxy]) -> None:
    store, proxy = proxied
    for number in (1, 2, 3):
        await append(store, number)
        proxy.cut()
    await assert_stored(store, 1, 2, 3)


async def test_a_database_that_does_not_answer_is_unavailable(
    production_timeouts: None, proxied: tuple[Store, TcpProxy]
) -> None:
    store, proxy = proxied
    await append(store, 1)
    proxy.hang()
    await asyncio.gather(refused(store, 2), refused(store, 3), change_refused(store))
    with pytest.raises(StoreUnavailableError):
        await store.ping()
    proxy.resume()
    proxy.cut()
    await store.ping()
    await append(store, 5)
    await change(store, 2)


async def test_a_commit_whose_answer_is_lost_counts_and_once(
    proxied: tuple[Store, TcpProxy], postgres_address: str
) -> None:
    store, proxy = proxied
    await append(store, 1)
    async with open_store(postgres_address) as witness:
        proxy.replies.clear()
        appending = asyncio.create_task(append(store, 2))
        while len(await witness.load_moves(CODE)) < 2:
            pass
        proxy.cut()
        proxy.replies.set()
        await appending
    await assert_stored(store, 1, 2)


async def test_a_room_that_another_keeps_locked(
    production_timeouts: None, store_and_lock: tuple[Store, psycopg.Connection]
) -> None:
    store, lock = store_and_lock
    lock.execute("SELECT 1 FROM rooms WHERE code = %s FOR NO KEY UPDATE", [CODE])
    await append(store, 1)  # moves don't wait for who changes the room
    with pytest.raises(StoreUnavailableError):
        await store.append_move(CODE, move(2), END)
    await change_refused(store)
    lock.rollback()
    await store.append_move(CODE, move(3), END)


@pytest.fixture
async def store_and_lock(postgres_address: str) -> AsyncIterator[tuple[Store, psycopg.Connection]]:
    async with open_store(postgres_address) as store:
        await fill(store)
        with psycopg.connect(postgres_address) as lock:
            yield store, lock
