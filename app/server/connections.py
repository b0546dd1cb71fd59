"""Open connections: limits by address, and closing idle ones when file descriptors run out."""

import asyncio
import heapq
import resource
from collections import defaultdict
from collections.abc import Callable, Container
from dataclasses import dataclass
from typing import Protocol

import structlog

MOST_CONNECTIONS = 20_000
"""Connections of one process, even if it may open more files: each takes memory."""

MOST_RESERVED = 4096
MOST_QUEUED = 2048

SHED_FOR_EACH = 2
"""Idle connections closed for a new one when files run short: two, so that the reserve fills up again."""

FOUND_AT_ONCE = 64
"""Connections that one search returns, because it goes through all of them."""

PAUSE = 0.1
"""Seconds until the next search after one that found nothing."""

ARRIVING = 1.0
"""Seconds in which a new connection is expected to send a request; older idle ones are closed first."""

LOG_EVERY = 60.0

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class FileBudget:
    """The file descriptors that connections may use; the rest is for the database, the bus and files that are served.

    The system assigns the lowest free number, so the number of a new connection tells how many files are open.
    """

    limit: int

    @classmethod
    def of_process(cls) -> "FileBudget":
        """The budget for the limit of this process."""
        return cls(resource.getrlimit(resource.RLIMIT_NOFILE)[0])

    @property
    def reserve(self) -> int:
        """Files that connections leave free."""
        return min(MOST_RESERVED, self.limit // 4)

    @property
    def backlog(self) -> int:
        """Length of the listening queue: half of the reserve, as all of it may be accepted before one can be closed."""
        return min(MOST_QUEUED, self.reserve // 2)

    def is_spent(self, number: int) -> bool:
        """Whether a connection with this file number uses the reserve."""
        return number >= self.limit - self.reserve


class Holder(Protocol):
    """The protocol of a connection."""

    transport: asyncio.Transport

    @property
    def is_idle(self) -> bool:
        """Whether it waits for the client, so that closing it breaks no request being served."""
        ...


@dataclass(eq=False, slots=True)
class Connection:
    holder: Holder
    network: str
    is_proxy: bool
    opened: float


class Connections:
    def __init__(
        self, network_of: Callable[[str], str], trusted_proxies: Container[str], most: int | None, files: FileBudget
    ) -> None:
        """`most` is the limit for each network; None means no limit. Trusted proxies have none."""
        self.files = files
        self._network_of = network_of
        self._trusted = trusted_proxies
        self._most = most
        self._open: dict[Connection, None] = {}
        self._networks: defaultdict[str, int] = defaultdict(int)
        self._to_shed: list[Connection] = []
        self._next_search = 0.0
        self._shed = Report("connections_shed")
        self._over_limit, self._out_of_files = Report("connections_refused"), Report("connections_refused")

    def __len__(self) -> int:
        return len(self._open)

    def add(self, holder: Holder, address: str, now: float) -> Connection | None:
        """Register a connection; None when it has to be refused."""
        network = self._network_of(address)
        one = Connection(holder, network, address in self._trusted, now)
        if self._most is not None and not one.is_proxy and self._networks[network] >= self._most:
            self._over_limit.count(now, limit_of="address", address=network, open=self._networks[network])
            return None
        if self._is_full(holder) and not sum(self._shed_one(now) for _ in range(SHED_FOR_EACH)):
            self._out_of_files.count(now, limit_of="files", open=len(self), files=self.files.limit)
            return None
        self._open[one] = None
        self._networks[network] += 1
        return one

    def remove(self, one: Connection) -> None:
        """Forget a connection that is closed or about to be."""
        if one in self._open:
            del self._open[one]
            self._networks[one.network] -= 1
            if not self._networks[one.network]:
                del self._networks[one.network]

    def _is_full(self, holder: Holder) -> bool:
        number = holder.transport.get_extra_info("socket").fileno()
        return len(self) >= MOST_CONNECTIONS or self.files.is_spent(number)

    def _shed_one(self, now: float) -> bool:
        if not self._to_shed and now >= self._next_search:
            self._to_shed = self._search(now)
            self._next_search = now if self._to_shed else now + PAUSE
        while self._to_shed:
            one = self._to_shed.pop(0)
            if one in self._open and one.holder.is_idle:
                self.remove(one)
                one.holder.transport.abort()
                self._shed.count(now, open=len(self), files=self.files.limit)
                return True
        return False

    def _search(self, now: float) -> list[Connection]:
        """Idle connections to close: the newest of the address with the most first, those of proxies last, since all
        visitors share them."""

        def order(one: Connection) -> tuple[bool, bool, int, float]:
            return now - one.opened >= ARRIVING, not one.is_proxy, self._networks[one.network], one.opened

        return heapq.nlargest(FOUND_AT_ONCE, (one for one in self._open if one.holder.is_idle), order)


class Report:
    """Logs an event at most once a minute, with the number of events since the previous line."""

    def __init__(self, event: str) -> None:
        self._event = event
        self._count = 0
        self._next = 0.0

    def count(self, now: float, **facts: object) -> None:
        self._count += 1
        if now >= self._next:
            log.warning(self._event, count=self._count, **facts)
            self._count, self._next = 0, now + LOG_EVERY
