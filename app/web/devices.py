"""The devices of players: lists them, signs them out, and removes unused ones."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Collection, Generator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta

import structlog

from app.bus import Bus
from app.news import News
from app.rooms import Code, RefusedError, Tasks, repeat
from app.store import DeviceRow, Store, StoreUnavailableError, devices
from app.wire import Device

from .identity import USE_LASTS, Identities, Session

SWEEP = 30.0
"""Seconds between two sweeps over all devices."""

GAP = timedelta(days=1)
"""After this time between two sweeps, or between the last use and the start, the site was down or its clock leapt."""

MOST_LISTED = 100
"""Maximum devices in a player's list."""

REMOVED_AT_ONCE = 100

SIGNED_OUT = "signed out"
"""Why the sockets of a device are closed."""

Close = Callable[[str], None]
Place = tuple[str, str]
"""A player and a device."""

log = structlog.get_logger(__name__)


class UnknownDeviceError(RefusedError):
    def __init__(self) -> None:
        super().__init__(Code.UNKNOWN_DEVICE, "You are not signed in on this device, or no longer.")


class Devices:
    """Removes devices that were not used for `days`; 0 keeps all."""

    def __init__(self, store: Store, bus: Bus, identities: Identities, now: Callable[[], datetime], days: int) -> None:
        self._store = store
        self._identities = identities
        self._now = now
        self._days = days
        self._looked: datetime | None = None
        self._open: defaultdict[Place, list[Close]] = defaultdict(list)
        self._tasks = Tasks()
        self._changed: set[str] = set()
        self._closing = asyncio.Lock()
        bus.listen(self._hear)

    async def listed(self, session: Session) -> tuple[Device, ...]:
        """The devices on which the caller is signed in, the last used one first."""
        rows = await self._store.read_list(devices.devices_of, session.player.id, MOST_LISTED)
        return tuple(shown(row, session.row.device) for row in rows)

    async def sign_out(self, session: Session, device: str) -> None:
        """Sign out a device of the caller.

        Raises:
            UnknownDeviceError: there is no such device.
            UnauthenticatedError: the caller's own device has been signed out.
        """
        player = session.player.id
        removed = await self._store.write(devices.remove_device, player, session.row.device, device)
        if removed is None:
            raise self._identities.signed_out(player)
        if not removed:
            raise UnknownDeviceError
        await self._tell(player)

    async def sign_out_others(self, session: Session) -> None:
        """Sign out all other devices of the caller.

        Raises:
            UnauthenticatedError: the caller's own device has been signed out.
        """
        player = session.player.id
        if await self._store.write(devices.remove_other_devices, player, session.row.device) is None:
            raise self._identities.signed_out(player)
        await self._tell(player)

    @contextmanager
    def connected(self, session: Session | None, close: Close) -> Generator[None]:
        """Register an open socket, which is closed when its device is signed out."""
        if session is None:
            yield
            return
        place = session.player.id, session.row.device
        self._open[place].append(close)
        try:
            yield
        finally:
            self._open[place].remove(close)
            if not self._open[place]:
                del self._open[place]

    async def tend(self) -> None:
        """Sweep for ever."""
        await repeat(self._sweep_if_it_can, SWEEP)

    async def sweep(self) -> None:
        """Close the sockets of devices that were signed out, and remove devices that nobody uses."""
        now = self._now()
        await self._close_signed_out(list(self._open))
        await self._store.write(devices.note_presence, {device for _, device in self._open}, now, now - USE_LASTS)
        await self._allow_for_a_gap(now)
        await self._remove_unused(now)

    async def close(self) -> None:
        """Wait for running tasks."""
        await self._tasks.all_done()

    async def _sweep_if_it_can(self) -> None:
        try:
            await self.sweep()
        except StoreUnavailableError as error:
            log.warning("devices_not_tended", error=str(error))

    async def _allow_for_a_gap(self, now: datetime) -> None:
        """Count days without use from now on, if the site was down or its clock leapt: nobody could come then."""
        last = self._looked or await self._store.read(devices.last_use)
        if last is not None and abs(now - last) > GAP:
            await self._store.write(devices.count_from, now)
        self._looked = now

    async def _remove_unused(self, now: datetime) -> None:
        before = now - timedelta(days=self._days)
        if self._days == 0 or (await self._store.read(devices.find_installation)).counted_from > before:
            return
        count = 0
        while batch := await self._store.write(devices.remove_unused, before, REMOVED_AT_ONCE):
            count += len(batch)
        if count:
            log.info("unused_devices_removed", count=count)

    async def _tell(self, player: str) -> None:
        self._identities.tell(player)
        await self._close_signed_out(self._places_of(player))

    def _hear(self, _code: str, news: str, text: str) -> None:
        """Check the devices of changed players. Changes that arrive during a check are checked together after it."""
        if news != News.PLAYER or not self._places_of(text):
            return
        if not self._changed:
            self._tasks.start(self._close_changed())
        self._changed.add(text)

    def _places_of(self, player: str) -> list[Place]:
        return [place for place in self._open if place[0] == player]

    async def _close_changed(self) -> None:
        async with self._closing:
            places = [place for player in self._changed for place in self._places_of(player)]
            self._changed.clear()
            with suppress(StoreUnavailableError):  # the next sweep closes them
                await self._close_signed_out(places)

    async def _close_signed_out(self, places: Collection[Place]) -> None:
        there = await self._store.read(devices.known_devices, {device for _, device in places})
        for place in places:
            if place[1] not in there:
                for close in list(self._open.get(place, ())):
                    close(SIGNED_OUT)


def shown(row: DeviceRow, current: str) -> Device:
    return Device(row.id, row.agent.browser, row.agent.system, row.created_at, row.used_at, row.id == current)
