"""How much one may ask: buckets of tokens that fill up with time."""

import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass

from app.rooms import Code, RefusedError

MOST_ADDRESSES = 20_000
"""Addresses that are remembered; those not seen for the longest time go first."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many at once, and so many a second in the long run."""

    burst: int
    per_second: float


CREATE = Rate(40, 0.5)
"""Players and rooms made from one address."""

CALL = Rate(200, 20)
"""All calls from one address."""

LIST = Rate(60, 3)
"""Lists of open tables asked for from one address."""

SIGN = Rate(30, 2)
"""Questions from one address whether the site is ready, and for its figures: each looks at all of the site."""

MISS = Rate(30, 0.2)
"""Codes of no room tried from one address."""

TALK = Rate(8, 0.5)
"""Lines of talk of one player."""

MESSAGE = Rate(60, 15)
"""Messages on one socket."""

MOST_SOCKETS = 500
"""Sockets that are open at the same time from one address."""

UNTIL_ONE_CLOSES = 30.0
"""Seconds after which another socket may be tried where there are as many already."""


class RateLimitedError(RefusedError):
    """Too much was asked; `wait` is the number of seconds until it may be tried again."""

    def __init__(self, wait: float) -> None:
        super().__init__(Code.RATE_LIMITED, "You are asking too often; wait a moment.")
        self.wait = wait


class Bucket:
    """Tokens for one who asks."""

    __slots__ = ("_at", "_clock", "_left", "_rate")

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._left = float(rate.burst)
        self._at = clock()

    def wait(self) -> float:
        """Seconds until there is a token; 0 when there is one now."""
        now = self._clock()
        self._left = min(self._rate.burst, self._left + (now - self._at) * self._rate.per_second)
        self._at = now
        return max(0.0, (1 - self._left) / self._rate.per_second)

    def take(self) -> bool:
        """Take a token if there is one."""
        if self.wait() > 0:
            return False
        self._left -= 1
        return True


class Limits:
    """A bucket for each address and rate, and how many sockets each address has open."""

    def __init__(self, *, on: bool) -> None:
        self._on = on
        self._sockets: Counter[str] = Counter()
        self._buckets: OrderedDict[tuple[Rate, str], Bucket] = OrderedDict()

    def spend(self, rate: Rate, address: str) -> None:
        """Take a token from an address.

        Raises:
            RateLimitedError: it has none left.
        """
        bucket = self._bucket(rate, network_of(address))
        if self._on and not bucket.take():
            raise RateLimitedError(bucket.wait())

    def allow(self, rate: Rate, address: str) -> None:
        """Refuse an address that has no token left, without taking one."""
        wait = self._bucket(rate, network_of(address)).wait()
        if self._on and wait > 0:
            raise RateLimitedError(wait)

    @contextmanager
    def open_socket(self, address: str) -> Generator[None]:
        """Count a socket as long as it is open.

        Raises:
            RateLimitedError: its address has as many as it may have.
        """
        network = network_of(address)
        if self._on and self._sockets[network] >= MOST_SOCKETS:
            raise RateLimitedError(UNTIL_ONE_CLOSES)
        self._sockets[network] += 1
        try:
            yield
        finally:
            self._sockets[network] -= 1
            if not self._sockets[network]:
                del self._sockets[network]

    def for_socket(self) -> Callable[[], bool]:
        """Whether one more message may come on a new socket."""
        return Bucket(MESSAGE).take if self._on else lambda: True

    def _bucket(self, rate: Rate, network: str) -> Bucket:
        key = rate, network
        bucket = self._buckets.setdefault(key, Bucket(rate))
        self._buckets.move_to_end(key)
        if len(self._buckets) > MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        return bucket


def network_of(address: str) -> str:
    """An IPv6 address stands for its /64, of which one household has all, unless an IPv4 address is written so."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return address
    return str(parsed.ipv4_mapped or ipaddress.ip_network((parsed, 64), strict=False))
