"""The instance lock on PostgreSQL: an advisory lock that a connection of its own holds."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import psycopg
import structlog
from sqlalchemy import URL

from . import timeouts
from .errors import StoreSetupError
from .instance_lock import SEVERAL, acquire
from .postgres_engine import postgres_arguments

LOCK = 0x666F67706C616365
"""An arbitrary number that no other program uses. Servers of all versions must agree on it."""
CHECK = 5.0  # seconds between two checks that the lock is still held

log = structlog.get_logger(__name__)


@asynccontextmanager
async def hold_advisory_lock(url: URL, *, shared: bool) -> AsyncGenerator[None]:
    """Hold the lock, exclusively unless shared, and take it again after the database was away."""
    lock = AdvisoryLock(url, shared=shared)
    try:
        await acquire_lock(lock, shared=shared)
        keeper = asyncio.create_task(lock.keep(), name="instance lock")
        try:
            yield
        finally:
            keeper.cancel()
            await asyncio.wait({keeper})
    finally:
        await lock.close()


async def acquire_lock(lock: "AdvisoryLock", *, shared: bool) -> None:
    who = (
        "Another server uses this database" if shared else "Another server uses this database, and this one has no bus"
    )
    try:
        await acquire(lock.lock, f"{who}. {SEVERAL}.")
    except psycopg.Error as error:
        raise StoreSetupError(f"The database can't be reached: {error}") from error


class AdvisoryLock:
    """A connection that holds the lock as long as it lasts."""

    def __init__(self, url: URL, *, shared: bool) -> None:
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._query = f"SELECT pg_try_advisory_lock{'_shared' if shared else ''}(%s)"
        self._connection: psycopg.AsyncConnection[tuple[bool]] | None = None

    async def lock(self) -> bool:
        """Whether the lock is held now."""
        if self._connection is None:
            self._connection = await psycopg.AsyncConnection.connect(self._address, autocommit=True, **arguments())
        found = await (await self._connection.execute(self._query, [LOCK])).fetchone()
        return found == (True,)

    async def keep(self) -> None:
        """Check the connection, and take the lock again after the database was away."""
        while True:
            await asyncio.sleep(CHECK)
            try:
                await self._check()
            except (psycopg.Error, OSError):
                await self.close()

    async def _check(self) -> None:
        if self._connection is not None:
            await self._connection.execute("SELECT 1")
        elif not await self.lock():
            log.error("instance_lock_lost", detail="Another server uses this database. " + SEVERAL)
            await self.close()

    async def close(self) -> None:
        if self._connection is not None:
            await self._connection.close()
            self._connection = None


def arguments() -> dict[str, Any]:
    """PostgreSQL releases the lock within seconds after this machine has vanished."""
    plain = postgres_arguments(timeouts.DATABASE)
    return plain | {"options": f"{plain['options']} -c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2"}
