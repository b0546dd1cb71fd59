"""Moves into SQLite: a thread and a connection of its own."""

import asyncio
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .engine import SQLITE_PRAGMAS
from .errors import StoreUnavailableError, UnknownRoomError
from .journal import Append, MoveKey
from .tables import as_text

APPEND = """
INSERT INTO moves (room, number, seat, action, action_id, at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
"""
END = "UPDATE rooms SET status = 'over', ended_at = ? WHERE code = ?"


class SqliteLedger:
    """`turn` is held while writing: who writes to the file from this process waits there, not in SQLite's sleep."""

    def __init__(self, file: Path, turn: asyncio.Lock) -> None:
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
            connection = self._connect()
            connection.execute("BEGIN IMMEDIATE")
            stored = {entry.key for entry in batch if append(connection, entry)}
            connection.execute("COMMIT")
        except sqlite3.IntegrityError as error:
            self._disconnect()
            raise UnknownRoomError(batch[0].room) from error
        except sqlite3.OperationalError as error:
            self._disconnect()
            raise StoreUnavailableError(error) from error
        except BaseException:
            self._disconnect()
            raise
        return stored

    def _connect(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = open_sqlite(self._file)
        return self._connection

    def _disconnect(self) -> None:
        """After any failure too: closing undoes what was begun, and the next commit starts afresh."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def open_sqlite(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(file, isolation_level=None)
    for pragma in SQLITE_PRAGMAS:
        connection.execute(pragma)
    return connection


def append(connection: sqlite3.Connection, entry: Append) -> bool:
    move = entry.move
    values = entry.room, move.number, move.seat, move.action, move.action_id, as_text(move.at)
    stored = connection.execute(APPEND, values).rowcount == 1
    if stored and entry.over:
        connection.execute(END, (as_text(move.at), entry.room))
    return stored
