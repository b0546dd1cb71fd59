"""The journal's SQLite side: a thread with a connection of its own."""

import asyncio
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .checkpoints import WriteTurn
from .engine import as_ours, open_sqlite
from .journal import Append, MoveKey, Outcome, outcomes_of
from .tables import as_text

COLUMNS = "room, number, seat, action, action_id, at, kind, made_by"
SENT = "(?, ?, ?, ?, ?, ?, ?, ?)"
# begins with INSERT, because sqlite3 counts no rows of a statement that begins with WITH
APPEND = f"""
INSERT INTO moves ({COLUMNS})
WITH sent ({COLUMNS}) AS (VALUES {{}})
SELECT sent.* FROM sent WHERE EXISTS (SELECT 1 FROM rooms WHERE code = room AND status <> 'over')
ON CONFLICT DO NOTHING
"""  # noqa: S608 - made of constants
FIND = f"""
WITH sent ({COLUMNS}) AS (VALUES {{}})
SELECT room, number FROM moves JOIN sent USING ({COLUMNS})
"""  # noqa: S608
STATUSES = "SELECT code, status FROM rooms WHERE code IN ({})"
END = "UPDATE rooms SET status = 'over', ended_at = ? WHERE code = ?"
RESULT = "INSERT INTO results (room, scores) VALUES (?, ?) ON CONFLICT DO NOTHING"


class SqliteLedger:
    def __init__(self, file: Path, turn: WriteTurn) -> None:
        self._file = file
        self._turn = turn
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal")
        self._connection: sqlite3.Connection | None = None

    async def commit(self, batch: Sequence[Append]) -> dict[MoveKey, Outcome]:
        async with self._turn:
            return await asyncio.get_running_loop().run_in_executor(self._thread, self._commit, batch)

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, self._disconnect)
        self._thread.shutdown()

    def _commit(self, batch: Sequence[Append]) -> dict[MoveKey, Outcome]:
        try:
            return self._append(batch)
        except sqlite3.Error as error:
            self._disconnect()
            raise as_ours(error) from error
        except BaseException:
            self._disconnect()
            raise

    def _append(self, batch: Sequence[Append]) -> dict[MoveKey, Outcome]:
        if self._connection is None:
            self._connection = open_sqlite(self._file)
        if any(entry.end is not None for entry in batch):
            return append_and_end(self._connection, batch)
        return append(self._connection, batch)

    def _disconnect(self) -> None:
        """Called after any failure: closing rolls back, and the next commit opens a new connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def append(connection: sqlite3.Connection, batch: Sequence[Append]) -> dict[MoveKey, Outcome]:
    """Store the batch in one statement, which is its own transaction.

    After each statement the thread waits for the GIL, which the event loop may hold.
    """
    rows, sent = ", ".join([SENT] * len(batch)), [value for entry in batch for value in columns(entry)]
    if connection.execute(APPEND.format(rows), sent).rowcount == len(batch):
        return dict.fromkeys([entry.key for entry in batch], Outcome.STORED)
    stored = set(connection.execute(FIND.format(rows), sent))
    codes = [entry.room for entry in batch]
    statuses = connection.execute(STATUSES.format(", ".join("?" * len(codes))), codes)
    return outcomes_of(batch, stored, dict(statuses))


def append_and_end(connection: sqlite3.Connection, batch: Sequence[Append]) -> dict[MoveKey, Outcome]:
    """Store the batch, and mark the rooms that its moves end, in one transaction."""
    connection.execute("BEGIN IMMEDIATE")
    outcomes = append(connection, batch)
    for entry in batch:
        if entry.end is not None and outcomes[entry.key] is Outcome.STORED:
            connection.execute(END, (as_text(entry.move.at), entry.room))
            connection.execute(RESULT, (entry.room, entry.end))
    connection.execute("COMMIT")
    return outcomes


def columns(entry: Append) -> tuple[str | int, ...]:
    move = entry.move
    return (entry.room, move.number, move.seat, move.action, move.action_id, as_text(move.at), move.kind, move.made_by)
