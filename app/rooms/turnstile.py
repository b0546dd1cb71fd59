"""Keeps a crowd from coming at once: after a restart everybody is back within seconds, and each wants to be read."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from .errors import unavailable

AT_ONCE = 4
"""Those that are let through at the same time: more would only wait for a connection, and then ask again in vain."""

PATIENCE = 8.0
"""Seconds in which one has to have been let through; a page gives up after ten."""


class Turnstile:
    """Lets one after the other through, in the order of their coming."""

    def __init__(self) -> None:
        self._free = asyncio.Semaphore(AT_ONCE)

    @asynccontextmanager
    async def passed(self) -> AsyncGenerator[None]:
        """Wait for one's turn, and keep it while inside.

        Raises:
            RefusedError: it did not come in time.
        """
        try:
            async with asyncio.timeout(PATIENCE):
                await self._free.acquire()
        except TimeoutError:
            raise unavailable() from None
        try:
            yield
        finally:
            self._free.release()
