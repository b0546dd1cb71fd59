"""Moves into PostgreSQL: one statement a batch on a connection of its own, which is its own transaction."""

from collections.abc import Sequence
from typing import Any

import psycopg
from sqlalchemy import URL

from .engine import POSTGRES_LIMITS, postgres_arguments
from .errors import StoreUnavailableError, UnknownRoomError
from .journal import Append, MoveKey

# sorted, so that two processes lock in the same order
APPEND = """
WITH sent AS (
    SELECT * FROM unnest(
        %s::text[], %s::int[], %s::int[], %s::text[], %s::text[], %s::timestamptz[], %s::bool[]
    ) AS sent (room, number, seat, action, action_id, at, over)
), stored AS (
    INSERT INTO moves (room, number, seat, action, action_id, at)
    SELECT room, number, seat, action, action_id, at FROM sent ORDER BY room, number
    ON CONFLICT DO NOTHING RETURNING room, number
), ended AS (
    UPDATE rooms SET status = 'over', ended_at = sent.at
    FROM sent JOIN stored USING (room, number) WHERE sent.over AND rooms.code = sent.room
)
SELECT room, number FROM stored
"""


class PostgresLedger:
    def __init__(self, url: URL) -> None:
        self._conninfo = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._connection: psycopg.AsyncConnection[tuple[Any, ...]] | None = None

    async def commit(self, batch: Sequence[Append]) -> set[MoveKey]:
        try:
            return await self._append(batch)
        except psycopg.errors.ForeignKeyViolation as error:
            raise UnknownRoomError(batch[0].room) from error
        except psycopg.OperationalError as error:
            await self.close()
            raise StoreUnavailableError(error) from error

    async def close(self) -> None:
        if self._connection is not None:
            await self._connection.close()
            self._connection = None

    async def _append(self, batch: Sequence[Append]) -> set[MoveKey]:
        connection = await self._connect()
        cursor = await connection.execute(APPEND, columns(batch))
        return set(await cursor.fetchall())

    async def _connect(self) -> psycopg.AsyncConnection[tuple[Any, ...]]:
        if self._connection is None:
            self._connection = await psycopg.AsyncConnection.connect(
                self._conninfo, autocommit=True, **postgres_arguments(POSTGRES_LIMITS)
            )
        return self._connection


def columns(batch: Sequence[Append]) -> list[list[Any]]:
    rows = [
        (entry.room, move.number, move.seat, move.action, move.action_id, move.at, entry.over)
        for entry in batch
        for move in [entry.move]
    ]
    return [list(column) for column in zip(*rows, strict=True)]
