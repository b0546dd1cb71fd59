"""Checkpoints of SQLite's write-ahead log, made in the background so that no move waits for one."""

import asyncio
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from os.path import samestat
from pathlib import Path

from .engine import open_sqlite
from .errors import FileGoneError

PAUSE = 1.0  # seconds from a write to the checkpoint
LONG_LOG = 4096  # pages from which writers wait until the log can restart


class WriteTurn:
    """Held while writing to the file: waiting here is quicker than in SQLite, which polls.

    Raises FileGoneError once the file has been removed or replaced: connections would go on writing to the old one
    without an error.
    """

    def __init__(self, file: Path) -> None:
        self.written = asyncio.Event()
        self._file = file
        self._opened = file.stat()
        self._lock = asyncio.Lock()

    async def __aenter__(self) -> None:
        await self._lock.acquire()
        if not self._is_there():
            self._lock.release()
            raise FileGoneError

    async def __aexit__(self, *_raised: object) -> None:
        self._lock.release()
        self.written.set()

    def _is_there(self) -> bool:
        try:
            return samestat(self._opened, self._file.stat())
        except OSError:
            return False


class Checkpoints:
    """Makes a checkpoint soon after each write."""

    def __init__(self, file: Path, turn: WriteTurn) -> None:
        self._file = file
        self._turn = turn
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="checkpoints")
        self._task = asyncio.create_task(self._run(), name="checkpoints")

    async def checkpoint(self) -> None:
        """Make a checkpoint; if the log is long, stop writers meanwhile so that it can restart."""
        with suppress(FileGoneError):
            if await self._carry_over() > LONG_LOG:
                async with self._turn:
                    await self._carry_over()

    async def close(self) -> None:
        self._task.cancel()
        await asyncio.wait({self._task})
        await asyncio.to_thread(self._thread.shutdown)

    async def _run(self) -> None:
        while True:
            await self._turn.written.wait()
            await asyncio.sleep(PAUSE)
            self._turn.written.clear()
            await self.checkpoint()

    async def _carry_over(self) -> int:
        return await asyncio.get_running_loop().run_in_executor(self._thread, carry_over, self._file)


def carry_over(file: Path) -> int:
    """Make a checkpoint, and return the length of the log in pages. An error is ignored: the next one tries again."""
    try:
        with closing(open_sqlite(file)) as connection:
            _busy, pages, _done = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            return int(pages)
    except sqlite3.Error:
        return 0
