"""Notices that a disk has lost committed transactions from SQLite's write-ahead log.

SQLite reads the log up to the first frame whose checksum is wrong, and drops what is behind it without a word. That
is right after a crash, when the tail is a transaction that was never completed. But with `synchronous=FULL` nothing is
written behind a commit before that commit is on the disk. So where a commit lies behind the first wrong frame, and the
frame that follows it continues its checksum, SQLite is dropping transactions that were committed.

Not recognized: the loss of the last transaction, which looks like one that was being written, and of the two last ones
where the header of the first one's commit is unreadable as well. docs/security.md says so.
"""

import shutil
import sqlite3
import struct
import sys
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import structlog

from .address import is_sqlite, parse_address, sqlite_file

HEADER = struct.Struct(">8I")
"""Magic, format, page size, number of checkpoints, two salts, two checksums."""
FRAME = struct.Struct(">6I")
"""Page, size of the database after a commit or else 0, two salts, two checksums. The page's content follows."""
MAGIC = {0x377F0682: "little", 0x377F0683: "big"}
"""The order of bytes in the words that checksums are made of."""
PAGE_SIZE = slice(16, 18)
"""Where the database's own header has it; 1 is 65536."""
WORD = 0xFFFFFFFF

LOST = "the disk has lost transactions that were committed; the database is as it was before the first of them"
REMEDY = (
    "`fogline check` examines the database, `fogline restore BACKUP --replace` goes back to a backup; "
    "to go on with what is there, remove the copy of the log"
)

log = structlog.get_logger(__name__)

Checksum = tuple[int, int]


class Frame(NamedTuple):
    """A frame of the log; `checksum` is the one it holds, right or wrong."""

    is_commit: bool
    salts: tuple[int, int]
    checksum: Checksum
    summed: bytes


def kept_log(database: Path) -> Path:
    """Where the copy of a torn log is kept, since SQLite removes the log itself."""
    return database.resolve().with_name(f"{database.resolve().name}.torn-wal")


def keep_torn_log(database: Path) -> None:
    """Keep a copy of the log if it shows that committed transactions are lost. Nobody else may use the database."""
    database = database.resolve()
    file = database.with_name(f"{database.name}-wal")
    try:
        if file.stat().st_size <= HEADER.size:
            return
        with closing(sqlite3.connect(database)) as connection:
            _busy, read, _moved = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            if read >= 0 and Log(file, page_size(database)).has_lost_commits(read):
                shutil.copy(file, kept_log(database))
    except (OSError, sqlite3.Error):
        return  # whoever opens the database next says what is wrong with it


def report_torn_log(address: str) -> None:
    """Log an error while there is a copy of a torn log."""
    url = parse_address(address)
    if is_sqlite(url) and kept_log(sqlite_file(url)).exists():
        log.error("write_ahead_log_torn", detail=LOST, kept=str(kept_log(sqlite_file(url))), remedy=REMEDY)


def page_size(database: Path) -> int:
    with database.open("rb") as file:
        size = int.from_bytes(file.read(PAGE_SIZE.stop)[PAGE_SIZE], "big")
    return 65536 if size == 1 else size


class Log:
    """A write-ahead log as it is on the disk."""

    def __init__(self, file: Path, page_size: int) -> None:
        self._content = file.read_bytes()
        magic, _format, _size, _number, *salts, _, _ = HEADER.unpack_from(self._content)
        self._order = MAGIC.get(magic, sys.byteorder)
        self._salts = tuple(salts)
        self._has_header = magic in MAGIC and checksum(self._content[:24], (0, 0), self._order) == self._header_sums
        self._length = FRAME.size + page_size

    @property
    def _header_sums(self) -> Checksum:
        *_, first, second = HEADER.unpack_from(self._content)
        return first, second

    def __len__(self) -> int:
        return (len(self._content) - HEADER.size) // self._length

    def frame(self, number: int) -> Frame:
        start = HEADER.size + number * self._length
        _page, size, *salts, first, second = FRAME.unpack_from(self._content, start)
        page = self._content[start + FRAME.size : start + self._length]
        return Frame(size != 0, (salts[0], salts[1]), (first, second), self._content[start : start + 8] + page)

    def has_lost_commits(self, read: int) -> bool:
        """Whether a commit that was on the disk lies behind the first `read` frames, which SQLite has read."""
        first = self._first_wrong(read)
        return any(self._is_followed(number) for number in range(first, len(self) - 1))

    def _first_wrong(self, read: int) -> int:
        """Frames that continue those that were read are a transaction without its commit."""
        if not self._has_header:
            return 0
        before = self.frame(read - 1).checksum if read else self._header_sums
        for number in range(read, len(self)):
            frame = self.frame(number)
            if frame.salts != self._salts or checksum(frame.summed, before, self._order) != frame.checksum:
                return number
            before = frame.checksum
        return len(self)

    def _is_followed(self, number: int) -> bool:
        """Whether this is a commit, and the next frame was written after it."""
        frame, after = self.frame(number), self.frame(number + 1)
        is_current = frame.salts == self._salts or not self._has_header
        if not frame.is_commit or not is_current or after.salts != frame.salts:
            return False
        return checksum(after.summed, frame.checksum, self._order) == after.checksum


def checksum(summed: bytes, before: Checksum, order: str) -> Checksum:
    """SQLite's checksum, which continues the one of the frame before."""
    words = struct.unpack(f"{'<' if order == 'little' else '>'}{len(summed) // 4}I", summed)
    first, second = before
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & WORD
        second = (second + odd + first) & WORD
    return first, second
