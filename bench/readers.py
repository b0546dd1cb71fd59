"""1,000 readers that never read, while 50 tables are played at: what they cost the server and the others.

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
"""Moves a second, at all tables together."""


def figure(site: Site, name: str) -> float:
    """One of `/metrics`."""
    lines = urlopen(f"{site.address}/metrics").read().decode().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(f"{name} "))


def wait_until_there(site: Site, sockets: int) -> None:
    """Until so many follow a room: their coming is not what is measured."""
    until = time.monotonic() + 60
    while figure(site, "fogline_sockets") < sockets and time.monotonic() < until:
        time.sleep(0.2)


def wait_until_gone(site: Site, sockets: int) -> float:
    """Until no more than so many follow a room; the seconds that took."""
    start = time.monotonic()
    while figure(site, "fogline_sockets") > sockets and time.monotonic() < start + 60:
        time.sleep(0.2)
    return time.monotonic() - start


def play(site: Site, load: Load, what: str, name: str, seconds: float) -> None:
    """Play for a while, and print what was seen."""
    told = load.do(what, rate=RATE, seconds=seconds, first=0, last=TABLES)
    memory, sockets = memory_of(site) / 2**20, figure(site, "fogline_sockets")
    print(
        f"  {name:<28} p50 {told['p50']:6.1f} ms   p99 {told['p99']:6.1f} ms   longest {told['longest']:6.1f} ms   "
        f"{memory:5.0f} MB   {sockets:.0f} sockets",
        flush=True,
    )


def main(readers: str = "1000", seconds: str = "20") -> None:
    """On SQLite: without them, with them, and when the server has sent them away."""
    allow_many_sockets()
    with Services(".") as services, services.sqlite([SEATS] * TABLES) as (sites, codes):
        load, site = Load(), sites[0]
        load.do("connect", rooms=[[[site.port, code]] * SEATS for code in codes])
        print(f"{TABLES} tables of {SEATS}, {RATE:g} moves a second")
        play(site, load, "pace", "before", float(seconds))
        load.do("stop_reading", addresses=[[site.port, codes[number % TABLES]] for number in range(int(readers))])
        wait_until_there(site, TABLES * SEATS + int(readers))
        play(site, load, "pace", f"{readers} that do not read", float(seconds))
        gone = wait_until_gone(site, TABLES * SEATS)
        print(f"  {figure(site, 'fogline_sockets') - TABLES * SEATS:.0f} of them are there {gone:.0f} s later")
        play(site, load, "pace", "afterwards", float(seconds))
        began, busy = time.perf_counter(), cpu_of(sites)
        site.stop()
        print(f"  told to stop, the server ended after {time.perf_counter() - began:.1f} s; {busy:.0f} s of CPU in all")
        load.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
