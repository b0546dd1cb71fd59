"""SQLite's write-ahead log is carried over into the file beside the moves, not in their way."""

import asyncio
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from os.path import samestat
from pathlib import Path

from .engine import open_sqlite
from .errors import FileGoneError

PAUSE = 1.0  # seconds
LONG_LOG = 4096  # pages


class WriteTurn:
    """Held while writing to the file: who waits does it here, not in SQLite, which sleeps and tries again.

    Nobody gets a turn once the file is not the one that was opened: connections would go on writing to a file without
    a name, and not complain.
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
    """Does a checkpoint now and then while something is written."""

    def __init__(self, file: Path, turn: WriteTurn) -> None:
        self._file = file
        self._turn = turn
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="checkpoints")
        self._task = asyncio.create_task(self._run(), name="checkpoints")

    async def checkpoint(self) -> None:
        """Carry the log over; if it has grown long, let nobody write until it can start over."""
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
    """The length of the log in pages. A disk that is full now is tried again later: nothing depends on it."""
    try:
        with closing(open_sqlite(file)) as connection:
            _busy, pages, _done = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            return int(pages)
    except sqlite3.Error:
        return 0
