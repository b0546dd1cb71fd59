"""Rate limits by address or by player: a burst, and a rate in the long run (token buckets)."""

import ipaddress
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush, heapreplace
from zlib import crc32

from app.rooms import Code, RefusedError

MOST_ADDRESSES = 20_000
"""Maximum budgets that are remembered. Beyond that, the one that would be full again first is forgotten."""

INEXACT = 1e-6
"""Seconds by which sums of fractions may be wrong."""

WIDE = 16
"""The budget of an IPv6 /48 as a multiple of that of one /64."""


@dataclass(frozen=True, slots=True, eq=False)
class Rate:
    """A burst, and a number per second in the long run. Rates are compared by identity, not by their numbers."""

    burst: int
    per_second: float

    @classmethod
    def parse(cls, text: str) -> "Rate":
        """Parse `BURST/PER_MINUTE`, as settings have it."""
        burst, per_minute = text.split("/")
        return cls(int(burst), int(per_minute) / 60)


NEW_PLAYERS = Rate.parse("120/60")
"""Names taken and devices linked from one address, unless a setting says otherwise."""

NEW_ROOMS = Rate.parse("60/30")
"""Rooms made from one address, unless a setting says otherwise."""

CALL = Rate(600, 30)
"""All calls from one address."""

OPEN_TABLES = Rate(120, 6)
"""Requests for the list of open tables from one address."""

READINESS = Rate(30, 2)
"""Requests for readiness and metrics from one address: each examines the whole site."""

QR_CODE = Rate(60, 2)
"""Requests for QR codes of invitations from one address."""

STATIC_FILE = Rate(6000, 200)
"""Requests for static files from one address: a class of sixty loads some fifty each at the same time."""

OTHER = Rate(120, 5)
"""Requests from one address for liveness, the OpenAPI document and unknown paths."""

WRONG_CODE = Rate(30, 0.2)
"""Wrong room codes tried from one address."""

CHAT_MESSAGE = Rate(8, 0.5)
"""Chat messages of one player."""

SOCKET_MESSAGE = Rate(60, 15)
"""Messages on one socket."""

ORIGINS = 65_536
"""Groups of networks that players belong to: so few that a group doesn't reveal an address."""


class RateLimitedError(RefusedError):
    """A limit was exceeded. `wait` is the number of seconds until the next attempt may succeed."""

    def __init__(self, wait: float) -> None:
        super().__init__(Code.RATE_LIMITED, "You are asking too often; wait a moment.")
        self.wait = wait


class Bucket:
    """A token bucket."""

    __slots__ = ("_at", "_clock", "_left", "_rate")

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._left = float(rate.burst)
        self._at = clock()

    def take(self) -> bool:
        """Take a token if there is one, and return whether there was."""
        now = self._clock()
        self._left = min(self._rate.burst, self._left + (now - self._at) * self._rate.per_second)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


Key = tuple[Rate, str]
Share = tuple[str, int]
"""A network, and its budget as a multiple of that of an address."""


class Budgets:
    """The budgets that are not full, each as the time at which it will be full again.

    Their number is bounded. A forgotten budget counts as full, so the one that would be full first is forgotten first:
    an attacker with 100,000 addresses makes it forget those, and no budget that is used up.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._whole_at: dict[Key, float] = {}
        self._soonest: list[tuple[float, int, Key]] = []
        self._made = 0

    def __len__(self) -> int:
        return len(self._whole_at)

    def wait(self, rate: Rate, share: Share) -> float:
        """Seconds until one can be taken; 0 if one can be taken now."""
        now = self._clock()
        earliest = now + (rate.burst - 1 / share[1]) / rate.per_second
        wait = self._whole_at.get((rate, share[0]), now) - earliest
        return wait if wait > INEXACT else 0.0

    def take(self, rate: Rate, share: Share) -> None:
        key, now = (rate, share[0]), self._clock()
        if key not in self._whole_at:
            self._forget_some(now)
            self._made += 1
            heappush(self._soonest, (now, self._made, key))
        self._whole_at[key] = max(now, self._whole_at.get(key, now)) + 1 / rate.per_second / share[1]

    def give_back(self, rate: Rate, share: Share) -> None:
        """Give back one that was taken."""
        key = rate, share[0]
        if key in self._whole_at:
            self._whole_at[key] -= 1 / rate.per_second / share[1]

    def _forget_some(self, now: float) -> None:
        """Forget up to two budgets that are full, and one that is not if there are too many."""
        for _ in range(2):
            if self._soonest and (self._earliest() <= now or len(self._whole_at) >= MOST_ADDRESSES):
                del self._whole_at[heappop(self._soonest)[2]]

    def _earliest(self) -> float:
        """When the first budget is full. Its entry in the heap may be outdated, from before more was taken."""
        while (at := self._whole_at[(top := self._soonest[0])[2]]) > top[0]:
            heapreplace(self._soonest, (at, *top[1:]))
        return at


class Limits:
    """The limits of all addresses."""

    def __init__(
        self,
        *,
        on: bool,
        new_players: Rate = NEW_PLAYERS,
        new_rooms: Rate = NEW_ROOMS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.new_players = new_players
        self.new_rooms = new_rooms
        self._on = on
        self._budgets = Budgets(clock)

    @property
    def is_on(self) -> bool:
        return self._on

    def spend(self, rate: Rate, address: str) -> None:
        """Take one from the budget of an address. It must be called before anything is awaited.

        Raises:
            RateLimitedError: none is left, and none was taken.
        """
        if not self._on:
            return
        shares = shares_of(address)
        wait = max(self._budgets.wait(rate, share) for share in shares)
        if wait > 0:
            raise RateLimitedError(wait)
        for share in shares:
            self._budgets.take(rate, share)

    def origin_of(self, address: str) -> int | None:
        """The group of a network, which other networks share; None if limits are off."""
        return crc32(shares_of(address)[-1][0].encode()) % ORIGINS if self._on else None

    def give_back(self, rate: Rate, address: str) -> None:
        """Give back one that was taken and not used."""
        if self._on:
            for share in shares_of(address):
                self._budgets.give_back(rate, share)

    def for_socket(self) -> Callable[[], bool]:
        """A function that takes one message of a new socket, and returns whether it is allowed."""
        return Bucket(SOCKET_MESSAGE).take if self._on else lambda: True


def network_of(address: str) -> str:
    """The network of an address: for IPv6 its /64, which one household has, for IPv4 the address itself."""
    return shares_of(address)[0][0]


@lru_cache(1024)
def shares_of(address: str) -> tuple[Share, ...]:
    """The networks whose budgets an address uses, the narrowest first.

    The owner of a /48 has 65,536 /64 networks, so the /48 has a budget too.
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return ((address, 1),)
    if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped:
        parsed = parsed.ipv4_mapped
    if isinstance(parsed, ipaddress.IPv4Address):
        return ((str(parsed), 1),)
    household, site = (str(ipaddress.ip_network((parsed, bits), strict=False)) for bits in (64, 48))
    return (household, 1), (site, WIDE)
