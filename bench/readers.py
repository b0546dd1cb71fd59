"""What 1,000 clients that never read cost the players at 50 tables.

./run bench readers [READERS [SECONDS]]
"""

import sys
import time
from urllib.request import urlopen

from app.main import allow_many_sockets
from bench.server.servers import Load, Services, cpu_of, memory_of
from bench.server.tables import SEATS
from harness.site import Site

TABLES = 50
RATE = 100.0
"""Moves a second at all tables together."""
ROUND = 30.0
"""Seconds until new tables and readers replace the current ones: a game lasts about 100 moves."""


def figure(site: Site, name: str) -> float:
    """One of `/metrics`."""
    lines = urlopen(f"{site.address}/metrics").read().decode().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(f"{name} "))


def wait_until_there(site: Site, sockets: int) -> None:
    """Wait until so many follow a room: connecting them is not measured."""
    until = time.monotonic() + 60
    while figure(site, "fogline_sockets") < sockets and time.monotonic() < until:
        time.sleep(0.2)


def wait_until_gone(site: Site, sockets: int) -> float:
    """Wait until at most so many follow a room. Gives the seconds it took."""
    start = time.monotonic()
    while figure(site, "fogline_sockets") > sockets and time.monotonic() < start + 60:
        time.sleep(0.2)
    return time.monotonic() - start


def play(site: Site, load: Load, name: str, codes: list[str], seconds: float) -> float:
    """Play for a while, and print what was seen; the 99th percentile in milliseconds.

    Each round has tables of its own, since a game would be over before the third.
    """
    told = load.do("pace", rate=RATE, seconds=seconds, first=0, last=len(codes))
    if told["others"] or told["over"] or told["moves"] < RATE * seconds / 2:
        raise SystemExit(f"{told['moves']} moves, {told['over']} games over, and refusals: {told['others']}")
    memory, sockets = memory_of(site) / 2**20, figure(site, "fogline_sockets")
    print(
        f"  {name:<28} p50 {told['p50']:6.1f} ms   p99 {told['p99']:6.1f} ms   longest {told['longest']:6.1f} ms   "
        f"{memory:5.0f} MB   {sockets:.0f} sockets",
        flush=True,
    )
    return float(told["p99"])


def sit_down(site: Site, load: Load, codes: list[str]) -> None:
    """Connect players at these tables, and disconnect the earlier ones."""
    load.do("connect", rooms=[[[site.port, code]] * SEATS for code in codes])
    wait_until_gone(site, TABLES * SEATS)


def main(readers: str = "1000", seconds: str = "30") -> None:
    """On SQLite: without them, with new ones again and again, and when the server has sent them away."""
    allow_many_sockets()
    rounds = max(1, round(float(seconds) / ROUND))
    length = min(ROUND, float(seconds))
    with Services(".") as services, services.sqlite([SEATS] * TABLES * (rounds + 2)) as (sites, codes):
        load, site = Load(), sites[0]
        tables = [codes[start : start + TABLES] for start in range(0, len(codes), TABLES)]
        print(f"{TABLES} tables of {SEATS}, {RATE:g} moves a second")
        sit_down(site, load, tables[0])
        quiet = play(site, load, "before", tables[0], length)
        slowest = 0.0
        for number, here in enumerate(tables[1:-1], start=1):
            sit_down(site, load, here)
            load.do("stop_reading", addresses=[[site.port, here[reader % TABLES]] for reader in range(int(readers))])
            wait_until_there(site, TABLES * SEATS + int(readers))
            slowest = max(slowest, play(site, load, f"{readers} more, round {number}", here, length))
        gone = wait_until_gone(site, TABLES * SEATS)
        print(f"  {figure(site, 'fogline_sockets') - TABLES * SEATS:.0f} of them are there {gone:.0f} s later")
        sit_down(site, load, tables[-1])
        play(site, load, "afterwards", tables[-1], length)
        print(f"  p99 was {quiet:.0f} ms before, and {slowest:.0f} ms in the worst of {rounds} rounds")
        began, busy = time.perf_counter(), cpu_of(sites)
        site.stop()
        print(f"  told to stop, the server ended after {time.perf_counter() - began:.1f} s; {busy:.0f} s of CPU in all")
        load.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
