"""Several processes in which bots think at the same time."""

import asyncio
import os
from types import TracebackType

from app.rules import Action, View

from .clock import SECONDS
from .known import Known
from .thinker import TIME_LIMIT, Thinker

SIZE = min(4, max(1, (os.cpu_count() or 1) - 1))
"""One core is left to the server. More than a few processes only take memory, 20 MB each."""


def seconds_each(processes: int, asking: int) -> float:
    """Seconds that each bot may think: if many ask at once, each thinks less, so that none waits much longer."""
    return SECONDS * min(1.0, processes / asking)


class ThinkerPool:
    """Asks bots in at most `size` niced processes. Thoughts that find none idle wait for one.

    The process that was idle for the shortest time is asked first, so only as many are started as think at once.
    """

    def __init__(self, size: int = SIZE, limit: float = TIME_LIMIT) -> None:
        self._thinkers = [Thinker(limit) for _ in range(size)]
        self._asking = 0
        self._idle: asyncio.LifoQueue[Thinker] = asyncio.LifoQueue()
        for thinker in self._thinkers:
            self._idle.put_nowait(thinker)

    async def __aenter__(self) -> "ThinkerPool":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def pids(self) -> list[int]:
        """The ids of the processes that were started."""
        return [thinker.pid for thinker in self._thinkers if thinker.pid is not None]

    async def choose(self, level: str, view: View, seed: int, known: Known = ()) -> Action:
        """As `Thinker.choose`. The time limit begins when a process is idle."""
        self._asking += 1
        thinker = None
        try:
            thinker = await self._idle.get()
            return await thinker.choose(level, view, seed, known, seconds_each(len(self._thinkers), self._asking))
        finally:
            self._asking -= 1
            if thinker:
                self._idle.put_nowait(thinker)

    async def close(self) -> None:
        """Kill all processes. Running and waiting calls of `choose` fail."""
        await asyncio.gather(*(thinker.close() for thinker in self._thinkers))
