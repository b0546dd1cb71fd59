"""Database addresses: parsing, and what SQLite needs of the file system."""

import os
import shlex
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from .errors import StoreSetupError

DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "sqlite+aiosqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}
ALLOWED = "sqlite:///PATH or postgresql://USER:PASSWORD@HOST:PORT/NAME"


def parse_address(text: str) -> URL:
    """The address with the driver for it. No error message contains the password."""
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise StoreSetupError(f"The database's address can't be read; allowed is {ALLOWED}.") from None
    if url.drivername not in DRIVERS:
        raise StoreSetupError(f"No database is known as {url.drivername!r}; allowed is {ALLOWED}.")
    if is_sqlite(url) and url.database in (None, "", ":memory:"):
        raise StoreSetupError("SQLite needs a file: sqlite:///PATH.")
    return url.set(drivername=DRIVERS[url.drivername])


def is_sqlite(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def sqlite_file(url: URL) -> Path:
    assert url.database is not None
    return Path(url.database)


def prepare_file(file: Path) -> None:
    """Make a SQLite file and its folder, which only their owner may read: the file holds what is hidden in games.

    Raises:
        StoreSetupError: they can't be made or written; the text says why and what to do.
    """
    folder = file.absolute().parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreSetupError(f"The folder {folder} can't be made ({error.strerror}). {remedy(folder)}") from error
    for path in (folder, file, *(file.with_name(file.name + end) for end in ("-wal", "-shm"))):
        if path.exists() and not os.access(path, os.W_OK, effective_ids=True):
            raise StoreSetupError(f"{path} can't be written by user {os.geteuid()}. {remedy(path)}")
    try:
        os.close(os.open(file, os.O_CREAT, 0o600))
    except OSError as error:
        raise StoreSetupError(f"{file} can't be opened ({error.strerror}). {remedy(folder)}") from error


def remedy(path: Path) -> str:
    """A command that makes the path writable. It names no parent folder, which may be `/`."""
    owner, name = f"{os.geteuid()}:{os.getegid()}", shlex.quote(str(path))
    command = f"chown {owner} {name}" if path.exists() else f"mkdir -p {name} && chown {owner} {name}"
    return f"Make it writable ({command}), or set FOGLINE_DATA_DIR to a folder that is."
