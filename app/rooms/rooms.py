"""All rooms: made, found by their code, loaded when somebody comes, forgotten when nobody is there."""

import asyncio
import secrets
from collections.abc import AsyncGenerator, Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import structlog

from app.bus import EVERY_ROOM, Bus
from app.news import News
from app.rules import RULES_VERSION
from app.rules.shuffle import DERIVATION
from app.store import (
    CodeTakenError,
    DamagedRowError,
    PlayerRow,
    RoomRow,
    SeatRow,
    Store,
    StoreUnavailableError,
    queries,
)
from app.wire import NewBar, NewRoom, Record

from . import lobby, rematch
from .boards import Boards
from .bots import Bots, bots_to_act
from .codes import new_code, parse_code
from .describe import reveal
from .errors import Code, RefusedError, damaged_room, unavailable, unknown_room
from .ground import Ground
from .peers import BEAT, Peers
from .positions import QUIET, Positions
from .room import Room
from .soundness import need_sound
from .tasks import repeat
from .turnstile import Turnstile

IDLE = 300.0
"""Seconds after which a room where nothing goes on is forgotten; the store keeps it."""

BREATH = 0.1
"""Seconds between two rooms that are only loaded to keep their positions."""

SWEEP = 30.0
"""Seconds between two looks at all rooms."""

AWAKE = timedelta(hours=1)
"""So long before the last move of all a room may have moved where a bot is still to act: it answers in seconds, unless
the database was away, or processes have clocks of their own."""

log = structlog.get_logger(__name__)


class Rooms:
    """Code -> Room. Of each room there is one in memory at most; `shared` says that other processes have theirs."""

    def __init__(  # noqa: PLR0913 - what rooms stand on
        self,
        store: Store,
        bus: Bus,
        boards: Boards,
        bots: Bots,
        now: Callable[[], datetime],
        *,
        shared: bool = False,
        rules: int = RULES_VERSION,
    ) -> None:
        self.boards = boards
        self._shared = shared
        self._bots = bots
        self._ground = Ground(store, bus, bots, now, rules)
        self._rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._peers = Peers(bus, self._ground.process)
        self._positions = Positions(self._ground)
        self._turnstile = Turnstile()
        if shared:
            bus.listen(self._hear)

    async def create(self, host: PlayerRow, wish: NewRoom) -> RoomRow:
        """A new room with its host on seat 0, once it is stored.

        No nonce is taken here: the host gives it by `join`, once the commitment to the server's part is known.
        """
        if wish.clock_seconds is not None:
            raise RefusedError(Code.BAD_REQUEST, "clock_seconds: clocks are not available yet; leave it out.")
        board = self.boards.named(wish.board)
        try:
            await self.boards.keep(board)
            row = await self._store_new(host, wish, board.digest)
        except StoreUnavailableError as error:
            raise unavailable(error) from error
        log.info("room_made", room=row.code, seats=wish.seats, board=wish.board)
        return row

    async def find(self, text: str) -> Room:
        """The room with this code, however it is written.

        Raises:
            RefusedError: there is none, or it can't be read now.
        """
        code = parse_code(text)
        if code is None:
            raise unknown_room()
        room = self._rooms.get(code) or await self._load_once(code)
        if room.is_damaged:
            await room.catch_up()
        room.touched = asyncio.get_running_loop().time()
        return room

    async def has_seat(self, text: str, player: str) -> bool:
        """Whether a player sits in the room with this code; who does not can't tell by the time if there is one."""
        code = parse_code(text)
        room = None if code is None else self._rooms.get(code)
        if room is not None and lobby.seat_of(room.row, player) is not None:
            return True
        async with self._turnstile.passed():
            return code in await self._ground.store.read(queries.codes_of, player)

    async def join(self, room: Room, player: PlayerRow, nonce: str, at: int | None = None) -> SeatRow:
        """Give a player a seat, or tell which it is, with the nonce that counts for it; or for a guest's seat."""
        if at is not None:
            return (await room.change(lambda row: lobby.give_nonce(row, player, at, nonce))).seats[at]
        row = await room.change(lambda row: lobby.join(row, player, nonce))
        seat = lobby.seat_of(row, player.id)
        assert seat is not None
        return row.seats[seat]

    async def seat_guest(self, room: Room, guardian: PlayerRow, guest: PlayerRow) -> SeatRow:
        """Give one who shares a player's device a seat."""
        row = await room.change(lambda row: lobby.seat_guest(row, guardian.id, guest))
        seat = lobby.seat_of(row, guest.id)
        assert seat is not None
        return row.seats[seat]

    async def invite(self, room: Room, host: PlayerRow, player: str) -> None:
        """Ask one who watches to take a free seat."""
        here = any(watcher.player == player for watcher in room.describe().watchers)
        await room.change(lambda row: lobby.ask(row, host.id, player, here=here))

    async def bar(self, room: Room, host: PlayerRow, whom: NewBar) -> tuple[tuple[str, str], ...]:
        """Keep a player away from a room; all who are barred."""
        match whom:
            case NewBar(player=None, seat=int(seat)):
                row = await room.change(lambda row: lobby.bar_seat(row, host.id, seat))
            case NewBar(player=str(player), seat=None):
                lobby.bars(room.row, host.id)  # only the host learns who is known here
                name = room.name_of(player)
                row = await room.change(lambda row: lobby.bar(row, host.id, player, name))
            case _:
                raise RefusedError(Code.BAD_REQUEST, "Say either a player or a seat.")
        return row.barred

    async def start(self, room: Room, player: PlayerRow) -> None:
        """Begin the game. Its first position is kept at once: it outlives a change of rules from its first moment."""
        now = self._ground.now()
        row = await room.change(lambda row: lobby.start(row, player.id, now, self._ground.rules))
        await self._positions.keep([room])
        log.info("game_begun", room=room.code, seats=len(row.seats))

    async def record(self, room: Room) -> Record:
        """The whole of a finished game."""
        if room.game is None or room.row.status != "over":
            await room.catch_up()
        if room.game is None or room.row.status != "over":
            raise RefusedError(Code.NOT_STARTED, "The record is shown when the game is over.")
        try:
            moves = await self._ground.store.load_moves(room.code)
            return reveal(room.row, room.board, room.course, moves, self._ground.rules)
        except StoreUnavailableError as error:
            raise unavailable(error) from error
        except DamagedRowError as error:
            raise self._damaged(error) from error

    async def rematch(self, room: Room, player: PlayerRow) -> RoomRow:
        """The room of the next game: one for all who ask, however many at once. Who asks gets the old seat, or another.

        All who follow the finished game are shown where it is.
        """
        if room.row.status != "over":
            await room.catch_up()
        rematch.need_end(room.row, player.id)
        try:
            code = await self._store_next(room.row, player)
        except StoreUnavailableError as error:
            raise unavailable(error) from error
        if code != room.row.next:
            log.info("rematch_made", room=room.code, next=code)
            await room.change(lambda row: row)  # it was changed already: now it is read, shown and told
        following = await self.find(code)
        await self._sit_down(following, player, room.row)
        return following.row

    async def _sit_down(self, room: Room, player: PlayerRow, before: RoomRow) -> None:
        """Where there is no seat any more one may watch."""
        try:
            await room.change(lambda row: rematch.sit_again(row, player, before))
        except RefusedError as error:
            if error.code not in (Code.ROOM_FULL, Code.ALREADY_STARTED):
                raise

    async def tend(self) -> None:
        """For ever: forget the rooms that nobody needs, and heal those that may have missed something."""
        beats = [repeat(self._beat, BEAT)] if self._shared else []
        await asyncio.gather(self.wake(), repeat(self._sweep, SWEEP), *beats)

    async def _beat(self) -> None:
        self.mind_peers()

    def mind_peers(self) -> None:
        """Give a sign of life, give up those that gave none for too long, and read what no bus tells of them."""
        self._peers.beat()
        for process in self._peers.silent():
            self._lose(process)
        if self._ground.bus.is_away:
            self.heal()

    async def _sweep(self) -> None:
        self.forget_idle(IDLE)
        self.heal()
        await self.notice_changes()
        await self.keep_positions()

    async def wake(self) -> None:
        """After a restart, load the rooms where a bot may have to act."""
        for code in await self._codes_to_wake():
            await self._find_unasked(code)

    async def _find_unasked(self, code: str) -> Room | None:
        """A room that nobody asked for: whatever is wrong with it keeps nobody from the others."""
        try:
            return await self.find(code)
        except RefusedError as error:
            log.warning("room_not_read", room=code, detail=str(error))
        except Exception:
            log.exception("room_not_read", room=code)
        return None

    async def _codes_to_wake(self) -> list[str]:
        while True:
            try:
                return await self._ground.store.read(queries.rooms_to_wake, AWAKE)
            except StoreUnavailableError as error:
                log.warning("rooms_not_woken", error=str(error))
                await asyncio.sleep(SWEEP)

    def heal(self) -> None:
        """Read again where an outcome is unknown and, with other processes about, where anybody listens."""
        for room in list(self._rooms.values()):
            if room.is_behind or (self._shared and room.listeners and room.row.status != "over"):
                room.read_again()

    async def notice_changes(self) -> None:
        """What was done to rooms by commands: games ended, rooms removed."""
        try:
            here = {code: room.row.status for code, room in self._rooms.items()}
            there = await self._ground.store.read(queries.statuses, here)
            for code in [code for code, status in here.items() if there.get(code) not in (status, "playing")]:
                if code in self._rooms and not await self._rooms[code].look_again():
                    self._forget(code)
        except StoreUnavailableError as error:
            log.warning("changes_not_noticed", error=str(error))

    async def keep_positions(self, quiet: timedelta = QUIET) -> None:
        """Keep the positions of games that have come to rest, for rules that are still to come."""
        await self._positions.keep([room async for room in self._at_rest(quiet)])

    async def _at_rest(self, quiet: timedelta) -> AsyncGenerator[Room]:
        for code in await self._positions.wanted(quiet):
            await asyncio.sleep(BREATH)
            if room := await self._find_unasked(code):
                yield room

    def forget_idle(self, seconds: float) -> None:
        """Forget the rooms where nothing has gone on for so long."""
        before = asyncio.get_running_loop().time() - seconds
        for code, room in list(self._rooms.items()):
            if room.touched <= before and not room.is_busy and not bots_to_act(room):
                self._forget(code)

    def _forget(self, code: str) -> None:
        del self._rooms[code]
        self._ground.bus.leave(code)

    async def close(self) -> None:
        """Finish what was begun in all rooms."""
        self._ground.bus.publish(EVERY_ROOM, News.GONE, self._ground.process)
        for room in list(self._rooms.values()):
            await room.close()
        await self._positions.keep(self._rooms.values())

    def followed(self) -> list[Room]:
        """The rooms that somebody follows here."""
        return [room for room in self._rooms.values() if room.listeners]

    def figures(self) -> dict[str, int]:
        """How much there is now of what the site counts."""
        listeners = [listener for room in self._rooms.values() for listener in room.listeners]
        return {
            "rooms": len(self._rooms),
            "sockets": len(listeners),
            "outbox_bytes": sum(listener.outbox.held for listener in listeners),
            "bots_acting": self._bots.acting,
        }

    def _hear(self, code: str, news: str, text: str) -> None:
        if news == News.HERE and not self._peers.hear(text.partition(" ")[0]):
            return
        if code == EVERY_ROOM:
            self._hear_process(news, text)
        elif code in self._rooms:
            self._rooms[code].hear(news, text)

    def _hear_process(self, news: str, process: str) -> None:
        match news:
            case News.ALIVE:
                self._peers.hear(process)
            case News.GONE if self._peers.lose(process):
                self._lose(process)
            case News.WHO if process == self._ground.process:
                for room in self._rooms.values():
                    room.tell_presence()

    def _lose(self, process: str) -> None:
        for room in self._rooms.values():
            room.lose(process)

    async def _load_once(self, code: str) -> Room:
        """All who ask at the same time wait for one load, which goes on if one of them leaves."""
        task = self._loading.get(code)
        if task is None:
            task = self._loading[code] = asyncio.create_task(self._load_in_turn(code))
            task.add_done_callback(lambda done: self._loaded(code, done))
        return await asyncio.shield(task)

    def _loaded(self, code: str, task: asyncio.Task[Room]) -> None:
        del self._loading[code]
        if not task.cancelled() and task.exception() is None:
            self._rooms[code] = task.result()
            self._ground.bus.follow(code)

    async def _load_in_turn(self, code: str) -> Room:
        async with self._turnstile.passed():
            return await self._load(code)

    async def _load(self, code: str) -> Room:
        try:
            room = await self._read(code)
            await room.catch_up()
            await room.talk.catch_up()
        except StoreUnavailableError as error:
            raise unavailable(error) from error
        except DamagedRowError as error:
            raise self._damaged(error) from error
        return room

    def _damaged(self, error: DamagedRowError) -> RefusedError:
        self._ground.store.reports.report(error)
        return damaged_room()

    async def _read(self, code: str) -> Room:
        row = await self._ground.store.read(queries.find_room, code)
        if row is None:
            raise unknown_room()
        need_sound(row)
        base = await self._positions.base(row)
        return Room(self._ground, row, await self.boards.stored(row.board), base)

    async def _store_new(self, host: PlayerRow, wish: NewRoom, digest: str) -> RoomRow:
        seats = SeatRow(0, host.id, host.name, None, ""), *map(lobby.free, range(1, wish.seats))
        while True:
            row = self._new_row(host, digest, wish.board, _options(wish), seats)
            try:
                await self._ground.store.write(queries.create_room, row)
            except CodeTakenError:
                continue
            return row

    async def _store_next(self, row: RoomRow, host: PlayerRow) -> str:
        seats = rematch.seats_again(row, host)
        while True:
            wish = self._new_row(host, row.board, row.board_id, row.options, seats)
            try:
                code = await self._ground.store.write(queries.create_next, row.code, replace(wish, barred=row.barred))
            except CodeTakenError:
                continue
            if code is None:
                raise unknown_room()
            return code

    def _new_row(
        self, host: PlayerRow, board: str, board_id: str, options: dict[str, Any], seats: tuple[SeatRow, ...]
    ) -> RoomRow:
        return RoomRow(
            code=new_code(),
            status="lobby",
            host=host.id,
            board=board,
            board_id=board_id,
            options=options,
            server_seed=secrets.token_bytes(32),
            seed=None,
            rules_version=self._ground.rules,
            created_at=self._ground.now(),
            derivation=DERIVATION,
            seats=seats,
        )


def _options(wish: NewRoom) -> dict[str, Any]:
    return {
        "seats": wish.seats,
        "board": wish.board,
        "clock_seconds": wish.clock_seconds,
        "public": wish.public,
        "spectators": wish.spectators,
        "planner": wish.planner,
        "pass_and_play": wish.pass_and_play,
    }
