"""The other processes, which say every few seconds that they are alive. A silent one counts as gone."""

import asyncio

from app.bus import EVERY_ROOM, Bus
from app.news import News

BEAT = 5.0
"""Seconds between two signs of life."""

SILENCE = 3 * BEAT
"""Seconds of silence after which a process counts as gone."""

MOST = 100
"""Maximum processes known at the same time, in case a stranger on the bus invents some."""


class Peers:
    """The processes heard lately. `name` is this process's own."""

    def __init__(self, bus: Bus, name: str) -> None:
        self._bus = bus
        self._name = name
        self._heard: dict[str, float] = {}

    def beat(self) -> None:
        """Say that this process is alive."""
        self._bus.publish(EVERY_ROOM, News.ALIVE, self._name)

    def hear(self, process: str) -> bool:
        """Note a sign of life. Returns whether the process is known now, which this process itself never is.

        A new process, or one that counted as gone, is asked who follows rooms there.
        """
        if process == self._name or (process not in self._heard and len(self._heard) >= MOST):
            return False
        if process not in self._heard:
            self._bus.publish(EVERY_ROOM, News.WHO, process)
        self._heard[process] = asyncio.get_running_loop().time()
        return True

    def silent(self) -> list[str]:
        """Remove and return the processes that have been silent for too long."""
        before = asyncio.get_running_loop().time() - SILENCE
        gone = [process for process, heard in self._heard.items() if heard < before]
        for process in gone:
            self.lose(process)
        return gone

    def lose(self, process: str) -> bool:
        """Remove a process that is stopping. Returns whether it was known."""
        return self._heard.pop(process, None) is not None
