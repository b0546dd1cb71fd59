"""Engines for both databases."""

from typing import Any

from sqlalchemy import URL, Connection, event
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from .address import is_sqlite

PATIENCE = 2.0  # seconds until an answer that has not come is given up

SQLITE_PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
    f"PRAGMA busy_timeout={int(PATIENCE * 1000)}",
    "PRAGMA wal_autocheckpoint=0",  # the journal sees to it, off the path of a move
)
# a dead peer is noticed by the kernel, a stopped client's transaction is ended by the server
POSTGRES_CONNECT: dict[str, Any] = {
    "connect_timeout": int(PATIENCE),
    "tcp_user_timeout": int(PATIENCE * 1000),
    "keepalives_idle": 5,
    "keepalives_interval": 1,
    "keepalives_count": 3,
    "application_name": "fogline",
}
POSTGRES_LIMITS = {
    "statement_timeout": int(PATIENCE * 1000),
    "idle_in_transaction_session_timeout": int(PATIENCE * 1000),
}
WRITES = "fogline_writes"


def make_engine(url: URL) -> AsyncEngine:
    return make_sqlite_engine(url) if is_sqlite(url) else make_postgres_engine(url)


def make_sqlite_engine(url: URL) -> AsyncEngine:
    engine = create_async_engine(
        url,
        pool_size=4,
        pool_timeout=PATIENCE,
        hide_parameters=True,
        connect_args={"isolation_level": None},
    )
    event.listen(engine.sync_engine, "connect", set_pragmas)
    event.listen(engine.sync_engine, "begin", begin_sqlite)
    return engine


def make_postgres_engine(url: URL) -> AsyncEngine:
    return create_async_engine(
        url,
        isolation_level="READ COMMITTED",
        pool_pre_ping=True,
        pool_timeout=PATIENCE,
        hide_parameters=True,
        connect_args=postgres_arguments(POSTGRES_LIMITS),
    )


def postgres_arguments(limits: dict[str, int]) -> dict[str, Any]:
    return POSTGRES_CONNECT | {"options": " ".join(f"-c {name}={value}" for name, value in limits.items())}


def set_pragmas(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    for pragma in SQLITE_PRAGMAS:
        cursor.execute(pragma)
    cursor.close()


def begin_sqlite(connection: Connection) -> None:
    """A writer takes its lock before it reads: a reader's lock can't be raised when another wrote meanwhile."""
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
