"""Engines for both databases, and connections to SQLite. `postgres_engine` has what is PostgreSQL's alone."""

import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, event
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from . import timeouts
from .address import is_sqlite
from .errors import DatabaseDamagedError, StoreUnavailableError

CACHED = 256  # KB of page cache for each connection: the system's own cache holds the file for all of them
STATEMENTS_KEPT = 8  # prepared statements kept by a connection: one that stores many moves takes 1 KB a move
WRITES = "fogline_writes"


def make_engine(url: URL, patience: float | None = None) -> AsyncEngine:
    """The database cancels a statement after `patience` seconds; the default is `timeouts.DATABASE`."""
    patience = patience or timeouts.DATABASE
    if is_sqlite(url):
        return make_sqlite_engine(url, patience)
    from .postgres_engine import make_postgres_engine  # noqa: PLC0415 - SQLite needs no psycopg

    return make_postgres_engine(url, patience)


def make_sqlite_engine(url: URL, patience: float) -> AsyncEngine:
    engine = create_async_engine(
        url, pool_size=4, pool_timeout=patience, hide_parameters=True, connect_args={"isolation_level": None}
    )

    def connected(connection: Any, _record: object) -> None:
        cursor = connection.cursor()
        for pragma in sqlite_pragmas(patience):
            cursor.execute(pragma)
        cursor.close()
        connection.driver_connection.text_factory = tolerant_text

    event.listen(engine.sync_engine, "connect", connected)
    event.listen(engine.sync_engine, "begin", begin_sqlite)
    return engine


def as_ours(error: BaseException | None) -> StoreUnavailableError:
    """The store's error for one that a driver raised."""
    return DatabaseDamagedError(error) if is_damage(error) else StoreUnavailableError(error)


def is_damage(error: BaseException | None) -> bool:
    """Whether the database reports that its own files are damaged."""
    on_sqlite = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the upper bits are the extended code
    on_postgres = getattr(error, "sqlstate", None)
    return on_sqlite in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB) or on_postgres in ("XX001", "XX002")


def open_sqlite(file: Path) -> sqlite3.Connection:
    """A plain connection, for threads of their own."""
    connection = sqlite3.connect(file, isolation_level=None, check_same_thread=False, cached_statements=STATEMENTS_KEPT)
    for pragma in sqlite_pragmas(timeouts.DATABASE):
        connection.execute(pragma)
    return connection


def tolerant_text(stored: bytes) -> str:
    """Damaged text makes only its own row unreadable, not all rows that are read with it."""
    return stored.decode(errors="replace")


def sqlite_pragmas(patience: float) -> tuple[str, ...]:
    return (
        f"PRAGMA busy_timeout={milliseconds(patience)}",
        "PRAGMA journal_mode=WAL",
        "PRAGMA synchronous=FULL",
        "PRAGMA foreign_keys=ON",
        f"PRAGMA cache_size=-{CACHED}",
        "PRAGMA wal_autocheckpoint=0",  # `Checkpoints` does it, outside of the path of a move
    )


def milliseconds(seconds: float) -> int:
    return round(seconds * 1000)


def begin_sqlite(connection: Connection) -> None:
    """A transaction that will write locks before it reads: a reader can't upgrade once another one has written."""
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
