"""The servers to measure, their CPU and memory, and the load maker beside them."""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from harness import postgres, valkey
from harness.paths import ROOT
from harness.processes import cpu_seconds
from harness.site import Site

from .tables import lay_tables

DURABLE = ("max_connections=200", "shared_buffers=128MB")
"""PostgreSQL's defaults: with fsync and synchronous commits."""

Json = dict[str, Any]


class Floor(Site):
    """The bare broadcast in place of a site."""

    program = ("-P", "-m", "bench.server.floor")


class Load:
    """The load maker, which runs one command after another."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bench.server.load"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            text=True,
        )

    def do(self, name: str, **arguments: Any) -> Json:
        """Run a command. Gives its result."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([name, arguments]) + "\n")
        self._process.stdin.flush()
        told: Json = json.loads(self._process.stdout.readline())
        return told

    def close(self) -> None:
        self._process.communicate()


class Services:
    """A folder on the disk to measure, and PostgreSQL and Valkey, started when needed."""

    def __init__(self, place: str) -> None:
        self._stack = ExitStack()
        self._place = str(Path(place).absolute())
        self._postgres: postgres.PostgresServer | None = None
        self._valkey: valkey.ValkeyServer | None = None

    def __enter__(self) -> "Services":
        return self

    def __exit__(self, *_raised: object) -> None:
        self._stack.close()

    @property
    def postgres(self) -> postgres.PostgresServer:
        """Started when first asked for."""
        if self._postgres is None:
            binaries = postgres.find_binaries()
            assert binaries is not None, "no PostgreSQL"
            self._postgres = postgres.PostgresServer(binaries, DURABLE)
            self._stack.callback(self._postgres.close)
        return self._postgres

    @property
    def valkey(self) -> valkey.ValkeyServer:
        """Started when first asked for."""
        if self._valkey is None:
            binary = valkey.find_binary()
            assert binary is not None, "no Valkey"
            self._valkey = valkey.ValkeyServer(binary)
            self._stack.callback(self._valkey.close)
        return self._valkey

    def sync_time(self) -> float:
        """The median of seconds in which the disk makes a page durable: no commit is faster."""
        with tempfile.NamedTemporaryFile(dir=self._place) as file:
            return median(_sync_time(file.fileno()) for _ in range(50))

    @contextmanager
    def floor(self, tables: int) -> Iterator[tuple[list[Site], list[str]]]:
        """The bare broadcast, and names for its tables."""
        with self._running([{}], Floor) as sites:
            yield sites, [f"T{number}" for number in range(tables)]

    @contextmanager
    def sqlite(self, people: Sequence[int], moves: int = 0) -> Iterator[tuple[list[Site], list[str]]]:
        """Ours on a new file, with tables for so many people each, where so many moves were played."""
        with tempfile.TemporaryDirectory(dir=self._place) as folder:
            address = f"sqlite:///{folder}/fogline.db"
            codes = asyncio.run(lay_tables(address, people, moves))
            with self._running([{"database_url": address}]) as sites:
                yield sites, codes

    @contextmanager
    def on_postgres(self, people: Sequence[int], processes: int = 0) -> Iterator[tuple[list[Site], list[str]]]:
        """Ours on a new database; processes that share it over Valkey, or a single one without."""
        address = self.postgres.create()
        codes = asyncio.run(lay_tables(address, people))
        bus = {"bus_url": self.valkey.address} if processes else {}
        with self._running([{"database_url": address, **bus}] * max(1, processes)) as sites:
            yield sites, codes
        self.postgres.drop(address)

    @contextmanager
    def _running(self, settings: Sequence[dict[str, str]], kind: type[Site] = Site) -> Iterator[list[Site]]:
        with ExitStack() as stack:
            sites = []
            for each in settings:
                folder = stack.enter_context(tempfile.TemporaryDirectory(dir=self._place))
                sites.append(kind(Path(folder), **each))
                stack.callback(sites[-1].stop)
            yield sites


def _sync_time(file: int) -> float:
    os.write(file, bytes(4096))
    start = time.perf_counter()
    os.fdatasync(file)
    return time.perf_counter() - start


def cpu_of(sites: Sequence[Site]) -> float:
    """Seconds of CPU that the processes took, with all their threads."""
    return sum(cpu_seconds(site.pid) for site in sites)


def memory_of(site: Site) -> int:
    """The private memory of the process in bytes."""
    lines = Path(f"/proc/{site.pid}/smaps_rollup").read_text().splitlines()
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith("Private_"))
