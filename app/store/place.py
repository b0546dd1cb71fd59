"""A server's place at a database: alone, or with others who share it. Who would not be heard by others is refused.

On SQLite a lock on the database's file stands for it, whatever name it was opened by, and one on a file beside it
that says which file the holder uses; on PostgreSQL an advisory lock of a session of its own. It guards against wrong
settings only: no move depends on it, and a server that has lost it goes on.
"""

import asyncio
import fcntl
import os
import struct
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psycopg
import structlog
from sqlalchemy import URL

from . import waits
from .address import is_sqlite, parse_address, prepare_file, sqlite_file
from .engine import postgres_arguments
from .errors import PlaceTakenError, StoreSetupError

PLACE = 0x666F67706C616365  # "fogplace": any number that is ours
LOCKED_BYTE = 1 << 62  # far behind any that SQLite locks or writes
LOCK_LAYOUT = "hhqqi4x"  # struct flock of <fcntl.h>: type, whence, start, length, process
OVERLAP = 5.0  # seconds in which a server that is being replaced may still be ending
PAUSE = 0.2  # seconds between two attempts
LOOK = 5.0  # seconds between two looks at a place that is held

SEVERAL = (
    "For several servers set FOGLINE_DATABASE_URL=postgresql://... and FOGLINE_BUS_URL=redis://... for each of them"
)

log = structlog.get_logger(__name__)


@asynccontextmanager
async def hold_place(address: str, *, shared: bool) -> AsyncGenerator[None]:
    """Hold a place at the database: on SQLite alone, on PostgreSQL with others if `shared` by a bus.

    Raises:
        PlaceTakenError: it can't be had; the text says what to set.
    """
    url = parse_address(address)
    place = hold_file(sqlite_file(url)) if is_sqlite(url) else hold_lock(url, shared=shared)
    async with place:
        yield


@asynccontextmanager
async def hold_file(database: Path) -> AsyncGenerator[None]:
    """The lock ends with the process, however it ends."""
    prepare_file(database)
    path = lock_of(database)
    taken = f"Another server uses {database}. {SEVERAL}, or give this one a FOGLINE_DATA_DIR of its own."
    try:
        file = path.open("ab")
    except OSError as error:
        raise StoreSetupError(f"{path} can't be written ({error.strerror}).") from error
    with file, database.open("r+b") as itself:
        await until_had(lambda: lock_files(file.fileno(), itself.fileno()), taken)
        file.truncate(0)
        file.write(identity(database))
        file.flush()
        yield


def has_lost_file(database: Path) -> bool:
    """Whether a server uses a file that had this name, and has it no more."""
    try:
        with lock_of(database).open("rb") as file:
            if can_lock(file.fileno()):
                return False
            held = file.read()
    except OSError:
        return False
    return held not in (b"", identity(database))  # servers of before did not say which


def need_same_name(address: str) -> None:
    """Who opens a SQLite file by another hard link than a server does has another log, and would damage it.

    Raises:
        PlaceTakenError: a server does.
    """
    url = parse_address(address)
    if not is_sqlite(url) or not sqlite_file(url).exists():
        return
    database = sqlite_file(url).resolve()
    with database.open("rb") as itself:
        if not is_locked(itself.fileno()):
            return
    try:
        with lock_of(database).open("rb") as file:
            if not can_lock(file.fileno()):
                return
    except FileNotFoundError:
        pass
    raise PlaceTakenError(f"A server uses the file {database} by another name; say the name that it was started with.")


def lock_of(database: Path) -> Path:
    """Beside the file itself, not beside a link to it."""
    real = database.resolve()
    return real.with_name(f"{real.name}.lock")


def identity(file: Path) -> bytes:
    """What no other file has as long as anybody uses this one."""
    try:
        there = file.stat()
    except FileNotFoundError:
        return b"none"
    return b"%d:%d\n" % (there.st_dev, there.st_ino)


async def lock_files(beside: int, itself: int) -> bool:
    return can_lock(beside) and can_lock_byte(itself)


def can_lock_byte(descriptor: int) -> bool:
    """Whether a byte of the file could be locked that SQLite never does.

    The lock belongs to the open file, not to the process: SQLite, which closes files of the same name, can't undo it.
    """
    try:
        lock_byte(descriptor, "F_OFD_SETLK")
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        log.warning("file_not_locked", detail="The database's file system knows no such locks.")
    return True


def is_locked(descriptor: int) -> bool:
    """Whether another open file has this lock."""
    try:
        kind, *_ = struct.unpack(LOCK_LAYOUT, lock_byte(descriptor, "F_OFD_GETLK"))
    except OSError:
        return False
    return bool(kind != fcntl.F_UNLCK)


def lock_byte(descriptor: int, command: str) -> bytes:
    """Raises OSError where the system has no such locks; Linux has."""
    if not hasattr(fcntl, command):
        raise OSError(f"no {command}")
    asked = struct.pack(LOCK_LAYOUT, fcntl.F_WRLCK, os.SEEK_SET, LOCKED_BYTE, 1, 0)
    return bytes(fcntl.fcntl(descriptor, getattr(fcntl, command), asked))


def can_lock(descriptor: int) -> bool:
    """Whether it could be had."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


async def until_had(attempt: Callable[[], Awaitable[bool]], taken: str) -> None:
    """Try for a while, since a server that is being replaced may still be ending."""
    loop = asyncio.get_running_loop()
    until = loop.time() + OVERLAP
    while not await attempt():
        if loop.time() > until:
            raise PlaceTakenError(taken)
        await asyncio.sleep(PAUSE)


@asynccontextmanager
async def hold_lock(url: URL, *, shared: bool) -> AsyncGenerator[None]:
    """Alone unless shared; while it is held, a task sees to it that it still is."""
    session = Session(url, shared=shared)
    try:
        await take(session, shared=shared)
        keeper = asyncio.create_task(session.keep(), name="place")
        try:
            yield
        finally:
            keeper.cancel()
            await asyncio.wait({keeper})
    finally:
        await session.close()


async def take(session: "Session", *, shared: bool) -> None:
    who = (
        "Another server uses this database" if shared else "Another server uses this database, and this one has no bus"
    )
    try:
        await until_had(session.lock, f"{who}. {SEVERAL}.")
    except psycopg.Error as error:
        raise StoreSetupError(f"The database can't be reached: {error}") from error


class Session:
    """A connection that holds the lock as long as it lasts."""

    def __init__(self, url: URL, *, shared: bool) -> None:
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._question = f"SELECT pg_try_advisory_lock{'_shared' if shared else ''}(%s)"
        self._connection: psycopg.AsyncConnection[tuple[bool]] | None = None

    async def lock(self) -> bool:
        """Whether it could be had."""
        if self._connection is None:
            self._connection = await psycopg.AsyncConnection.connect(self._address, autocommit=True, **arguments())
        found = await (await self._connection.execute(self._question, [PLACE])).fetchone()
        return found == (True,)

    async def keep(self) -> None:
        """Look now and then, and take the place again after the database was away."""
        while True:
            await asyncio.sleep(LOOK)
            try:
                await self._look()
            except (psycopg.Error, OSError):
                await self.close()

    async def _look(self) -> None:
        if self._connection is not None:
            await self._connection.execute("SELECT 1")
        elif not await self.lock():
            log.error("place_lost", detail="Another server uses this database. " + SEVERAL)
            await self.close()

    async def close(self) -> None:
        """Let it go."""
        if self._connection is not None:
            await self._connection.close()
            self._connection = None


def arguments() -> dict[str, Any]:
    """The server lets go of the lock soon after this machine has vanished."""
    plain = postgres_arguments(waits.DATABASE)
    return plain | {"options": f"{plain['options']} -c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2"}
