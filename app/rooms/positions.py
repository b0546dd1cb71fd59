"""Positions that are kept, so that games outlive a change of rules."""

from collections.abc import Iterable
from datetime import datetime, timedelta

import structlog

from app.rules import snapshot
from app.store import DamagedRowError, RoomRow, SnapshotRow, StoreUnavailableError, snapshots
from app.wire import WireError, dump_snapshot, parse_snapshot

from .context import Context
from .errors import Code, RefusedError
from .replica import Base, State
from .room import Room

QUIET = timedelta(seconds=60)
"""How long nobody has to have moved before a position is kept."""

LATELY = timedelta(days=7)
"""How long after its end a game is looked at: until then its last position was kept, if the site was served at all."""

AT_ONCE = 100

log = structlog.get_logger(__name__)


async def base_of(context: Context, row: RoomRow) -> Base | None:
    """Where a game goes on that older rules have begun; None for one that these have, or that is still to begin.

    Raises:
        RefusedError: these rules are the older ones, or nobody kept its position.
        DamagedRowError: what was kept is none.
    """
    if row.seed is None or row.rules_version == context.rules:
        return None
    found = await context.store.read(snapshots.find_snapshot, row.code, context.rules)
    if found is None or row.rules_version > context.rules:
        unknown = "This game was begun with rules this server does not know."
        raise RefusedError(Code.UNAVAILABLE, unknown, reason="other_rules")
    try:
        return Base(found.number, parse_snapshot(found.position))
    except WireError as error:
        raise DamagedRowError("room", row.code, "its position can't be read") from error


async def keep_positions(context: Context, rooms: Iterable[Room]) -> bool:
    """Keep the positions of these, by the version of the rules that led to them; whether the database did it."""
    rows = [_row(context, room) for room in rooms if room.game and room.replica.state is not State.DAMAGED]
    try:
        await context.store.write(snapshots.keep_snapshots, rows)
    except StoreUnavailableError as error:
        log.warning("positions_not_kept", error=str(error))
        return False
    return True


def _row(context: Context, room: Room) -> SnapshotRow:
    assert room.game is not None
    return SnapshotRow(room.code, context.rules, room.replica.number, dump_snapshot(snapshot(room.game)))


class Unkept:
    """The games whose position is to be kept, each named once: those that can't be read are not asked for again."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._tried: set[str] = set()
        self._some_never_kept = True

    async def codes(self, quiet: timedelta) -> list[str]:
        """Those where nobody has moved for so long."""
        codes = await self._not_kept(self._context.now() - quiet)
        self._tried &= set(codes)
        wanted = self._untried(codes)[:AT_ONCE]
        self._tried |= set(wanted)
        return wanted

    def try_again(self) -> None:
        """Name all of them once more."""
        self._tried.clear()

    async def _not_kept(self, quiet_since: datetime) -> list[str]:
        """Once no game is left that was never kept, a look at the latest is enough: whatever comes is one of them."""
        store, rules, most = self._context.store, self._context.rules, AT_ONCE + len(self._tried)
        found = await store.read(snapshots.rooms_to_keep, rules, quiet_since, self._context.now() - LATELY, most)
        if self._some_never_kept:
            never = await store.read(snapshots.rooms_never_kept, rules, quiet_since, most)
            self._some_never_kept = bool(self._untried(never))
            found = list(dict.fromkeys([*found, *never]))
        return found

    def _untried(self, codes: list[str]) -> list[str]:
        return [code for code in codes if code not in self._tried]
