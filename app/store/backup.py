"""Saves a database to a file while it is in use, and restores it into either kind of database."""

from collections.abc import Iterator
from datetime import datetime
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import IO, Any

from sqlalchemy import URL, Connection, MetaData, column, delete, func, insert, select, table
from sqlalchemy.exc import DataError, IntegrityError, ProgrammingError
from sqlalchemy.ext.asyncio import AsyncEngine

from .address import is_sqlite, parse_address, prepare_file, sqlite_file
from .archive import Row, examine, rows_of, write_archive
from .engine import make_engine
from .errors import ArchiveError, DatabaseDamagedError, NotEmptyError, StoreSetupError
from .migrate import find_revision, lock, migrate
from .store import MIGRATION_TIMEOUT, transact, unavailable, writing
from .tables import installation, metadata
from .wal import kept_log

AT_ONCE = 1000
OURS = (*metadata.tables, "alembic_version")
NO_CONTENT = ("alembic_version", installation.name)
"""Tables that a new database has filled already."""


async def save(address: str, file: IO[bytes], now: datetime) -> int:
    """Write all rows, as of one moment, into a file; returns their number. Games go on meanwhile."""
    url = parse_address(address)
    if is_sqlite(url) and not sqlite_file(url).exists():
        raise StoreSetupError(f"There is no database {sqlite_file(url)}.")
    engine = make_engine(url, MIGRATION_TIMEOUT)
    try:
        with unavailable():
            return await transact(at_one_moment(engine, url), save_rows, file, now)
    finally:
        await engine.dispose()


def at_one_moment(engine: AsyncEngine, url: URL) -> AsyncEngine:
    """An engine whose transactions read one snapshot; on SQLite every transaction does."""
    if is_sqlite(url):
        return engine
    return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def save_rows(connection: Connection, file: IO[bytes], now: datetime) -> int:
    revision = find_revision(connection)
    if revision is None:
        raise StoreSetupError("This database holds nothing of Fogline.")
    return write_archive(file, revision, now, all_rows(connection))


def all_rows(connection: Connection) -> Iterator[Row]:
    for kept in tables_of(connection).sorted_tables:
        if kept.name == "alembic_version":
            continue
        query = select(kept).order_by(*kept.primary_key.columns).execution_options(yield_per=AT_ONCE)
        for row in connection.execute(query).mappings():
            yield kept.name, dict(row)


def tables_of(connection: Connection) -> MetaData:
    """Fogline's tables as the database has them, whatever its schema."""
    found = MetaData()
    found.reflect(connection, only=lambda name, _: name in OURS)
    return found


async def load(address: str, path: Path, *, replace: bool) -> int:
    """Fill a database from a file, completely or not at all; returns the number of rows.

    Raises:
        ArchiveError: the file is not a sound backup.
        NotEmptyError: the database is not empty, and `replace` is not set.
    """
    header = examine(path)
    url = parse_address(address)
    if is_sqlite(url):
        prepare_file(sqlite_file(url))
    try:
        count = await fill(url, path, header.schema, replace)
    except DatabaseDamagedError:
        if not replace or not is_sqlite(url):
            raise
        set_aside(sqlite_file(url))
        prepare_file(sqlite_file(url))
        count = await fill(url, path, header.schema, replace)
    if is_sqlite(url):
        kept_log(sqlite_file(url)).unlink(missing_ok=True)
    return count


async def fill(url: URL, path: Path, schema: str, replace: bool) -> int:  # noqa: FBT001 - passed on
    engine = make_engine(url, MIGRATION_TIMEOUT)
    try:
        with unavailable():
            return await transact(writing(engine), load_rows, path, schema, replace)
    except (IntegrityError, DataError, ProgrammingError) as error:
        reason = str(error.orig).partition("\n")[0]
        raise ArchiveError(
            f"{path} has a row that was damaged when it was saved ({reason}). Nothing was changed. "
            "Take an older backup, or repair the row where it was saved and save again."
        ) from error
    finally:
        await engine.dispose()


def set_aside(file: Path) -> None:
    """Rename a damaged file and its log: SQLite can't empty it, and somebody may want to examine it."""
    for suffix in ("", "-wal", "-shm"):
        part = file.with_name(f"{file.name}{suffix}")
        if part.exists():
            part.rename(file.with_name(f"{file.name}.damaged{suffix}"))


def load_rows(connection: Connection, path: Path, schema: str, replace: bool) -> int:  # noqa: FBT001 - passed on
    lock(connection)
    present = tables_of(connection)
    if not replace and any(is_filled(connection, name) for name in present.tables if name not in NO_CONTENT):
        raise NotEmptyError
    known_as = take_installation(connection)
    present.drop_all(connection)
    migrate(connection, revision=schema)
    is_named = bool(take_installation(connection))
    count = sum(insert_rows(connection, name, rows) for name, rows in groupby(rows_of(path), itemgetter(0)))
    migrate(connection)
    if known_as and not is_named:
        take_installation(connection)
        connection.execute(insert(installation), known_as)
    return count


def take_installation(connection: Connection) -> list[dict[str, Any]]:
    """Remove the installation's row and return it, as a list that is empty in schemas without that table.

    A backup brings its own row. One of an older schema does not; then the present row stays, so that cookies keep
    their name.
    """
    if installation.name not in tables_of(connection).tables:
        return []
    found = [dict(row) for row in connection.execute(select(installation)).mappings()]
    connection.execute(delete(installation))
    return found


def is_filled(connection: Connection, name: str) -> bool:
    return bool(connection.scalar(select(func.count()).select_from(table(name))))


def insert_rows(connection: Connection, name: str, rows: Iterator[Row]) -> int:
    """Insert rows of one table that have the same columns."""
    count = 0
    while some := [values for _, values in islice(rows, AT_ONCE)]:
        connection.execute(insert(table(name, *map(column, some[0]))), some)
        count += len(some)
    return count
