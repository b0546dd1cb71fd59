"""The store: what rooms and pages ask of the database."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, nullcontext
from datetime import datetime, timedelta
from typing import Any, Concatenate, ParamSpec, TypeVar

import structlog
from sqlalchemy import URL, Connection
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncEngine

from . import devices, links, players, queries, snapshots, talk, visits, waits
from .address import is_sqlite, parse_address, prepare_file, sqlite_file
from .checkpoints import Checkpoints, WriteTurn
from .damage import DamageReports
from .engine import WRITES, as_ours, make_engine
from .errors import DamagedRowError, DatabaseDamagedError, StoreSetupError, StoreUnavailableError
from .journal import Journal
from .migrate import migrate
from .postgres_ledger import PostgresLedger
from .reader import MovesReader
from .rows import (
    Agent,
    Circle,
    DeviceRow,
    InstallationRow,
    LineRow,
    MoveRow,
    PlayerRow,
    RoomChange,
    RoomRow,
    SnapshotRow,
    Status,
    TokenRow,
)
from .sqlite_ledger import SqliteLedger

P = ParamSpec("P")
T = TypeVar("T")

MIGRATION_PATIENCE = 300.0  # seconds
BEFORE_ALL = -(2**31)
"""Below every number that a row may have: one before the first move is damage, and is to be seen."""
UNKNOWN_AGENT = Agent()

log = structlog.get_logger(__name__)


class Store:
    """Any call may raise StoreUnavailableError, within two seconds.

    After a write that raised it, or whose caller was cancelled, the outcome is unknown until one reads again: the
    database may have done it without being able to say so.
    """

    def __init__(self, engine: AsyncEngine, journal: Journal, turn: AbstractAsyncContextManager[None]) -> None:
        self.journal = journal
        self.reports = DamageReports()
        self.damage: DatabaseDamagedError | None = None
        self._engine = engine
        self._turn = turn
        self._running: set[asyncio.Task[Any]] = set()
        self._moves = MovesReader(lambda wanted: self._read(queries.load_moves, wanted))

    async def add_player(
        self,
        player: PlayerRow,
        token_hash: bytes,
        now: datetime,
        agent: Agent = UNKNOWN_AGENT,
        origin: int | None = None,
    ) -> None:
        """A new player with a first device; `origin` groups players by where they were made."""
        await self._write(devices.add_player, player, token_hash, now, agent, origin)

    async def add_guest(self, player: PlayerRow, now: datetime, origin: int | None) -> None:
        """A new player without a device."""
        await self._write(players.add_guest, player, now, origin)

    async def find_token(self, token_hash: bytes, now: datetime) -> TokenRow | None:
        """A valid token's player and device."""
        return await self._read(devices.find_token, token_hash, now)

    async def begin_token(self, token_hash: bytes, now: datetime, others_end_at: datetime) -> None:
        """A new token has been used: those of its device that it replaces end."""
        await self._write(devices.begin_token, token_hash, now, others_end_at)

    async def note_use(self, device: str, now: datetime, agent: Agent) -> None:
        """A device is used now, by this kind of browser."""
        await self._write(devices.note_use, device, now, agent)

    async def note_renewal(self, device: str, now: datetime) -> None:
        """A device is given its cookie anew."""
        await self._write(devices.note_renewal, device, now)

    async def note_presence(self, present: Iterable[str], now: datetime, before: datetime) -> None:
        """These devices are connected now. Where a use was written down after `before`, this need not be."""
        await self._write(devices.note_presence, sorted(present), now, before)

    async def devices_of(self, player: str, most: int) -> list[DeviceRow]:
        """The devices of a player, the last used first."""
        return self._sound(await self._read(devices.devices_of, player, most))

    async def known_devices(self, asked: Iterable[str]) -> set[str]:
        """Which of these devices are still signed in."""
        return await self._read(devices.known_devices, sorted(asked))

    async def remove_device(self, player: str, by: str, device: str) -> bool | None:
        """Sign out one device of a player; whether there was one. None when the device `by` is signed out by now."""
        return await self._write(devices.remove_device, player, by, device)

    async def remove_other_devices(self, player: str, by: str) -> bool | None:
        """Sign out all devices of a player but one; None when that one is signed out by now."""
        return await self._write(devices.remove_other_devices, player, by)

    async def remove_unused(self, before: datetime, most: int) -> list[str]:
        """Remove some of the devices last used before then, and their players who are in no room; the devices' ids."""
        return await self._write(devices.remove_unused, before, most)

    async def last_use(self) -> datetime | None:
        """When any device was last used."""
        return await self._read(devices.last_use)

    async def find_installation(self) -> InstallationRow:
        """What this installation is known by: the same for all its processes."""
        return await self._read(devices.find_installation)

    async def count_from(self, now: datetime) -> None:
        """Days on which no device was used begin to count now."""
        await self._write(devices.count_from, now)

    async def add_board(self, digest: str, text: str) -> None:
        """Keep a board's text under its digest; a second time has no effect."""
        await self._write(queries.add_board, digest, text)

    async def find_board(self, digest: str) -> str | None:
        return await self._read(queries.find_board, digest)

    async def create_room(self, room: RoomRow) -> None:
        """Raises CodeTakenError."""
        await self._write(queries.create_room, room)

    async def create_next(self, code: str, room: RoomRow) -> str | None:
        """The code of the room that follows room `code`: of this one, unless there is one already.

        None where there is no room `code`. Raises CodeTakenError.
        """
        return await self._write(queries.create_next, code, room)

    async def find_room(self, code: str) -> RoomRow | None:
        return await self._read(queries.find_room, code)

    async def change_room(self, code: str, change: RoomChange) -> RoomRow | None:
        """Read, apply the pure function and write the difference in one transaction; the room after it, or None.

        What `change` raises goes through, and nothing is written.
        """
        return await self._write(queries.change_room, code, change)

    async def codes_of(self, player: str) -> set[str]:
        """The codes of all rooms in which the player has a seat."""
        return await self._read(queries.codes_of, player)

    async def rooms_of(self, player: str, among: Sequence[Status], most: int) -> list[RoomRow]:
        """The newest rooms, among those of these statuses, in which the player has a seat."""
        return self._sound(await self._read(queries.rooms_of, player, among, most))

    async def newest_rooms(
        self, status: Status | None = None, most: int = 1000
    ) -> list[tuple[RoomRow | DamagedRowError, int]]:
        """The newest rooms, or those of a status, each with the number of its moves; damaged ones, too."""
        return await self._read(queries.newest_rooms, status, most)

    async def statuses(self, codes: Iterable[str]) -> dict[str, Status]:
        """The status of each of these rooms that exists."""
        return await self._read(queries.statuses, list(codes))

    async def delete_room(self, code: str) -> bool:
        """Remove a room with all that belongs to it; whether there was one."""
        return await self._write(queries.delete_room, code)

    async def note_visits(self, codes: Iterable[str], now: datetime, before: datetime) -> None:
        """These rooms are visited now. Where that was last written down after `before`, it need not be again."""
        await self._write(visits.note_visits, sorted(codes), now, before)

    async def last_visit(self) -> datetime | None:
        """When anybody last came to a room that is not finished; None when there is none."""
        return await self._read(visits.last_visit)

    async def renew_visits(self, now: datetime) -> None:
        """All rooms are as if visited now."""
        await self._write(visits.renew_visits, now)

    async def note_waiting(self, codes: Iterable[str], now: datetime | None) -> None:
        """The hosts of these rooms are there and wait for anybody to join; with None they wait no more."""
        await self._write(visits.note_waiting, sorted(codes), now)

    async def waiting_rooms(self, since: datetime, until: datetime, most: int) -> list[RoomRow]:
        """Lobbies with a free seat whose host has waited for anybody between these: a few of each host and origin."""
        return self._sound(await self._read(visits.waiting_rooms, since, until, most))

    async def rooms_to_wake(self, within: timedelta) -> list[str]:
        """The codes of the rooms in which bots play, of those that moved within this time before the last of them."""
        return await self._read(queries.rooms_to_wake, within)

    async def remove_abandoned(self, before: datetime, most: int) -> list[str]:
        """Remove some of the unfinished rooms that nobody has come to since then; their codes."""
        return await self._write(visits.remove_abandoned, before, most)

    async def rename_player(self, player: str, name: str, old_hash: bytes, new_hash: bytes) -> bool:
        """Give a player another name, and the device a new token; seats keep the name they were taken with.

        False when the device is signed out by now.
        """
        return await self._write(devices.rename_player, player, name, old_hash, new_hash)

    async def add_link(self, player: str, secret_hash: bytes, now: datetime, expires_at: datetime) -> None:
        """A one-time link of a player, in place of the one before."""
        await self._write(links.add_link, player, secret_hash, now, expires_at)

    async def find_link(self, secret_hash: bytes, now: datetime) -> PlayerRow | None:
        """Whose link it is, if it is good still."""
        return await self._read(links.find_link, secret_hash, now)

    async def use_link(
        self, secret_hash: bytes, token_hash: bytes, now: datetime, agent: Agent = UNKNOWN_AGENT
    ) -> PlayerRow | None:
        """Use a link up for one more device of its player; None when it is good no more."""
        return await self._write(links.use_link, secret_hash, token_hash, now, agent)

    async def load_moves(self, code: str, after: int = BEFORE_ALL) -> list[MoveRow]:
        """The moves with a number above `after`, in order."""
        return await self._moves.moves_of((code, after))

    async def append_move(self, code: str, move: MoveRow, *, over: bool) -> None:
        """Returns when the move is committed; `over` ends the room in the same transaction.

        Raises MoveTakenError when the number, or the seat's action id, is stored already, RoomOverError and
        UnknownRoomError when the room was ended or removed before.
        """
        try:
            await self.journal.append(code, move, over=over)
        except DatabaseDamagedError as error:
            self._note_damage(error)
            raise

    async def say(self, code: str, line: LineRow) -> LineRow:
        """Store a line with the next number of its talk; the same message again gives the line it made."""
        return await self._write(talk.say, code, line)

    async def load_lines(self, code: str, circle: Circle, after: int, most: int) -> list[LineRow]:
        """The newest lines of a talk with a number above `after`, in order."""
        return self._sound(await self._read(talk.load_lines, code, circle, after, most))

    async def keep_snapshots(self, taken: Sequence[SnapshotRow]) -> None:
        """Put each in the place of an older one by the same rules."""
        await self._write(snapshots.keep_snapshots, taken)

    async def find_snapshot(self, code: str, before: int) -> SnapshotRow | None:
        """The one by the newest rules before these."""
        return await self._read(snapshots.find_snapshot, code, before)

    async def rooms_to_keep(
        self, rules_version: int, quiet_since: datetime, ended_since: datetime, most: int
    ) -> list[str]:
        """The codes of games at rest that are in no snapshot by these rules, or only in an older one.

        They go on, or ended since `ended_since`; at rest is whose last move is older than `quiet_since`.
        """
        return await self._read(snapshots.rooms_to_keep, rules_version, quiet_since, ended_since, most)

    async def rooms_never_kept(self, rules_version: int, quiet_since: datetime, most: int) -> list[str]:
        """The codes of games at rest, however long ago they ended, that are in no snapshot by these rules.

        This looks at all rooms there are.
        """
        return await self._read(snapshots.rooms_never_kept, rules_version, quiet_since, most)

    async def ping(self) -> None:
        """Whether one can write: on SQLite that takes the turn, the file's lock, and room on the disk.

        A database that was found damaged stays so until it is opened anew.
        """
        if self.damage is not None:
            raise self.damage
        await self._write(queries.ping)

    async def close(self) -> None:
        """Finish what was begun."""
        await self.journal.close()
        if self._running:
            await asyncio.wait(self._running, timeout=waits.ANSWER)
        await self._engine.dispose()

    async def _read(self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._answer(transact(self._engine, query, *args, **kwargs))

    async def _write(self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._answer(self._take_turn(query, *args, **kwargs))

    async def _take_turn(self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What nobody waits for any more when its turn comes is not begun: it was refused, and would be a surprise."""
        due = asyncio.get_running_loop().time() + waits.ANSWER
        async with self._turn:
            if asyncio.get_running_loop().time() >= due:
                raise StoreUnavailableError("its turn to write came too late")
            return await transact(writing(self._engine), query, *args, **kwargs)

    async def _answer(self, work: Coroutine[Any, Any, T]) -> T:
        """Work that was begun is never cancelled, only no longer waited for: drivers don't bear it well."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._forget)
        done, _ = await asyncio.wait({task}, timeout=waits.ANSWER)
        if not done:
            raise StoreUnavailableError(f"no answer in {waits.ANSWER:g} s")
        try:
            with unavailable():
                return task.result()
        except DatabaseDamagedError as error:
            self._note_damage(error)
            raise

    def _note_damage(self, error: DatabaseDamagedError) -> None:
        """From now on this database is not fit to be used, though some of it may be read and written still."""
        if self.damage is None:
            self.damage = error
            log.error("database_damaged", detail=str(error))

    def _sound(self, found: Iterable[T | DamagedRowError]) -> list[T]:
        """Those that are not damaged; the others are reported."""
        rows: list[T] = []
        for each in found:
            if isinstance(each, DamagedRowError):
                self.reports.report(each)
            else:
                rows.append(each)
        return rows

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # looked at, lest asyncio complains when nobody waits any more


async def transact(
    engine: AsyncEngine, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
) -> T:
    async with engine.begin() as connection:
        return await connection.run_sync(query, *args, **kwargs)


def writing(engine: AsyncEngine) -> AsyncEngine:
    return engine.execution_options(**{WRITES: True})


@contextmanager
def unavailable() -> Generator[None]:
    """The drivers' errors as ours, but for those that say that the values were wrong."""
    try:
        yield
    except (IntegrityError, DataError):
        raise
    except DBAPIError as error:
        raise as_ours(error.orig) from error
    except PoolTimeoutError as error:
        raise StoreUnavailableError(error) from error


@asynccontextmanager
async def open_store(address: str) -> AsyncGenerator[Store]:
    """Opens the database, brings its schema up to date, and closes it in the end.

    Raises StoreSetupError when the address, the folder, the file or the schema is wrong.
    """
    url = parse_address(address)
    opened = open_sqlite_store(url) if is_sqlite(url) else open_postgres_store(url)
    async with opened as store:
        yield store


@asynccontextmanager
async def open_sqlite_store(url: URL) -> AsyncGenerator[Store]:
    file = sqlite_file(url)
    prepare_file(file)
    try:
        await bring_up_to_date(url)
    except StoreUnavailableError as error:
        raise StoreSetupError(f"The database {file} can't be opened. {error}") from error
    turn = WriteTurn(file)
    checkpoints = Checkpoints(file, turn)
    store = Store(make_engine(url), Journal(SqliteLedger(file, turn)), turn)
    try:
        yield store
    finally:
        await checkpoints.close()
        await store.close()


@asynccontextmanager
async def open_postgres_store(url: URL) -> AsyncGenerator[Store]:
    await bring_up_to_date(url)
    store = Store(make_engine(url), Journal(PostgresLedger(url)), nullcontext())
    try:
        yield store
    finally:
        await store.close()


async def bring_up_to_date(url: URL) -> None:
    """With an engine of its own: migrating may take its time."""
    engine = make_engine(url, MIGRATION_PATIENCE)
    try:
        with unavailable():
            await transact(writing(engine), migrate)
    finally:
        await engine.dispose()
