"""The way into rooms: which tables take anybody, who has come lately, and which rooms nobody returns to."""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta

import structlog

from app.store import RoomRow, Store, StoreUnavailableError, visits
from app.wire import OpenTable

from .lobby import host_seat, names_of, set_public
from .room import Room
from .rooms import Rooms
from .soundness import find_trouble
from .tasks import Tasks, repeat

SWEEP = 30.0
"""Seconds between two looks at all rooms."""

WAITING_LASTS = timedelta(seconds=75)
"""After so long without a sign of its host a table is no longer offered."""

VISIT_LASTS = timedelta(hours=1)
"""A visit that was written down stands for all within this time."""

GAP = timedelta(days=1)
"""As long as that between two looks, or between the last visit and the start, the site was down or its clock leapt,
forwards or back."""

GATHERING = 1.0
"""Seconds in which visits are gathered to be written down together."""

MOST_OFFERED = 30
"""Tables that are offered at a time."""

REMOVED_AT_ONCE = 20

log = structlog.get_logger(__name__)


class Door:
    """`days` is after how many days without a visit an unfinished room is removed; 0 keeps all of them."""

    def __init__(self, store: Store, rooms: Rooms, now: Callable[[], datetime], days: int) -> None:
        self.days = days
        self._store = store
        self._rooms = rooms
        self._now = now
        self._looked: datetime | None = None
        self._known: dict[str, datetime] = {}
        self._visited: set[str] = set()
        self._gathering: asyncio.TimerHandle | None = None
        self._tasks = Tasks()

    async def open_tables(self) -> list[OpenTable]:
        """The tables that take anybody, a few of each host: in their lobby, with a free seat, the host at hand."""
        now = self._now()
        rows = await self._store.read_list(visits.waiting_rooms, now - WAITING_LASTS, now + WAITING_LASTS, MOST_OFFERED)
        return [offered(row) for row in rows if find_trouble(row) is None and row.options["public"]]

    async def set_public(self, room: Room, player: str, *, public: bool) -> None:
        """Host: offer the table to everybody from now on, or no longer."""
        await room.change(lambda row: set_public(row, player, public=public))
        await self._store.write(visits.note_waiting, [room.code], self._now() if public else None)

    def visit(self, code: str) -> None:
        """Somebody comes to a room. It is written down a moment later, where it was not lately."""
        if code in self._known:
            return
        self._visited.add(code)
        if self._gathering is None:
            later = asyncio.get_running_loop().call_later
            self._gathering = later(GATHERING, lambda: self._tasks.start(self.note_visits()))

    async def note_visits(self) -> None:
        """Write down who has come. When the database is away, that waits for the next time."""
        codes, now = self._visited, self._now()
        self._visited, self._gathering = set(), None
        if not codes:
            return
        try:
            await self._store.write(visits.note_visits, codes, now, now - VISIT_LASTS)
        except StoreUnavailableError:
            self._visited |= codes
        else:
            self._known |= dict.fromkeys(codes, now)

    async def tend(self) -> None:
        """For ever: keep up what is known of visits and hosts, and remove what nobody returns to."""
        await repeat(self._sweep_if_it_can, SWEEP)

    async def _sweep_if_it_can(self) -> None:
        try:
            await self.sweep()
        except StoreUnavailableError as error:
            log.warning("door_not_tended", error=str(error))

    async def sweep(self) -> None:
        """One look at all rooms."""
        now = self._now()
        await self._allow_for_a_gap(now)
        self._known = {code: at for code, at in self._known.items() if at > now - VISIT_LASTS}
        here = self._rooms.followed()
        self._visited |= {room.code for room in here} - self._known.keys()
        await self.note_visits()
        await self._note_waiting([room.code for room in here if waits_for_anybody(room)])
        await self.remove_abandoned()

    async def _allow_for_a_gap(self, now: datetime) -> None:
        """Days on which nobody could come don't count, nor those that a wrong clock invents: all begin anew."""
        last = self._looked or await self._store.read(visits.last_visit)
        if last is not None and abs(now - last) > GAP:
            await self._store.write(visits.renew_visits, now)
            log.info("days_begin_anew", last=last.isoformat())
        self._looked = now

    async def remove_abandoned(self) -> None:
        """Remove the unfinished rooms that nobody has come to for so many days."""
        if self.days == 0:
            return
        before = self._now() - timedelta(days=self.days)
        removed: list[str] = []
        while batch := await self._store.write(visits.remove_abandoned, before, REMOVED_AT_ONCE):
            removed += batch
        if removed:
            log.info("rooms_removed", rooms=removed)
            await self._rooms.notice_changes()

    async def close(self) -> None:
        """Write down what is known."""
        if self._gathering is not None:
            self._gathering.cancel()
        await self._tasks.all_done()
        await self.note_visits()

    async def _note_waiting(self, codes: list[str]) -> None:
        if codes:
            await self._store.write(visits.note_waiting, codes, self._now())


def waits_for_anybody(room: Room) -> bool:
    """Whether a host is here who takes anybody at the table."""
    host = host_seat(room.row)
    viewers = {listener.viewer for listener in room.listeners}
    return room.row.status == "lobby" and room.row.options["public"] and host is not None and host in viewers


def offered(row: RoomRow) -> OpenTable:
    """What is told of a table to those who look for one."""
    names = tuple(filter(None, names_of(row)))
    return OpenTable(row.code, row.board_id, len(row.seats), len(row.seats) - len(names), names, row.created_at)
