"""The other processes: each says now and then that it is alive; a silent one is gone, with all who followed there."""

import asyncio

from app.bus import EVERY_ROOM, Bus
from app.news import News

BEAT = 5.0
"""Seconds between two signs of life."""

SILENCE = 3 * BEAT
"""Seconds after which a process that was not heard counts as gone."""

MOST = 100
"""Processes that are known at the same time: while a stranger on the bus invents some, others are not taken in."""


class Peers:
    """Those that were heard lately, by name, with the time of it. `name` is this process's own."""

    def __init__(self, bus: Bus, name: str) -> None:
        self._bus = bus
        self._name = name
        self._heard: dict[str, float] = {}

    def beat(self) -> None:
        """Say that this process is alive."""
        self._bus.publish(EVERY_ROOM, News.ALIVE, self._name)

    def hear(self, process: str) -> bool:
        """Whether a process that has spoken is known now; one that was not, or had been given up, is asked who follows.

        This one itself is not.
        """
        if process == self._name or (process not in self._heard and len(self._heard) >= MOST):
            return False
        if process not in self._heard:
            self._bus.publish(EVERY_ROOM, News.WHO, process)
        self._heard[process] = asyncio.get_running_loop().time()
        return True

    def silent(self) -> list[str]:
        """Those that are gone, told once."""
        before = asyncio.get_running_loop().time() - SILENCE
        gone = [process for process, heard in self._heard.items() if heard < before]
        for process in gone:
            self.lose(process)
        return gone

    def lose(self, process: str) -> bool:
        """A process has said that it ends; whether it was known."""
        return self._heard.pop(process, None) is not None
