"""The command that checks the host: it prints a line for each finding, and says what to fix."""

import asyncio
import shutil
import tempfile
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from app.boards import BoardError, load_board
from app.bus import BusSetupError, BusUnavailableError, open_bus
from app.rooms.soundness import find_trouble
from app.store import DamagedRowError, RoomRow, StoreError
from app.store.address import is_sqlite, parse_address, sqlite_file
from app.store.damage import REMEDY
from app.store.instance_lock import has_lost_file, need_same_name
from app.store.probe import Finding, probe
from app.store.wal import LOST, kept_log

from .host import Host
from .proxy import look_through

LEAST_FREE = 500 * 1024 * 1024
"""Free bytes on the disk below which the host should make room."""

MOST_SECONDS_APART = 2.0
"""Maximum difference between this clock and the database's."""

BEFORE = datetime(2025, 1, 1, tzinfo=UTC)
"""A clock that shows an earlier time was never set."""


@dataclass(frozen=True, slots=True)
class ToFix:
    """A finding that the host has to do something about."""

    text: str


def check(host: Host, asked: Namespace) -> int:
    """Print the findings; 1 if there is something to fix."""
    bad = 0
    for finding in findings(host, asked.url or host.public_url):
        bad += isinstance(finding, ToFix)
        print(f"FIX   {finding.text}" if isinstance(finding, ToFix) else f"fine  {finding}", flush=True)
    print("Everything is fine." if not bad else f"{bad} to fix.")
    return min(bad, 1)


def findings(host: Host, url: str) -> Iterator[str | ToFix]:
    """Check one thing after another."""
    yield "settings: all values are allowed"
    yield from _boards(host.boards_dir)
    yield from _database(host)
    yield from _bus(host)
    yield from _clock(datetime.now(UTC))
    yield from _proxy(url, host.base_path)


def _boards(folder: Path | None) -> Iterator[str | ToFix]:
    for path in sorted(folder.glob("*.json")) if folder else ():
        try:
            yield f"board: {load_board(path).name} can be played"
        except BoardError as error:
            yield ToFix(f"board: {error}")


def _database(host: Host) -> Iterator[str | ToFix]:
    try:
        url = parse_address(host.database)
        need_same_name(host.database)
        found = asyncio.run(probe(host.database))
    except StoreError as error:
        yield ToFix(f"database: {error} FOGLINE_DATABASE_URL says where it is.")
        return
    if is_sqlite(url):
        yield from _disk(sqlite_file(url).absolute().parent)
    if is_sqlite(url) and kept_log(sqlite_file(url)).exists():
        yield ToFix(f"database: {LOST}. Restore your last backup, or remove {kept_log(sqlite_file(url))}.")
    if is_sqlite(url) and has_lost_file(sqlite_file(url)):
        yield ToFix(
            f"database: {sqlite_file(url)} was removed or replaced under a running server, which refuses every move "
            "since; stop it, put the file back or restore your last backup, and start it anew."
        )
    elif found is None:
        yield f"database: {sqlite_file(url)} is not there yet; it is made when the site is first served"
    else:
        yield from _schema(found)
        yield from _agreement(found, host.bus_url)


def _schema(found: Finding) -> Iterator[str | ToFix]:
    if found.trouble:
        yield ToFix(f"database: {found.trouble}")
    if found.damage:
        yield ToFix(f"database: {found.kind} is damaged ({found.damage}); restore your last backup.")
    if found.schema is None:
        yield f"database: {found.kind} is empty; its tables are made when the site is first served"
    elif found.schema != found.newest_schema:
        yield ToFix(
            f"database: {found.kind} has schema {found.schema}, this Fogline has {found.newest_schema}; "
            "make a backup, then run `fogline migrate` or serve."
        )
    else:
        yield f"database: {found.kind}, schema {found.schema}, {found.rooms} rooms"
    yield from _rooms(found)


def _rooms(found: Finding) -> Iterator[ToFix]:
    for row in found.newest:
        if damage := _damage(row):
            yield ToFix(f"database: {damage} {REMEDY}.")


def _damage(row: RoomRow | DamagedRowError) -> DamagedRowError | None:
    if isinstance(row, DamagedRowError):
        return row
    trouble = find_trouble(row)
    return None if trouble is None else DamagedRowError("room", row.code, trouble)


def _agreement(found: Finding, bus_url: str) -> Iterator[str | ToFix]:
    """Whether database and bus fit together, and whether both clocks agree."""
    if found.kind.startswith("SQLite") and bus_url != "memory":
        yield ToFix("bus: SQLite is for one process, which needs no bus; leave FOGLINE_BUS_URL out.")
    if found.now is None:
        return
    apart = abs((datetime.now(UTC) - found.now).total_seconds())
    if apart > MOST_SECONDS_APART:
        yield ToFix(f"clock: the database's differs by {apart:.0f} s; let both follow a time server (NTP).")


def _disk(folder: Path) -> Iterator[str | ToFix]:
    """Check the first folder that exists, since serving makes the others."""
    there = next(path for path in (folder, *folder.parents) if path.is_dir())
    try:
        with tempfile.TemporaryFile(dir=there) as file:
            file.write(b"fogline")
    except OSError as error:
        yield ToFix(f"disk: {there} can't be written ({error.strerror}); let the user who serves own it.")
        return
    free = shutil.disk_usage(there).free
    if free < LEAST_FREE:
        yield ToFix(f"disk: only {free >> 20} MB are free in {there}; make room, or moves will be refused.")
    else:
        yield f"disk: {there} can be written, and {free >> 20} MB are free"


def _bus(host: Host) -> Iterator[str | ToFix]:
    if host.bus_url == "memory":
        yield "bus: memory, for one process"
        return
    try:
        asyncio.run(_ping(host.bus_url))
    except (BusSetupError, BusUnavailableError) as error:
        yield ToFix(f"bus: {error} FOGLINE_BUS_URL says where it is.")
    else:
        yield f"bus: {urlsplit(host.bus_url).hostname} answers"


async def _ping(address: str) -> None:
    async with open_bus(address) as bus:
        await bus.ping()


def _clock(now: datetime) -> Iterator[str | ToFix]:
    if now < BEFORE:
        yield ToFix(f"clock: it shows {now:%Y-%m-%d}; set it, and let it follow a time server (NTP).")
    else:
        yield f"clock: it shows {now:%Y-%m-%d %H:%M:%S} UTC"


def _proxy(url: str, base_path: str) -> Iterator[str | ToFix]:
    if not url:
        yield "proxy: not looked at; say --url, or set FOGLINE_PUBLIC_URL"
        return
    if not url.startswith(("http://", "https://")):
        yield ToFix(f"proxy: {url} has to begin with http:// or https://.")
        return
    for fine, text in look_through(url.rstrip("/").removesuffix(base_path) + base_path):
        yield f"proxy: {text}" if fine else ToFix(f"proxy: {text}")
