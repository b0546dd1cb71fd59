"""Runs queries for rooms and pages, and moves through the journal."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, nullcontext
from typing import Any, Concatenate, ParamSpec, TypeVar

import structlog
from sqlalchemy import URL, Connection
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncEngine

from . import queries, timeouts
from .address import is_sqlite, parse_address, prepare_file, sqlite_file
from .checkpoints import Checkpoints, WriteTurn
from .damage import DamageReports
from .engine import WRITES, as_ours, make_engine
from .errors import DamagedRowError, DatabaseDamagedError, StoreSetupError, StoreUnavailableError
from .journal import Journal
from .migrate import migrate
from .reader import MovesReader
from .rows import (
    MoveRow,
)
from .sqlite_ledger import SqliteLedger

P = ParamSpec("P")
T = TypeVar("T")

MIGRATION_TIMEOUT = 300.0  # seconds
BEFORE_ALL = -(2**31)
"""Below any number a row can have: a move numbered before the first is damage, and must be seen."""

log = structlog.get_logger(__name__)


class Store:
    """Any call may raise StoreUnavailableError, within two seconds.

    After a write that raised it, or whose caller was cancelled, the outcome is unknown until it is read: the database
    may have committed without being able to say so.
    """

    def __init__(self, engine: AsyncEngine, journal: Journal, turn: AbstractAsyncContextManager[None]) -> None:
        self.journal = journal
        self.reports = DamageReports()
        self.damage: DatabaseDamagedError | None = None
        self._engine = engine
        self._turn = turn
        self._running: set[asyncio.Task[Any]] = set()
        self._moves = MovesReader(lambda wanted: self.read(queries.load_moves, wanted))

    async def read(self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a query in a transaction, and return its result."""
        return await self._answer(transact(self._engine, query, *args, **kwargs))

    async def read_list(
        self,
        query: Callable[Concatenate[Connection, P], Iterable[T | DamagedRowError]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> list[T]:
        """The rows of a query that are not damaged; the damaged ones are reported."""
        rows: list[T] = []
        for found in await self.read(query, *args, **kwargs):
            if isinstance(found, DamagedRowError):
                self.reports.report(found)
            else:
                rows.append(found)
        return rows

    async def write(self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a query that writes in a transaction, and return its result."""
        return await self._answer(self._take_turn(query, *args, **kwargs))

    async def load_moves(self, code: str, after: int = BEFORE_ALL) -> list[MoveRow]:
        """The moves with a number above `after`, in order."""
        return await self._moves.moves_of((code, after))

    async def append_move(self, code: str, move: MoveRow, end: str | None = None) -> None:
        """Returns when the move is committed; its `end` ends the room, and is its result, in the same transaction.

        Raises MoveTakenError when the number, or the seat's action id, is stored already, RoomOverError and
        UnknownRoomError when the room was ended or removed before.
        """
        try:
            await self.journal.append(code, move, end)
        except DatabaseDamagedError as error:
            self._note_damage(error)
            raise

    async def ping(self) -> None:
        """Try to write. On SQLite that needs the turn, the file's lock, and space on the disk.

        A database that was found damaged stays so until it is opened again.
        """
        if self.damage is not None:
            raise self.damage
        await self.write(queries.ping)

    async def close(self) -> None:
        """Wait for running queries, and close the database."""
        await self.journal.close()
        if self._running:
            await asyncio.wait(self._running, timeout=timeouts.ANSWER)
        await self._engine.dispose()

    async def _take_turn(self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Don't begin a write whose caller has stopped waiting: the caller was told that it failed."""
        due = asyncio.get_running_loop().time() + timeouts.ANSWER
        async with self._turn:
            if asyncio.get_running_loop().time() >= due:
                raise StoreUnavailableError("its turn to write came too late")
            return await transact(writing(self._engine), query, *args, **kwargs)

    async def _answer(self, work: Coroutine[Any, Any, T]) -> T:
        """Never cancel a running query (drivers mishandle it); just stop waiting."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._forget)
        done, _ = await asyncio.wait({task}, timeout=timeouts.ANSWER)
        if not done:
            raise StoreUnavailableError(f"no answer in {timeouts.ANSWER:g} s")
        try:
            with unavailable():
                return task.result()
        except DatabaseDamagedError as error:
            self._note_damage(error)
            raise

    def _note_damage(self, error: DatabaseDamagedError) -> None:
        """Count the whole database as damaged from now on, even where it can still be read or written."""
        if self.damage is None:
            self.damage = error
            log.error("database_damaged", detail=str(error))

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # looked at, lest asyncio complains when nobody waits any more


async def transact(
    engine: AsyncEngine, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
) -> T:
    async with engine.begin() as connection:
        return await connection.run_sync(query, *args, **kwargs)


def writing(engine: AsyncEngine) -> AsyncEngine:
    return engine.execution_options(**{WRITES: True})


@contextmanager
def unavailable() -> Generator[None]:
    """Turn the drivers' errors into ours, except those about wrong values."""
    try:
        yield
    except (IntegrityError, DataError):
        raise
    except DBAPIError as error:
        raise as_ours(error.orig) from error
    except PoolTimeoutError as error:
        raise StoreUnavailableError(error) from error


@asynccontextmanager
async def open_store(address: str) -> AsyncGenerator[Store]:
    """Opens the database, brings its schema up to date, and closes it in the end.

    Raises StoreSetupError when the address, the folder, the file or the schema is wrong.
    """
    url = parse_address(address)
    opened = open_sqlite_store(url) if is_sqlite(url) else open_postgres_store(url)
    async with opened as store:
        yield store


@asynccontextmanager
async def open_sqlite_store(url: URL) -> AsyncGenerator[Store]:
    file = sqlite_file(url)
    prepare_file(file)
    try:
        await bring_up_to_date(url)
    except StoreUnavailableError as error:
        raise StoreSetupError(f"The database {file} can't be opened. {error}") from error
    turn = WriteTurn(file)
    checkpoints = Checkpoints(file, turn)
    store = Store(make_engine(url), Journal(SqliteLedger(file, turn)), turn)
    try:
        yield store
    finally:
        await checkpoints.close()
        await store.close()


@asynccontextmanager
async def open_postgres_store(url: URL) -> AsyncGenerator[Store]:
    from .postgres_ledger import PostgresLedger  # noqa: PLC0415 - SQLite needs no psycopg

    await bring_up_to_date(url)
    store = Store(make_engine(url), Journal(PostgresLedger(url)), nullcontext())
    try:
        yield store
    finally:
        await store.close()


async def bring_up_to_date(url: URL) -> None:
    """Migrate with a separate engine, since it may take long."""
    engine = make_engine(url, MIGRATION_TIMEOUT)
    try:
        with unavailable():
            await transact(writing(engine), migrate)
    finally:
        await engine.dispose()
