"""The journal's PostgreSQL side: one statement stores a batch, on a connection of its own."""

import asyncio
import os
import socket
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import psycopg
from sqlalchemy import URL

from . import timeouts
from .engine import as_ours
from .journal import Append, MoveKey, Outcome, outcomes_of
from .postgres_engine import postgres_arguments

Connection = psycopg.AsyncConnection[tuple[Any, ...]]

COLUMNS = "room, number, seat, action, action_id, at, kind, made_by"
SENT = f"""
    SELECT * FROM unnest(
        %s::text[], %s::int[], %s::int[], %s::text[], %s::text[], %s::timestamptz[], %s::text[], %s::text[], %s::text[]
    ) AS sent ({COLUMNS}, game_end)
"""  # noqa: S608 - made of constants
# Sorted, so that two processes lock in the same order. The lock waits for a transaction that ends or removes the room,
# and a room that is over after that is left out.
APPEND = f"""
WITH sent AS ({SENT}), going_on AS (
    SELECT code FROM rooms WHERE code IN (SELECT room FROM sent) AND status <> 'over' ORDER BY code FOR KEY SHARE
), stored AS (
    INSERT INTO moves ({COLUMNS})
    SELECT {COLUMNS} FROM sent JOIN going_on ON code = room ORDER BY room, number
    ON CONFLICT DO NOTHING RETURNING room, number
), ended AS (
    UPDATE rooms SET status = 'over', ended_at = sent.at
    FROM sent JOIN stored USING (room, number) WHERE game_end IS NOT NULL AND rooms.code = sent.room
), resulted AS (
    INSERT INTO results (room, scores)
    SELECT room, game_end FROM sent JOIN stored USING (room, number) WHERE game_end IS NOT NULL
    ON CONFLICT DO NOTHING
)
SELECT room, number FROM stored
"""  # noqa: S608 - made of constants
FIND = f"""
WITH sent AS ({SENT})
SELECT room, number FROM moves JOIN sent USING ({COLUMNS})
"""  # noqa: S608
STATUSES = "SELECT code, status FROM rooms WHERE code = ANY(%s)"


class PostgresLedger:
    def __init__(self, url: URL) -> None:
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._connection: Connection | None = None

    async def commit(self, batch: Sequence[Append]) -> dict[MoveKey, Outcome]:
        try:
            stored = await self._commit(batch)
            missing = [entry.room for entry in batch if entry.key not in stored]
            return outcomes_of(batch, stored, await self._statuses(missing) if missing else {})
        except psycopg.DataError:
            raise
        except psycopg.Error as error:
            await self.close()
            raise as_ours(error) from error

    async def close(self) -> None:
        if self._connection is not None:
            await self._connection.close()
            self._connection = None

    async def _commit(self, batch: Sequence[Append]) -> set[MoveKey]:
        """Retry once on a connection that was cut since its last use, so that no move is lost by that."""
        served = self._connection
        try:
            return await self._run(APPEND, batch)
        except psycopg.OperationalError:
            if served is None or not served.closed:
                raise
            await self.close()
            return await self._commit_again(batch)

    async def _commit_again(self, batch: Sequence[Append]) -> set[MoveKey]:
        """The outcome of the lost commit is unknown: a row that equals what was sent is ours."""
        wanted = [entry for entry in batch if not entry.stored.done()]
        await self._run(APPEND, wanted)
        return await self._run(FIND, wanted)

    async def _run(self, statement: str, batch: Sequence[Append]) -> set[MoveKey]:
        return {(room, number) for room, number in await self._fetch(statement, columns(batch))}

    async def _statuses(self, codes: Sequence[str]) -> dict[str, str]:
        return {code: status for code, status in await self._fetch(STATUSES, [codes])}  # noqa: C416 - rows are tuples

    async def _fetch(self, statement: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        connection = await self._connect()
        overdue = asyncio.get_running_loop().call_later(timeouts.ANSWER, sever, connection)
        try:
            return await (await connection.execute(statement, values)).fetchall()
        finally:
            overdue.cancel()

    async def _connect(self) -> Connection:
        if self._connection is None:
            self._connection = await psycopg.AsyncConnection.connect(
                self._address, autocommit=True, **postgres_arguments(timeouts.DATABASE)
            )
        return self._connection


def sever(connection: Connection) -> None:
    """Shut the socket down, so that whoever waits on it gets an error; cancelling would wait for the server."""
    with suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(connection.fileno())) as line:
        line.shutdown(socket.SHUT_RDWR)


def columns(batch: Sequence[Append]) -> list[list[Any]]:
    entries = [(entry.room, entry.move, entry.end) for entry in batch]
    return [
        [room for room, _, _ in entries],
        [move.number for _, move, _ in entries],
        [move.seat for _, move, _ in entries],
        [move.action for _, move, _ in entries],
        [move.action_id for _, move, _ in entries],
        [move.at for _, move, _ in entries],
        [move.kind for _, move, _ in entries],
        [move.made_by for _, move, _ in entries],
        [end for _, _, end in entries],
    ]
