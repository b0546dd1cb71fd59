"""The whole database as one file, from which a database of either kind can be filled.

The file is gzip'ed JSON lines. The first line is the header. Then comes a line for each row, `[TABLE, {COLUMN:
VALUE}]`, ordered so that no row refers to a later one. The last line has the number of rows and the SHA-256 of all
lines before it. Bytes are `{"hex": TEXT}`, times are text in UTC.
"""

import gzip
import hashlib
import json
import zlib
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any

import orjson

from .errors import ArchiveError
from .tables import as_text

FORMAT = "fogline backup"
VERSION = 1

Row = tuple[str, dict[str, Any]]
"""A table's name, and values by column."""


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a backup; `schema` is the revision of the database that was saved."""

    schema: str
    made_at: str
    format: str = FORMAT
    version: int = VERSION


def write_archive(file: IO[bytes], schema: str, made_at: datetime, rows: Iterable[Row]) -> int:
    """Write a backup, and return the number of its rows."""
    digest, count = hashlib.sha256(), 0
    with gzip.GzipFile(fileobj=file, mode="wb", filename="", mtime=0, compresslevel=6) as packed:
        for count, line in enumerate(lines(Header(schema, as_text(made_at)), rows)):  # noqa: B007 - the last one is returned
            digest.update(line)
            packed.write(line)
        packed.write(dumped({"rows": count, "sha256": digest.hexdigest()}))
    return count


def lines(header: Header, rows: Iterable[Row]) -> Iterator[bytes]:
    yield dumped(asdict(header))
    for table, values in rows:
        yield dumped([table, {column: to_json(value) for column, value in values.items()}])


def dumped(value: object) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_NON_STR_KEYS)


def to_json(value: Any) -> Any:
    match value:
        case bytes():
            return {"hex": value.hex()}
        case datetime():
            return as_text(value)
        case _:
            return value


def from_json(value: Any) -> Any:
    return bytes.fromhex(value["hex"]) if isinstance(value, dict) else value


def examine(path: Path) -> Header:
    """Read a backup to its end, and return the header.

    Raises:
        ArchiveError: the file is not a backup, is of a newer Fogline, or is damaged.
    """
    with opened(path) as file:
        line = file.readline()
        header, digest, count = read_header(path, line), hashlib.sha256(), -1
        while following := file.readline():
            digest.update(line)
            count += 1
            line = following
    if line != dumped({"rows": count, "sha256": digest.hexdigest()}):
        raise ArchiveError(f"{path} is damaged: it is not what was written, or its end is missing.")
    return header


def read_header(path: Path, line: bytes) -> Header:
    try:
        header = Header(**json.loads(line))
    except (ValueError, TypeError):
        raise ArchiveError(f"{path} is no backup of Fogline.") from None
    if header.format != FORMAT:
        raise ArchiveError(f"{path} is no backup of Fogline.")
    if header.version != VERSION:
        raise ArchiveError(f"{path} has format {header.version}, this Fogline reads {VERSION}; take a newer Fogline.")
    return header


def rows_of(path: Path) -> Iterator[Row]:
    """The rows of a backup that `examine` has accepted."""
    with opened(path) as file:
        next(file)
        for line in file:
            parsed = orjson.loads(line)
            if isinstance(parsed, list):
                table, values = parsed
                yield table, {column: from_json(value) for column, value in values.items()}


@contextmanager
def opened(path: Path) -> Generator[gzip.GzipFile]:
    try:
        with gzip.open(path, "rb") as file:
            yield file
    except (EOFError, zlib.error) as error:
        raise ArchiveError(f"{path} is damaged: {error}.") from None
    except gzip.BadGzipFile:
        raise ArchiveError(f"{path} is no backup of Fogline.") from None
    except OSError as error:
        raise ArchiveError(f"{path} can't be read: {error.strerror}.") from None
