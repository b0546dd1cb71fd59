"""Moves into SQLite: a thread and a connection of its own."""

import asyncio
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .checkpoints import WriteTurn
from .engine import open_sqlite
from .errors import StoreUnavailableError, UnknownRoomError
from .journal import Append, MoveKey
from .tables import as_text

SENT = "(?, ?, ?, ?, ?, ?)"
APPEND = "INSERT INTO moves (room, number, seat, action, action_id, at) VALUES {} ON CONFLICT DO NOTHING"
FIND = """
WITH sent (room, number, seat, action, action_id, at) AS (VALUES {})
SELECT room, number FROM moves JOIN sent USING (room, number, seat, action, action_id, at)
"""
END = "UPDATE rooms SET status = 'over', ended_at = ? WHERE code = ?"


class SqliteLedger:
    def __init__(self, file: Path, turn: WriteTurn) -> None:
        self._file = file
        self._turn = turn
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal")
        self._connection: sqlite3.Connection | None = None

    async def commit(self, batch: Sequence[Append]) -> set[MoveKey]:
        async with self._turn:
            return await asyncio.get_running_loop().run_in_executor(self._thread, self._commit, batch)

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, self._disconnect)
        self._thread.shutdown()

    def _commit(self, batch: Sequence[Append]) -> set[MoveKey]:
        try:
            return self._append(batch)
        except sqlite3.IntegrityError as error:
            self._disconnect()
            raise UnknownRoomError(batch[0].room) from error
        except sqlite3.Error as error:
            self._disconnect()
            raise StoreUnavailableError(error) from error
        except BaseException:
            self._disconnect()
            raise

    def _append(self, batch: Sequence[Append]) -> set[MoveKey]:
        if self._connection is None:
            self._connection = open_sqlite(self._file)
        if any(entry.over for entry in batch):
            return append_and_end(self._connection, batch)
        return append(self._connection, batch)

    def _disconnect(self) -> None:
        """After any failure: closing undoes what was begun, and the next commit starts afresh."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def append(connection: sqlite3.Connection, batch: Sequence[Append]) -> set[MoveKey]:
    """The keys of those stored.

    All in one statement, which is a transaction by itself: after each the thread has to wait for its turn beside the
    event loop.
    """
    rows, sent = ", ".join([SENT] * len(batch)), [value for entry in batch for value in columns(entry)]
    if connection.execute(APPEND.format(rows), sent).rowcount == len(batch):
        return {entry.key for entry in batch}
    return set(connection.execute(FIND.format(rows), sent))


def append_and_end(connection: sqlite3.Connection, batch: Sequence[Append]) -> set[MoveKey]:
    """The same where a move ends its room: both or neither."""
    connection.execute("BEGIN IMMEDIATE")
    stored = append(connection, batch)
    for entry in batch:
        if entry.over and entry.key in stored:
            connection.execute(END, (as_text(entry.move.at), entry.room))
    connection.execute("COMMIT")
    return stored


def columns(entry: Append) -> tuple[str, int, int, str, str, str]:
    move = entry.move
    return entry.room, move.number, move.seat, move.action, move.action_id, as_text(move.at)
