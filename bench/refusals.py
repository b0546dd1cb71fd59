"""Measures whether the time of a refusal reveals if a room, a seat or a device exists.

Of each pair of interleaved calls one asks for something that exists and one for something that does not; both get the
same refusal. The AUC is the probability that the slower call asked for what exists: 0.5 reveals nothing.

    ./run bench refusals [PAIRS]
"""

import json
import math
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from app.rooms.codes import new_code
from harness.site import Site

TRIES = 30
"""Wrong codes that an address may try at once."""
CALLS = 590
"""Calls from an address before the next one is used: a few less than it may make at once."""
WARM_UP = 200
STORED = 200
"""Rooms that are in the database, but not in memory."""

addresses = (f"10.0.{number >> 8}.{number & 255}" for number in count(1))
"""Addresses for callers, each used once, since limits count by address."""

Ask = Callable[[str], tuple[int, float]]
"""Calls a path; returns the status, and the seconds it took."""
Pick = Callable[[], str]


class Caller:
    """Makes calls as a trusted proxy would, from a new address whenever the limits of one are nearly used up."""

    def __init__(self, site: Site, token: str | None, method: str, *, spends_tries: bool) -> None:
        self._connection = HTTPConnection("127.0.0.1", site.port)
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._method, self._spends_tries = method, spends_tries
        self._left = 0

    def ask(self, path: str) -> tuple[int, float]:
        if self._left < 2:
            self._take_next_address()
        self._left -= 1
        return self._call(self._method, path)

    def _take_next_address(self) -> None:
        self._headers["X-Forwarded-For"] = next(addresses)
        self._left = CALLS
        while self._spends_tries and self._call("GET", f"/api/v1/rooms/{new_code()}")[0] != 429:
            self._left -= 1

    def _call(self, method: str, path: str) -> tuple[int, float]:
        start = time.perf_counter()
        self._connection.request(method, path, headers=self._headers)
        answer = self._connection.getresponse()
        answer.read()
        return answer.status, time.perf_counter() - start


def measure(ask: Ask, there: Pick, absent: Pick, refused: int, pairs: int) -> tuple[list[float], list[float]]:
    """The seconds of calls for what exists and for what does not, of the pairs in which both got the refusal."""
    rng = Random(1)
    times: tuple[list[float], list[float]] = ([], [])
    for number in range(WARM_UP + pairs):
        order = [(0, there()), (1, absent())]
        rng.shuffle(order)
        told = {which: ask(path) for which, path in order}
        if number >= WARM_UP and told[0][0] == told[1][0] == refused:
            for which in (0, 1):
                times[which].append(told[which][1])
    return times


def report(name: str, there: list[float], absent: list[float]) -> None:
    """Print the median difference with its 95% interval, by order statistics, and the AUC with its own."""
    pairs = len(there)
    differences = sorted(1e6 * (a - b) for a, b in zip(there, absent, strict=True))
    reach = round(0.98 * math.sqrt(pairs))
    low, high = differences[max(0, pairs // 2 - reach)], differences[min(pairs - 1, pairs // 2 + reach)]
    error = 1.96 * math.sqrt((2 * pairs + 1) / (12 * pairs * pairs))
    print(
        f"  {name:<52} {pairs:6} pairs   median {1e6 * median(absent):5.0f} µs   "
        f"difference {median(differences):+6.2f} µs ({low:+.2f} to {high:+.2f})   "
        f"AUC {auc(there, absent):.3f} ± {error:.3f}",
        flush=True,
    )


def auc(there: list[float], absent: list[float]) -> float:
    """The AUC, by the ranks of all times; equal times are too rare to matter."""
    ordered = sorted([(seconds, 1) for seconds in there] + [(seconds, 0) for seconds in absent])
    ranks = sum(rank for rank, (_, is_there) in enumerate(ordered, start=1) if is_there)
    pairs = len(there)
    return (ranks - pairs * (pairs + 1) / 2) / (pairs * pairs)


def call(site: Site, method: str, path: str, token: str = "", body: object = None) -> Any:
    """Make a call that prepares the measurement; return its answer."""
    connection = HTTPConnection("127.0.0.1", site.port)
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    connection.request(method, f"/api/v1/{path}", json.dumps(body or {}), headers)
    answer = connection.getresponse()
    told = json.loads(answer.read())
    assert answer.status < 300, told
    return told


@contextmanager
def served() -> Iterator[tuple[Site, list[str], str]]:
    """A site with limits on, the codes of rooms that are only in the database, and the code of one in memory."""
    with tempfile.TemporaryDirectory(dir=".") as folder:
        site = Site(Path(folder).absolute(), rate_limits="on", trusted_proxies="127.0.0.1", new_rooms="100000/100000")
        try:
            host = call(site, "POST", "players", body={"name": "Host"})["token"]
            codes = [call(site, "POST", "rooms", host, {"seats": 4})["code"] for _ in range(STORED)]
            site.stop()
            site.start()
            call(site, "POST", f"rooms/{codes[0]}/join", host)
            yield site, codes[1:], codes[0]
        finally:
            site.stop()


def compare_rooms(site: Site, pairs: int, loaded: str, stored: list[str], visitor: str) -> None:
    """Compare codes of rooms, from addresses that have used up their tries."""
    rng = Random(2)
    for who, token in (("a stranger", None), ("a player without a seat", visitor)):
        for where, codes in (("in memory", [loaded]), ("in the database", stored)):
            caller = Caller(site, token, "GET", spends_tries=True)
            times = measure(
                caller.ask,
                lambda codes=codes: f"/api/v1/rooms/{rng.choice(codes)}",  # type: ignore[misc]
                lambda: f"/api/v1/rooms/{new_code()}",
                429,
                pairs,
            )
            report(f"room {where}, asked for by {who}", *times)


def compare_seats(site: Site, pairs: int, loaded: str, visitor: str) -> None:
    """Compare seats of a known room: another player's, and a free one."""
    caller, path = Caller(site, visitor, "GET", spends_tries=False), f"/api/v1/rooms/{loaded}/view?seat="
    report("seat of another, or free", *measure(caller.ask, lambda: f"{path}0", lambda: f"{path}3", 403, pairs))


def compare_devices(site: Site, pairs: int, visitor: str) -> None:
    """Compare ids of devices: another player's, and unknown ones."""
    rng, other = Random(3), call(site, "POST", "players", body={"name": "Other"})["token"]
    [device] = call(site, "GET", "players/me/devices", other)["devices"]
    caller, path = Caller(site, visitor, "DELETE", spends_tries=False), "/api/v1/players/me/devices/"
    times = measure(
        caller.ask, lambda: f"{path}{device['id']}", lambda: f"{path}{rng.getrandbits(64):016x}", 404, pairs
    )
    report("device of another player", *times)


def main(pairs: str = "10000") -> None:
    """Compare rooms, for strangers and for players, then seats and devices."""
    with served() as (site, stored, loaded):
        visitor = call(site, "POST", "players", body={"name": "Visitor"})["token"]
        compare_rooms(site, int(pairs), loaded, stored, visitor)
        compare_seats(site, int(pairs), loaded, visitor)
        compare_devices(site, int(pairs), visitor)


if __name__ == "__main__":
    main(*sys.argv[1:])
