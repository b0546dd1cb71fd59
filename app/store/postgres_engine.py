"""SQLAlchemy's engine and connection arguments for PostgreSQL."""

from typing import Any

from psycopg import DataError
from psycopg.abc import Buffer
from psycopg.types.datetime import TimestamptzLoader
from sqlalchemy import URL, event
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from . import timeouts
from .engine import milliseconds


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
    """PostgreSQL stores times that Python can't represent, such as `infinity`: only their own row is unreadable."""

    def load(self, data: Buffer) -> Any:
        try:
            return super().load(data)
        except DataError:
            return bytes(data)


def postgres_arguments(patience: float) -> dict[str, Any]:
    """The kernel notices a dead server; the server cancels what a stopped client left behind."""
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
