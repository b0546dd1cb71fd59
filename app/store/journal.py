"""Group commit: all moves that are waiting, of all rooms, share one transaction."""

import asyncio
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from enum import Enum, auto
from typing import NamedTuple, Protocol

from app.metrics import COMMIT_SIZES

from . import timeouts
from .errors import MoveTakenError, RoomOverError, StoreError, StoreUnavailableError, UnknownRoomError
from .rows import MoveRow

MOST_AT_ONCE = 1000

MoveKey = tuple[str, int]


class Append(NamedTuple):
    """A move to be stored. Its caller waits for the future `stored` until the time `due`."""

    room: str
    move: MoveRow
    end: str | None
    due: float
    stored: asyncio.Future[None]

    @property
    def key(self) -> MoveKey:
        return self.room, self.move.number

    @property
    def action_key(self) -> tuple[str, int, str]:
        return self.room, self.move.seat, self.move.action_id


class Outcome(Enum):
    """What became of a move in its transaction."""

    STORED = auto()
    TAKEN = auto()
    ROOM_OVER = auto()
    NO_ROOM = auto()


class Ledger(Protocol):
    """Stores batches in one kind of database, over a connection of its own."""

    async def commit(self, batch: Sequence[Append]) -> Mapping[MoveKey, Outcome]:
        """Store the batch in one transaction, without the moves that are taken or whose room is over or removed.

        No two moves of a batch exclude each other. Raises StoreUnavailableError when the database can't store now,
        and anything else when it can't store this batch. After an error the next call starts afresh.
        """
        ...

    async def close(self) -> None: ...


class Journal:
    """Appends moves until it is closed. Use it in the event loop in which it was made."""

    def __init__(self, ledger: Ledger, longest_wait: float | None = None) -> None:
        """Callers wait at most `longest_wait` seconds; the default is `timeouts.ANSWER`."""
        self.commits = 0
        self._ledger = ledger
        self._longest_wait = longest_wait or timeouts.ANSWER
        self._loop = asyncio.get_running_loop()
        self._watch: asyncio.TimerHandle | None = None
        self._batch: list[Append] = []
        self._waiting: deque[Append] = deque()
        self._wake = asyncio.Event()
        self._closing = False
        self._writer = asyncio.create_task(self._write(), name="journal")

    @property
    def waiting(self) -> int:
        """Moves that wait for a commit."""
        return len(self._waiting) + len(self._batch)

    async def append(self, room: str, move: MoveRow, end: str | None = None) -> None:
        """Return when the move, with the end it brings, is committed.

        After a timeout or a cancellation it may have been stored or not.
        """
        if self._closing:
            raise StoreUnavailableError("the server is stopping")
        due = self._loop.time() + self._longest_wait
        entry = Append(room, move, end, due, self._loop.create_future())
        self._waiting.append(entry)
        self._wake.set()
        if self._watch is None:
            self._give_up_on_overdue()
        await entry.stored

    async def close(self) -> None:
        """Store what is waiting, then stop."""
        self._closing = True
        self._wake.set()
        await self._writer
        if self._watch is not None:
            self._watch.cancel()
        await self._ledger.close()

    async def _write(self) -> None:
        while self._waiting or not self._closing:
            self._batch = self._take()
            if self._batch:
                await self._settle(self._batch)
            else:
                self._wake.clear()
                await self._wake.wait()

    def _give_up_on_overdue(self) -> None:
        """Refuse overdue moves. All share one timer: one for each would add half to the cost of an append."""
        if not self._batch and not self._waiting:
            self._watch = None
            return
        tick = self._longest_wait / 8
        self._watch = self._loop.call_later(tick, self._give_up_on_overdue)
        for entry in (*self._batch, *self._waiting):
            if entry.due < self._loop.time() + tick:
                refuse(entry, StoreUnavailableError(f"no answer in {self._longest_wait:g} s"))
        while self._waiting and self._waiting[0].stored.done():
            self._waiting.popleft()

    def _take(self) -> list[Append]:
        """Take the waiting moves that can share a transaction, and drop those whose callers have given up."""
        batch: list[Append] = []
        later: list[Append] = []
        seen: set[tuple[object, ...]] = set()
        while self._waiting and len(batch) < MOST_AT_ONCE:
            entry = self._waiting.popleft()
            if entry.stored.done():
                continue
            keys = {entry.key, entry.action_key}
            (later if keys & seen else batch).append(entry)
            seen |= keys
        self._waiting.extendleft(reversed(later))
        return batch

    async def _settle(self, batch: list[Append]) -> None:
        try:
            outcomes = await self._ledger.commit(batch)
        except StoreUnavailableError as error:
            for entry in batch:
                refuse(entry, error)
        except Exception as error:  # noqa: BLE001 - the caller gets it, whatever it is
            await self._settle_apart(batch, error)
        else:
            self.commits += 1
            COMMIT_SIZES.observe(len(batch))
            for entry in batch:
                settle(entry, outcomes[entry.key])

    async def _settle_apart(self, batch: list[Append], error: Exception) -> None:
        """Retry each move alone after one of them spoiled the batch, so that only its caller gets the error."""
        if len(batch) == 1:
            refuse(batch[0], error)
            return
        for entry in batch:
            await self._settle([entry])


def outcomes_of(
    batch: Sequence[Append], stored: Collection[MoveKey], statuses: Mapping[str, str]
) -> dict[MoveKey, Outcome]:
    """The outcome of each move; `statuses` has the rooms that exist."""

    def outcome(entry: Append) -> Outcome:
        if entry.key in stored:
            return Outcome.STORED
        match statuses.get(entry.room):
            case None:
                return Outcome.NO_ROOM
            case "over":
                return Outcome.ROOM_OVER
            case _:
                return Outcome.TAKEN

    return {entry.key: outcome(entry) for entry in batch}


def settle(entry: Append, outcome: Outcome) -> None:
    if outcome is Outcome.STORED:
        accept(entry)
    else:
        refuse(entry, refusal(entry, outcome))


def refusal(entry: Append, outcome: Outcome) -> StoreError:
    if outcome is Outcome.ROOM_OVER:
        return RoomOverError(entry.room)
    if outcome is Outcome.NO_ROOM:
        return UnknownRoomError(entry.room)
    return MoveTakenError(entry.room, entry.move.number)


def accept(entry: Append) -> None:
    if not entry.stored.done():
        entry.stored.set_result(None)


def refuse(entry: Append, error: Exception) -> None:
    if not entry.stored.done():
        entry.stored.set_exception(error)
