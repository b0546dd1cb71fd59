"""Engines and connections for both databases."""

import sqlite3
from pathlib import Path
from typing import Any

from psycopg import DataError
from psycopg.abc import Buffer
from psycopg.types.datetime import TimestamptzLoader
from sqlalchemy import URL, Connection, event
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from . import timeouts
from .address import is_sqlite
from .errors import DatabaseDamagedError, StoreUnavailableError

CACHED = 256  # KB of the file that each connection keeps: the system keeps it for all of them
STATEMENTS_KEPT = 8  # by each such connection: one that stores many moves at once takes 1 KB for each
WRITES = "fogline_writes"


def make_engine(url: URL, patience: float | None = None) -> AsyncEngine:
    """One whose database gives up after these seconds, or after as many as for all."""
    patience = patience or timeouts.DATABASE
    return make_sqlite_engine(url, patience) if is_sqlite(url) else make_postgres_engine(url, patience)


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


def make_postgres_engine(url: URL, patience: float) -> AsyncEngine:
    engine = create_async_engine(
        url,
        pool_pre_ping=True,
        pool_timeout=patience,
        hide_parameters=True,
        connect_args=postgres_arguments(patience),
    )

    def connected(connection: Any, _record: object) -> None:
        connection.driver_connection.adapters.register_loader("timestamptz", TolerantTimes)

    event.listen(engine.sync_engine, "connect", connected)
    return engine


class TolerantTimes(TimestamptzLoader):
    """PostgreSQL keeps times that Python does not know, such as `infinity`: they make their own row unreadable only."""

    def load(self, data: Buffer) -> Any:
        try:
            return super().load(data)
        except DataError:
            return bytes(data)


def as_ours(error: BaseException | None) -> StoreUnavailableError:
    """What a driver has raised, as an error of the store."""
    return DatabaseDamagedError(error) if is_damage(error) else StoreUnavailableError(error)


def is_damage(error: BaseException | None) -> bool:
    """Whether the database says that its own files are broken."""
    on_sqlite = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the rest of the code is the detail
    on_postgres = getattr(error, "sqlstate", None)
    return on_sqlite in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB) or on_postgres in ("XX001", "XX002")


def open_sqlite(file: Path) -> sqlite3.Connection:
    """A plain connection, for threads of their own."""
    connection = sqlite3.connect(file, isolation_level=None, check_same_thread=False, cached_statements=STATEMENTS_KEPT)
    for pragma in sqlite_pragmas(timeouts.DATABASE):
        connection.execute(pragma)
    return connection


def tolerant_text(stored: bytes) -> str:
    """A text that is damaged makes its own row unreadable, not all rows that are read with it."""
    return stored.decode(errors="replace")


def sqlite_pragmas(patience: float) -> tuple[str, ...]:
    return (
        f"PRAGMA busy_timeout={milliseconds(patience)}",
        "PRAGMA journal_mode=WAL",
        "PRAGMA synchronous=FULL",
        "PRAGMA foreign_keys=ON",
        f"PRAGMA cache_size=-{CACHED}",
        "PRAGMA wal_autocheckpoint=0",  # Checkpoints does it, off the path of a move
    )


def postgres_arguments(patience: float) -> dict[str, Any]:
    """The kernel notices a dead server; the server ends what a stopped client has begun."""
    limits = {
        "default_transaction_isolation": r"read\ committed",
        "statement_timeout": milliseconds(patience),
        "idle_in_transaction_session_timeout": milliseconds(patience),
    }
    return {
        "connect_timeout": timeouts.CONNECTION,
        "tcp_user_timeout": milliseconds(patience),
        "keepalives_idle": 5,
        "keepalives_interval": 1,
        "keepalives_count": 3,
        "application_name": "fogline",
        "client_encoding": "utf8",  # whatever the host's environment says
        "options": " ".join(f"-c {name}={value}" for name, value in limits.items()),
    }


def milliseconds(seconds: float) -> int:
    return round(seconds * 1000)


def begin_sqlite(connection: Connection) -> None:
    """Who will write takes the lock before reading: a reader can't become a writer once another wrote."""
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
