"""How much one may ask: so many at once, and so many a second in the long run, by address or by player."""

import ipaddress
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush, heapreplace
from zlib import crc32

from app.rooms import Code, RefusedError

MOST_ADDRESSES = 20_000
"""Budgets that are remembered. Beyond that, the one that would be whole again the soonest is forgotten."""

INEXACT = 1e-6
"""Seconds that may come of adding up fractions."""

WIDE = 16
"""All networks of an IPv6 /48 together have so many times the budget of one /64."""


@dataclass(frozen=True, slots=True, eq=False)
class Rate:
    """So many at once, and so many a second in the long run. Two rates are never the same, whatever their numbers."""

    burst: int
    per_second: float

    @classmethod
    def parse(cls, text: str) -> "Rate":
        """So many at once, and so many a minute, as settings say it."""
        burst, per_minute = text.split("/")
        return cls(int(burst), int(per_minute) / 60)


NEW_PLAYERS = Rate.parse("120/60")
"""Names taken at one address, and devices linked; a setting says otherwise."""

NEW_ROOMS = Rate.parse("60/30")
"""Rooms made from one address; a setting says otherwise."""

CALL = Rate(600, 30)
"""All calls from one address."""

LIST = Rate(120, 6)
"""Lists of open tables asked for from one address."""

SIGN = Rate(30, 2)
"""Questions from one address whether the site is ready, and for its figures: each looks at all of the site."""

DRAW = Rate(60, 2)
"""QR codes of invitations asked for from one address."""

FILE = Rate(6000, 200)
"""Files of the page asked for from one address: a class of sixty loads some fifty each at the same time."""

STRAY = Rate(120, 5)
"""Questions from one address whether the process is alive, for the OpenAPI document, and for what is not there."""

MISS = Rate(30, 0.2)
"""Codes of no room tried from one address."""

TALK = Rate(8, 0.5)
"""Lines of talk of one player."""

MESSAGE = Rate(60, 15)
"""Messages on one socket."""

ORIGINS = 65_536
"""Groups of networks that players are told apart by: so few that a number tells no address."""


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

    def take(self) -> bool:
        """Take a token if there is one."""
        now = self._clock()
        self._left = min(self._rate.burst, self._left + (now - self._at) * self._rate.per_second)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


Key = tuple[Rate, str]
Share = tuple[str, int]
"""A network, and so many times the budget of an address that it has."""


class Budgets:
    """The budgets that are not whole, each as the moment at which it will be whole again.

    There are never more than so many. One that was forgotten counts as whole, so what goes first is what would be
    whole the soonest: whoever comes once from each of 100,000 addresses makes it forget those, and no budget that is
    used up.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._whole_at: dict[Key, float] = {}
        self._soonest: list[tuple[float, int, Key]] = []
        self._made = 0

    def __len__(self) -> int:
        return len(self._whole_at)

    def wait(self, rate: Rate, share: Share) -> float:
        """Seconds until there is one more; 0 when there is one now."""
        now = self._clock()
        earliest = now + (rate.burst - 1 / share[1]) / rate.per_second
        wait = self._whole_at.get((rate, share[0]), now) - earliest
        return wait if wait > INEXACT else 0.0

    def take(self, rate: Rate, share: Share) -> None:
        """One less."""
        key, now = (rate, share[0]), self._clock()
        if key not in self._whole_at:
            self._forget_some(now)
            self._made += 1
            heappush(self._soonest, (now, self._made, key))
        self._whole_at[key] = max(now, self._whole_at.get(key, now)) + 1 / rate.per_second / share[1]

    def give_back(self, rate: Rate, share: Share) -> None:
        """One more, of those that were taken."""
        key = rate, share[0]
        if key in self._whole_at:
            self._whole_at[key] -= 1 / rate.per_second / share[1]

    def _forget_some(self, now: float) -> None:
        """Those that are whole, two at a time, and one that is not where there are as many as there may be."""
        for _ in range(2):
            if self._soonest and (self._earliest() <= now or len(self._whole_at) >= MOST_ADDRESSES):
                del self._whole_at[heappop(self._soonest)[2]]

    def _earliest(self) -> float:
        """When the first of them is whole. The heap may hold an earlier moment, from before more was taken."""
        while (at := self._whole_at[(top := self._soonest[0])[2]]) > top[0]:
            heapreplace(self._soonest, (at, *top[1:]))
        return at


class Limits:
    """What is left to each address, by rate."""

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
        """Whether anything is limited."""
        return self._on

    def spend(self, rate: Rate, address: str) -> None:
        """Take one from what is left to an address, before anything is waited for.

        Raises:
            RateLimitedError: there is none left, and none was taken.
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
        """A number for a network, which others share; None where nothing is limited."""
        return crc32(shares_of(address)[-1][0].encode()) % ORIGINS if self._on else None

    def give_back(self, rate: Rate, address: str) -> None:
        """What was spent and not used."""
        if self._on:
            for share in shares_of(address):
                self._budgets.give_back(rate, share)

    def for_socket(self) -> Callable[[], bool]:
        """Whether one more message may come on a new socket."""
        return Bucket(MESSAGE).take if self._on else lambda: True


def network_of(address: str) -> str:
    """An IPv6 address stands for its /64, of which one household has all, unless an IPv4 address is written so."""
    return shares_of(address)[0][0]


@lru_cache(1024)
def shares_of(address: str) -> tuple[Share, ...]:
    """The networks that an address counts for, the narrowest first.

    Who has a whole /48 has 65,536 networks of one household each, so the /48 counts as well.
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
