"""Tells the other processes that something is new in a room; they read from the store what it is.

Each room has a channel, so a process hears only of the rooms it holds. A message may be lost: the next one, a
reconnect or a regular look at all rooms makes up for it, so publishing never waits and never fails. Of each kind of
log line of this package one a minute is written (`app.web.log_limits`).
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from .bus import EVERY_ROOM, Bus, BusSetupError, BusUnavailableError, MemoryBus

__all__ = ["EVERY_ROOM", "Bus", "BusSetupError", "BusUnavailableError", "MemoryBus", "open_bus"]

UNREADABLE = "The bus's address can't be read; allowed is `memory` or redis://HOST:PORT/NUMBER."


@asynccontextmanager
async def open_bus(address: str) -> AsyncGenerator[Bus]:
    """`memory`, or redis://HOST:PORT/NUMBER (rediss:// with TLS)."""
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
