"""Keeps a second server from a database that is not shared through a bus.

On SQLite a server locks the database file itself, so that any name of it finds the lock, and a file beside it that
records which file the server opened. On PostgreSQL it holds an advisory lock (`postgres_lock`). The lock only guards
against wrong settings: no move depends on it, and a server that loses it keeps running.
"""

import asyncio
import fcntl
import os
import struct
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import structlog

from .address import is_sqlite, parse_address, prepare_file, sqlite_file
from .errors import InstanceLockedError, StoreSetupError
from .wal import keep_torn_log

LOCKED_BYTE = 1 << 62  # far beyond every byte that SQLite locks or writes
LOCK_LAYOUT = "hhqqi4x"  # struct flock of <fcntl.h>: type, whence, start, length, process
OVERLAP = 5.0  # seconds in which a server that is being replaced may still be shutting down
RETRY = 0.2  # seconds between two attempts

SEVERAL = (
    "For several servers set FOGLINE_DATABASE_URL=postgresql://... and FOGLINE_BUS_URL=redis://... for each of them"
)

log = structlog.get_logger(__name__)


@asynccontextmanager
async def hold_instance_lock(address: str, *, shared: bool) -> AsyncGenerator[None]:
    """Hold the database for this server: alone on SQLite, and on PostgreSQL unless a bus makes it `shared`.

    Raises:
        InstanceLockedError: another server holds it; the text says what to set.
    """
    url = parse_address(address)
    if is_sqlite(url):
        lock = hold_file_lock(sqlite_file(url))
    else:
        from .postgres_lock import hold_advisory_lock  # noqa: PLC0415 - SQLite needs no psycopg

        lock = hold_advisory_lock(url, shared=shared)
    async with lock:
        yield


@asynccontextmanager
async def hold_file_lock(database: Path) -> AsyncGenerator[None]:
    """The kernel releases the locks when the process ends, however it ends."""
    prepare_file(database)
    path = lock_path(database)
    taken = f"Another server uses {database}. {SEVERAL}, or give this one a FOGLINE_DATA_DIR of its own."
    try:
        file = path.open("ab")
    except OSError as error:
        raise StoreSetupError(f"{path} can't be written ({error.strerror}).") from error
    with file, database.open("r+b") as opened:
        await acquire(lambda: lock_files(file.fileno(), opened.fileno()), taken)
        file.truncate(0)
        file.write(identity(database))
        file.flush()
        keep_torn_log(database)  # before anything opens the file, since that removes the log
        yield


def has_lost_file(database: Path) -> bool:
    """Whether a running server opened a file of this name that has since been removed or replaced."""
    try:
        with lock_path(database).open("rb") as file:
            if can_lock(file.fileno()):
                return False
            held = file.read()
    except OSError:
        return False
    return held not in (b"", identity(database))  # older servers wrote nothing


def need_same_name(address: str) -> None:
    """Refuse a SQLite file that a server opened through another hard link.

    Each name has its own write-ahead log, so opening the file by both would damage it. Where no server uses the file,
    a torn log is kept.

    Raises:
        InstanceLockedError: a server did.
    """
    url = parse_address(address)
    if not is_sqlite(url) or not sqlite_file(url).exists():
        return
    database = sqlite_file(url).resolve()
    with database.open("rb") as opened:
        if not is_byte_locked(opened.fileno()):
            keep_torn_log(database)
            return
    try:
        with lock_path(database).open("rb") as file:
            if not can_lock(file.fileno()):
                return
    except FileNotFoundError:
        pass
    raise InstanceLockedError(
        f"A server uses the file {database} by another name; say the name that it was started with."
    )


def lock_path(database: Path) -> Path:
    """Beside the file itself, not beside a link to it."""
    real = database.resolve()
    return real.with_name(f"{real.name}.lock")


def identity(file: Path) -> bytes:
    """The device and inode, which no other file has while any process holds this one open."""
    try:
        found = file.stat()
    except FileNotFoundError:
        return b"none"
    return b"%d:%d\n" % (found.st_dev, found.st_ino)


async def lock_files(lock_file: int, database: int) -> bool:
    return can_lock(lock_file) and can_lock_byte(database)


def can_lock_byte(descriptor: int) -> bool:
    """Lock a byte of the file that SQLite never locks; True also where the file system has no such locks.

    The lock belongs to the open file description, not to the process, so SQLite doesn't drop it when it closes
    another descriptor of the same file.
    """
    try:
        lock_byte(descriptor, "F_OFD_SETLK")
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        log.warning("file_not_locked", detail="The database's file system knows no such locks.")
    return True


def is_byte_locked(descriptor: int) -> bool:
    """Whether another open file description holds the lock of `can_lock_byte`."""
    try:
        kind, *_ = struct.unpack(LOCK_LAYOUT, lock_byte(descriptor, "F_OFD_GETLK"))
    except OSError:
        return False
    return bool(kind != fcntl.F_UNLCK)


def lock_byte(descriptor: int, command: str) -> bytes:
    """Raises OSError where the system has no such locks; Linux has them."""
    if not hasattr(fcntl, command):
        raise OSError(f"no {command}")
    asked = struct.pack(LOCK_LAYOUT, fcntl.F_WRLCK, os.SEEK_SET, LOCKED_BYTE, 1, 0)
    return bytes(fcntl.fcntl(descriptor, getattr(fcntl, command), asked))


def can_lock(descriptor: int) -> bool:
    """Lock the whole file, unless another process has."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


async def acquire(attempt: Callable[[], Awaitable[bool]], taken: str) -> None:
    """Retry for a while, because a server that is being replaced may still be shutting down.

    Raises:
        InstanceLockedError: no attempt succeeded; its text is `taken`.
    """
    loop = asyncio.get_running_loop()
    until = loop.time() + OVERLAP
    while not await attempt():
        if loop.time() > until:
            raise InstanceLockedError(taken)
        await asyncio.sleep(RETRY)
