"""What waits for a listener: the latest state of the room, and the answers to its own messages."""

import asyncio
from collections import deque
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from app.wire import dump_room_message

MOST_HELD = 256 * 1024
"""Bytes that may wait for one listener."""

MOST_EVENTS = 64 * 1024
"""Bytes of events carried along from states that were skipped; the oldest go first."""


class OutboxClosedError(Exception):
    """The listener is to be sent away; the text says why."""


@dataclass(frozen=True)
class Update:
    """A state of the room as one viewer sees it, shared by all listeners who see the same."""

    room: bytes
    view: bytes
    events: tuple[bytes, ...]

    @cached_property
    def text(self) -> str:
        """The message, put together once."""
        return dump_room_message(self.room, self.view, self.events)

    def after(self, skipped: "Update | None") -> "Update":
        """This state in place of one that was not sent, with the events of both."""
        if skipped is None or not skipped.events:
            return self
        return Update(self.room, self.view, _latest((*skipped.events, *self.events)))


def _latest(events: tuple[bytes, ...]) -> tuple[bytes, ...]:
    sizes = accumulate(len(event) for event in reversed(events))
    return events[len(events) - sum(size <= MOST_EVENTS for size in sizes) :]


class Outbox:
    """Filled by the room, which never waits; emptied by the one task that sends.

    Answers are sent in their order, each before any state that came after it.
    """

    def __init__(self) -> None:
        self._answers: deque[str] = deque()
        self._held = 0
        self._update: Update | None = None
        self._filled = asyncio.Event()
        self._closed: str | None = None

    @property
    def held(self) -> int:
        """Bytes of answers that wait."""
        return self._held

    def close(self, reason: str) -> None:
        """Send the listener away."""
        self._closed = self._closed or reason
        self._filled.set()

    def answer(self, text: str) -> None:
        """An answer, which is never dropped."""
        self._answers.append(text)
        self._held += len(text)
        self._filled.set()
        if self._held > MOST_HELD - MOST_EVENTS:
            self.close("too slow")

    def show(self, update: Update) -> None:
        """The latest state, in place of one that still waits."""
        self._update = update.after(self._update)
        self._filled.set()

    async def next(self) -> str:
        """What is to be sent next.

        Raises:
            OutboxClosedError: too much waits, or the room sends the listener away.
        """
        await self._filled.wait()
        if self._closed is not None:
            raise OutboxClosedError(self._closed)
        text = self._take()
        if not self._answers and self._update is None:
            self._filled.clear()
        return text

    def _take(self) -> str:
        if self._answers:
            text = self._answers.popleft()
            self._held -= len(text)
            return text
        assert self._update is not None
        update, self._update = self._update, None
        return update.text
