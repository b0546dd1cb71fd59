"""Tells other processes that something in a room has changed; they read the change from the store.

Each room has a channel, so a process only hears of the rooms it holds. Messages may be lost: the next message, a
reconnect or the regular sweep makes up for it. So publishing never waits and never fails. `app.web.log_limits` limits
the log lines of this package to one a minute of each kind.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from .bus import EVERY_ROOM, Bus, BusSetupError, BusUnavailableError, MemoryBus

__all__ = ["EVERY_ROOM", "Bus", "BusSetupError", "BusUnavailableError", "MemoryBus", "open_bus"]

UNREADABLE = "The bus's address can't be read; allowed is `memory` or redis://HOST:PORT/NUMBER."


@asynccontextmanager
async def open_bus(address: str) -> AsyncGenerator[Bus]:
    """Open the bus at an address: `memory`, or redis://HOST:PORT/NUMBER (rediss:// with TLS).

    Raises:
        BusSetupError: it is neither.
    """
    if address == "memory":
        yield MemoryBus()
        return
    if not address.startswith(("redis://", "rediss://")):
        raise BusSetupError(UNREADABLE)
    from .redis_bus import RedisBus  # noqa: PLC0415 - a single process needs no client for Redis

    try:
        bus = RedisBus(address)
    except ValueError:
        raise BusSetupError(UNREADABLE) from None
    try:
        yield bus
    finally:
        await bus.close()
