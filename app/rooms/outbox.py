"""What waits to be sent to a listener: answers, the latest state of the room, and chat messages."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Protocol

from app.rules import Viewer
from app.wire import dump_room_message

MOST_HELD = 256 * 1024
"""Maximum bytes that wait for one listener."""

MOST_TALK = 56 * 1024
"""Maximum bytes of chat messages that wait for one listener; the oldest are dropped."""

MOST_EVENTS = 64 * 1024
"""Maximum bytes of events that are kept from skipped states; the oldest are dropped."""


class OutboxClosedError(Exception):
    """The listener must be closed; the text says why."""


class Connection(Protocol):
    """The connection to a listener."""

    @property
    def is_free(self) -> bool:
        """Whether it can send without buffering."""
        ...

    def put(self, texts: Sequence[bytes]) -> None:
        """Send all texts in one write. Never waits and never fails."""
        ...


@dataclass(slots=True)
class Update:
    """A state of the room as one viewer sees it, shared by all listeners with the same view."""

    room: bytes
    seat: Viewer
    view: bytes
    events: tuple[bytes, ...]
    _text: bytes | None = None

    @property
    def text(self) -> bytes:
        """The message, encoded once."""
        if self._text is None:
            self._text = dump_room_message(self.room, self.seat, self.view, self.events)
        return self._text

    def after(self, skipped: "Update") -> "Update":
        """This state in place of a skipped one, with the events of both."""
        return Update(self.room, self.seat, self.view, _latest((*skipped.events, *self.events)))


def _latest(events: tuple[bytes, ...]) -> tuple[bytes, ...]:
    sizes = accumulate(len(event) for event in reversed(events))
    return events[len(events) - sum(size <= MOST_EVENTS for size in sizes) :]


class Outbox:
    """The room fills it and never waits. What the connection can't send at once stays here until it is free.

    Answers are sent in order, each before the states that follow it, and chat messages last.
    """

    __slots__ = ("_answers", "_closed", "_connection", "_held", "_talk", "_talk_held", "_update", "_waiter")

    def __init__(self) -> None:
        self._answers: list[bytes] = []
        self._held = 0
        self._update: Update | None = None
        self._talk: list[bytes] = []
        self._talk_held = 0
        self._connection: Connection | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._closed: str | None = None

    @property
    def held(self) -> int:
        """Bytes of answers and chat messages that wait."""
        return self._held + self._talk_held

    @property
    def is_closed(self) -> bool:
        """Whether the listener is being closed."""
        return self._closed is not None

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits to be sent."""
        return not self._answers and self._update is None and not self._talk

    def send_over(self, connection: Connection) -> None:
        """From now on, send over this connection."""
        self._connection = connection
        self.pass_on()

    def close(self, reason: str) -> None:
        """Close the listener for this reason; the first one counts."""
        self._closed = self._closed or reason
        self._wake()

    def answer(self, text: bytes) -> None:
        """Send an answer. Answers are never dropped."""
        self._answers.append(text)
        self._held += len(text)
        if self._held > MOST_HELD - MOST_EVENTS - MOST_TALK:
            self.close("too slow")
        asyncio.get_running_loop().call_soon(self.pass_on)  # together with the state that usually follows

    def show(self, update: Update) -> None:
        """Send a state, in place of one that still waits."""
        self._update = update if self._update is None else update.after(self._update)
        self.pass_on()

    def hear(self, text: bytes) -> None:
        """Send a chat message. A slow reader loses the oldest ones."""
        self._talk.append(text)
        self._talk_held += len(text)
        while self._talk_held > MOST_TALK:
            self._talk_held -= len(self._talk.pop(0))
        self.pass_on()

    def pass_on(self) -> None:
        """Send what waits if the connection is free; otherwise wake the task that waits until it is."""
        connection = self._connection
        if connection is None or not connection.is_free or self._closed is not None:
            self._wake()
        elif texts := self.take():
            connection.put(texts)

    def take(self) -> list[bytes]:
        """Remove and return all that waits, in the order of sending."""
        texts, self._answers, self._held = self._answers, [], 0
        if self._update is not None:
            texts.append(self._update.text)
            self._update = None
        if self._talk:
            texts += self._talk
            self._talk, self._talk_held = [], 0
        return texts

    async def wait(self) -> None:
        """Wait until there is something to send.

        Raises:
            OutboxClosedError: too much waits, or the room closes the listener.
        """
        while self.is_empty and self._closed is None:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        if self._closed is not None:
            raise OutboxClosedError(self._closed)

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
