"""Positions that are kept, so that games outlive a change of rules."""

from collections.abc import Iterable
from datetime import datetime, timedelta

import structlog

from app.rules import Snapshot, snapshot
from app.store import DamagedRowError, RoomRow, SnapshotRow, StoreUnavailableError, snapshots
from app.wire import WireError, dump_snapshot, parse_snapshot

from .errors import Code, RefusedError
from .ground import Ground
from .room import Room

QUIET = timedelta(seconds=60)
"""How long nobody has to have moved before a position is kept."""

LATELY = timedelta(days=7)
"""How long after its end a game is looked at: until then its last position was kept, if the site was served at all."""

AT_ONCE = 100

log = structlog.get_logger(__name__)


class Positions:
    """Of each game the latest position is kept once it has come to rest, by the version of the rules that led to it."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._tried: set[str] = set()
        self._some_never_kept = True

    async def base(self, row: RoomRow) -> Snapshot | None:
        """Where a game goes on that older rules have begun; None for one that these have, or that is still to begin.

        Raises:
            RefusedError: these rules are the older ones, or nobody kept its position.
            DamagedRowError: what was kept is none.
        """
        if row.seed is None or row.rules_version == self._ground.rules:
            return None
        found = await self._ground.store.read(snapshots.find_snapshot, row.code, self._ground.rules)
        if found is None or row.rules_version > self._ground.rules:
            unknown = "This game was begun with rules this server does not know."
            raise RefusedError(Code.UNAVAILABLE, unknown, reason="other_rules")
        try:
            return parse_snapshot(found.position)
        except WireError as error:
            raise DamagedRowError("room", row.code, "its position can't be read") from error

    async def wanted(self, quiet: timedelta) -> list[str]:
        """Games whose position is to be kept; those that can't be read are not asked for again."""
        try:
            codes = await self._not_kept(self._ground.now() - quiet)
        except StoreUnavailableError as error:
            log.warning("positions_not_kept", error=str(error))
            return []
        self._tried &= set(codes)
        wanted = self._untried(codes)[:AT_ONCE]
        self._tried |= set(wanted)
        return wanted

    async def _not_kept(self, quiet_since: datetime) -> list[str]:
        """Once no game is left that was never kept, a look at the latest is enough: whatever comes is one of them."""
        store, rules, most = self._ground.store, self._ground.rules, AT_ONCE + len(self._tried)
        found = await store.read(snapshots.rooms_to_keep, rules, quiet_since, self._ground.now() - LATELY, most)
        if self._some_never_kept:
            never = await store.read(snapshots.rooms_never_kept, rules, quiet_since, most)
            self._some_never_kept = bool(self._untried(never))
            found = list(dict.fromkeys([*found, *never]))
        return found

    def _untried(self, codes: list[str]) -> list[str]:
        return [code for code in codes if code not in self._tried]

    async def keep(self, rooms: Iterable[Room]) -> None:
        """Keep the positions of these."""
        rows = [self._row(room) for room in rooms if room.game is not None and not room.is_damaged]
        try:
            await self._ground.store.write(snapshots.keep_snapshots, rows)
        except StoreUnavailableError as error:
            self._tried.clear()
            log.warning("positions_not_kept", error=str(error))

    def _row(self, room: Room) -> SnapshotRow:
        assert room.game is not None
        return SnapshotRow(room.code, self._ground.rules, room.version, dump_snapshot(snapshot(room.game)))
