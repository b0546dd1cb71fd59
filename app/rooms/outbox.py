"""What waits for a listener: the latest state of the room, and the answers to its own messages."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Protocol

from app.rules import Viewer
from app.wire import dump_room_message

MOST_HELD = 256 * 1024
"""Bytes that may wait for one listener."""

MOST_TALK = 56 * 1024
"""Bytes of talk that may wait for one listener; the oldest goes first."""

MOST_EVENTS = 64 * 1024
"""Bytes of events carried along from states that were skipped; the oldest go first."""


class OutboxClosedError(Exception):
    """The listener is to be sent away; the text says why."""


class Line(Protocol):
    """What leads to a listener."""

    @property
    def is_free(self) -> bool:
        """Whether it takes something without piling it up."""
        ...

    def put(self, texts: Sequence[bytes]) -> None:
        """Send all in one go; never waits and never fails."""
        ...


@dataclass(slots=True)
class Update:
    """A state of the room as one viewer sees it, shared by all listeners who see the same."""

    room: bytes
    seat: Viewer
    view: bytes
    events: tuple[bytes, ...]
    _text: bytes | None = None

    @property
    def text(self) -> bytes:
        """The message, put together once."""
        if self._text is None:
            self._text = dump_room_message(self.room, self.seat, self.view, self.events)
        return self._text

    def after(self, skipped: "Update") -> "Update":
        """This state in place of one that was not sent, with the events of both."""
        return Update(self.room, self.seat, self.view, _latest((*skipped.events, *self.events)))


def _latest(events: tuple[bytes, ...]) -> tuple[bytes, ...]:
    sizes = accumulate(len(event) for event in reversed(events))
    return events[len(events) - sum(size <= MOST_EVENTS for size in sizes) :]


class Outbox:
    """Filled by the room, which never waits. What the line does not take at once stays here until it is free.

    Answers are sent in their order, each before any state that came after it. Talk goes when nothing else waits.
    """

    __slots__ = ("_answers", "_closed", "_held", "_line", "_talk", "_talk_held", "_update", "_waiter")

    def __init__(self) -> None:
        self._answers: list[bytes] = []
        self._held = 0
        self._update: Update | None = None
        self._talk: list[bytes] = []
        self._talk_held = 0
        self._line: Line | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._closed: str | None = None

    @property
    def held(self) -> int:
        """Bytes of answers and talk that wait."""
        return self._held + self._talk_held

    @property
    def is_closed(self) -> bool:
        """Whether the listener is being sent away."""
        return self._closed is not None

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits."""
        return not self._answers and self._update is None and not self._talk

    def lead_to(self, line: Line) -> None:
        """From now on the line gets what it can take."""
        self._line = line
        self.pass_on()

    def close(self, reason: str) -> None:
        """Send the listener away."""
        self._closed = self._closed or reason
        self._wake()

    def answer(self, text: bytes) -> None:
        """An answer, which is never dropped."""
        self._answers.append(text)
        self._held += len(text)
        if self._held > MOST_HELD - MOST_EVENTS - MOST_TALK:
            self.close("too slow")
        asyncio.get_running_loop().call_soon(self.pass_on)  # with the state that mostly follows

    def show(self, update: Update) -> None:
        """The latest state, in place of one that still waits."""
        self._update = update if self._update is None else update.after(self._update)
        self.pass_on()

    def hear(self, text: bytes) -> None:
        """Something that was said; a slow reader loses what would be too much."""
        self._talk.append(text)
        self._talk_held += len(text)
        while self._talk_held > MOST_TALK:
            self._talk_held -= len(self._talk.pop(0))
        self.pass_on()

    def pass_on(self) -> None:
        """Give the line what it takes; whoever waits for the rest is told that there is some."""
        line = self._line
        if line is None or not line.is_free or self._closed is not None:
            self._wake()
        elif texts := self.take():
            line.put(texts)

    def take(self) -> list[bytes]:
        """All that waits, in the order in which it is sent."""
        texts, self._answers, self._held = self._answers, [], 0
        if self._update is not None:
            texts.append(self._update.text)
            self._update = None
        if self._talk:
            texts += self._talk
            self._talk, self._talk_held = [], 0
        return texts

    async def wait(self) -> None:
        """Until something waits.

        Raises:
            OutboxClosedError: too much waits, or the room sends the listener away.
        """
        while self.is_empty and self._closed is None:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        if self._closed is not None:
            raise OutboxClosedError(self._closed)

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
