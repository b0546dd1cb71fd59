"""Keeps the positions of games, so that games outlive a change of the rules."""

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
"""Time without a move after which a position is kept."""

LATELY = timedelta(days=7)
"""How long finished games are looked at: within that time their last position is kept, if the site runs at all."""

AT_ONCE = 100

log = structlog.get_logger(__name__)


async def base_of(context: Context, row: RoomRow) -> Base | None:
    """The position from which a game of older rules goes on; None for a game of these rules, or before the start.

    Raises:
        RefusedError: the game has newer rules than this server, or its position was not kept.
        DamagedRowError: the kept position can't be parsed.
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
    """Keep the positions of these rooms, by the version of the rules. Returns False if the database is away."""
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
    """Names the games whose position must be kept, each once, so that those that can't be read are not tried again."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._tried: set[str] = set()
        self._some_never_kept = True

    async def codes(self, quiet: timedelta) -> list[str]:
        """The next games in which nobody has moved for so long."""
        codes = await self._not_kept(self._context.now() - quiet)
        self._tried &= set(codes)
        wanted = self._untried(codes)[:AT_ONCE]
        self._tried |= set(wanted)
        return wanted

    def try_again(self) -> None:
        """Name all of them once more."""
        self._tried.clear()

    async def _not_kept(self, quiet_since: datetime) -> list[str]:
        """Once every game has been kept, looking at the latest is enough, since any new one is among them."""
        store, rules, most = self._context.store, self._context.rules, AT_ONCE + len(self._tried)
        found = await store.read(snapshots.rooms_to_keep, rules, quiet_since, self._context.now() - LATELY, most)
        if self._some_never_kept:
            never = await store.read(snapshots.rooms_never_kept, rules, quiet_since, most)
            self._some_never_kept = bool(self._untried(never))
            found = list(dict.fromkeys([*found, *never]))
        return found

    def _untried(self, codes: list[str]) -> list[str]:
        return [code for code in codes if code not in self._tried]
