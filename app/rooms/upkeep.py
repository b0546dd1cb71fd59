"""Looks after all rooms every 30 seconds: forgets, reads again, loads what is due, and removes abandoned ones."""

import asyncio
from collections.abc import AsyncGenerator
from datetime import datetime, timedelta

import structlog

from app.rules import End, end_of
from app.store import StoreUnavailableError, results, visits
from app.wire import dump_end

from .bots import bots_to_act
from .context import Context
from .errors import RefusedError
from .lobby import host_seat
from .peers import BEAT
from .positions import LATELY, QUIET, Unkept, keep_positions
from .room import Room
from .rooms import Rooms
from .tasks import Tasks, repeat

SWEEP = 30.0
"""Seconds between two looks at all rooms."""

IDLE = 300.0
"""Seconds after which an idle room is removed from memory."""

PAUSE = 0.1
"""Seconds between loading two rooms that nobody waits for."""

AT_ONCE = 100
"""Maximum rooms that one query finds."""

RESULTS_AT_ONCE = 50
"""Maximum results worked out in one sweep: a long one would make open tables look as if their hosts had left."""

LEASE = 3 * timedelta(seconds=SWEEP)
"""How long after a process's last sweep another one loads its rooms where something is due."""

RETRY_UNREAD = timedelta(hours=1)
"""How long until a room that could not be loaded is tried again, unless somebody asks for it."""

VISIT_LASTS = timedelta(hours=1)
"""A stored visit counts for all visits within this time."""

GAP = timedelta(days=1)
"""After this time between two sweeps, or between the last visit and the start, the site was down or its clock leapt."""

GATHERING = 1.0
"""Seconds in which visits are gathered, to be stored together."""

REMOVED_AT_ONCE = 20

log = structlog.get_logger(__name__)


class Upkeep:
    """Looks after all rooms. Unfinished ones are removed after `days` without a visit; 0 keeps all."""

    def __init__(self, context: Context, rooms: Rooms, days: int) -> None:
        self.days = days
        self._context = context
        self._store = context.store
        self._rooms = rooms
        self._unkept = Unkept(context)
        self._looked: datetime | None = None
        self._known: dict[str, datetime] = {}
        self._visited: set[str] = set()
        self._gathering: asyncio.TimerHandle | None = None
        self._driven: set[str] = set()
        self._are_old_filled = False
        self._unreadable: set[str] = set()
        self._tasks = Tasks()

    async def tend(self) -> None:
        """Look after all rooms for ever and, with other processes about, tell them that this one is alive."""
        beats = [repeat(self._beat, BEAT)] if self._context.shared else []
        await asyncio.gather(self.wake_at_start(), repeat(self.sweep, SWEEP), *beats)

    async def _beat(self) -> None:
        """Separate from the sweep, which may take longer than other processes wait for a sign of life."""
        self._rooms.beat()

    async def sweep(self) -> None:
        """Look after all rooms once. A step that fails is left for the next sweep and does not stop the others."""
        self.forget_idle(IDLE)
        self._rooms.heal()
        for step in (
            self._rooms.notice_changes,
            self._tend_visits,
            self.put_off_due,
            self.wake,
            self.keep_positions,
            self.fill_results,
        ):
            try:
                await step()
            except StoreUnavailableError as error:
                log.warning("upkeep_postponed", step=step.__name__, error=str(error))
            except Exception:
                log.exception("upkeep_failed", step=step.__name__)

    async def close(self) -> None:
        """Store the visits that are not stored yet, and hand what is due to other processes."""
        if self._gathering is not None:
            self._gathering.cancel()
        await self._tasks.all_done()
        await self.note_visits()
        await self._hand_over_due()

    # --- rooms in memory ---------------------------------------------------------------------------------------

    def forget_idle(self, seconds: float) -> None:
        """Remove from memory the rooms that have been idle for so long."""
        before = asyncio.get_running_loop().time() - seconds
        for room in self._rooms.loaded():
            if room.used_at <= before and not room.is_busy and not bots_to_act(room):
                self._rooms.forget(room.code)

    async def wake(self) -> None:
        """Load the games where something is due and that no process has in memory."""
        now = self._context.now()
        await self._load_due(now, now + LEASE)

    async def wake_at_start(self) -> None:
        """Load games at the start. A process that serves alone also loads what it had postponed before it stopped."""
        until = self._context.now() + LEASE
        before = self._context.now() if self._context.shared else until
        try:
            await self._load_due(before, until)
        except StoreUnavailableError as error:
            log.warning("rooms_not_woken", error=str(error))

    async def _load_due(self, before: datetime, until: datetime) -> None:
        while codes := await self._store.write(visits.take_due, before, until, AT_ONCE):
            unread = [code for code in codes if await self._rooms.find_unasked(code) is None]
            await self._store.write(visits.put_off, unread, self._context.now() + RETRY_UNREAD)

    async def put_off_due(self) -> None:
        """Postpone what is due in rooms in memory, so that no other process loads them; clear it where nothing is."""
        driven = {room.code for room in self._rooms.loaded() if has_driver(room)}
        await self._store.write(visits.put_off, driven, self._context.now() + LEASE)
        await self._store.write(visits.put_off, self._driven - driven, None)
        self._driven = driven

    async def fill_results(self) -> None:
        """Work out missing results: of games that an older version finished, or that a command ended.

        Once no game lacks one, looking at the latest games is enough, since any new one is among them.
        """
        since = self._context.now() - LATELY if self._are_old_filled else None
        most = RESULTS_AT_ONCE + len(self._unreadable)
        codes = await self._store.read(results.rooms_without_result, since, most)
        wanted = [code for code in codes if code not in self._unreadable]
        self._are_old_filled = self._are_old_filled or not wanted
        found = {code: dump_end(end) for code in wanted if (end := await self._end_of(code))}
        await self._store.write(results.add_results, found)
        self._unreadable |= {code for code in wanted if code not in found}  # the database has just answered

    async def _end_of(self, code: str) -> End | None:
        """How a game ended; None if it can't be read. The room need not be in memory."""
        await asyncio.sleep(PAUSE)
        try:
            replica = await self._rooms.replica_of(code)
            await replica.catch_up()
        except RefusedError as error:
            log.warning("room_not_read", room=code, detail=str(error))
        except Exception:
            log.exception("room_not_read", room=code)
        else:
            return None if replica.shown is None else end_of(replica.shown)
        return None

    async def keep_positions(self, quiet: timedelta = QUIET) -> None:
        """Keep the positions of games at rest, for later versions of the rules."""
        rooms = [room async for room in self._at_rest(quiet)]
        if not await keep_positions(self._context, rooms):
            self._unkept.try_again()

    async def _at_rest(self, quiet: timedelta) -> AsyncGenerator[Room]:
        for code in await self._unkept.codes(quiet):
            await asyncio.sleep(PAUSE)
            if room := await self._rooms.find_unasked(code):
                yield room

    async def _hand_over_due(self) -> None:
        """Make everything due now, so that another process takes over, or this one when it starts again."""
        driven = {room.code for room in self._rooms.loaded() if has_driver(room)}
        try:
            await self._store.write(visits.put_off, driven, self._context.now())
        except StoreUnavailableError as error:
            log.warning("rooms_not_handed_over", error=str(error))

    # --- visits ------------------------------------------------------------------------------------------------

    def visit(self, code: str) -> None:
        """Note a visit to a room. It is stored a moment later, unless a recent one is."""
        if code in self._known:
            return
        self._visited.add(code)
        if self._gathering is None:
            later = asyncio.get_running_loop().call_later
            self._gathering = later(GATHERING, lambda: self._tasks.start(self.note_visits()))

    async def note_visits(self) -> None:
        """Store the noted visits. If the database is away, they wait for the next time."""
        codes, now = self._visited, self._context.now()
        self._visited, self._gathering = set(), None
        if not codes:
            return
        try:
            await self._store.write(visits.note_visits, codes, now, now - VISIT_LASTS)
        except StoreUnavailableError:
            self._visited |= codes
        else:
            self._known |= dict.fromkeys(codes, now)

    async def _tend_visits(self) -> None:
        """Remove rooms only after all visits are stored and gaps are allowed for; if that fails, remove none."""
        await self.note_presence()
        await self.remove_abandoned()

    async def note_presence(self) -> None:
        """Store which rooms are followed here, and which hosts wait for others to join."""
        now = self._context.now()
        await self._allow_for_a_gap(now)
        self._known = {code: at for code, at in self._known.items() if at > now - VISIT_LASTS}
        followed = [room for room in self._rooms.loaded() if room.audience.listeners]
        self._visited |= {room.code for room in followed} - self._known.keys()
        await self.note_visits()
        if waiting := [room.code for room in followed if waits_for_anybody(room)]:
            await self._store.write(visits.note_waiting, waiting, now)

    async def _allow_for_a_gap(self, now: datetime) -> None:
        """Count the days anew after a time when nobody could come, or when the clock leapt."""
        last = self._looked or await self._store.read(visits.last_visit)
        if last is not None and abs(now - last) > GAP:
            await self._store.write(visits.renew_visits, now)
            log.info("days_begin_anew", last=last.isoformat())
        self._looked = now

    async def remove_abandoned(self) -> None:
        """Remove the unfinished rooms that nobody has visited for `days`."""
        if self.days == 0:
            return
        before = self._context.now() - timedelta(days=self.days)
        removed: list[str] = []
        while batch := await self._store.write(visits.remove_abandoned, before, REMOVED_AT_ONCE):
            removed += batch
        if removed:
            log.info("rooms_removed", rooms=removed)
            await self._rooms.notice_changes()


def has_driver(room: Room) -> bool:
    """Whether bots decide for a seat of a game in progress."""
    return room.row.status == "playing" and any(seat.driver is not None for seat in room.row.seats)


def waits_for_anybody(room: Room) -> bool:
    """Whether this is a public lobby whose host is here."""
    host = host_seat(room.row)
    viewers = {listener.viewer for listener in room.audience.listeners}
    return room.row.status == "lobby" and room.row.options["public"] and host is not None and host in viewers
