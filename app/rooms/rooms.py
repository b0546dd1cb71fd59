"""All rooms: makes them, finds them by code, loads them when somebody comes, and forgets idle ones."""

import asyncio
import secrets
from dataclasses import replace
from typing import Any

import structlog

from app.bus import EVERY_ROOM
from app.news import News
from app.rules.shuffle import DERIVATION
from app.store import (
    CodeTakenError,
    DamagedRowError,
    PlayerRow,
    RoomRow,
    SeatRow,
    StoreUnavailableError,
    queries,
)
from app.wire import NewBar, NewRoom, Record

from . import lobby
from .boards import Boards
from .bots import Bots
from .codes import new_code, parse_code
from .context import Context
from .describe import reveal
from .errors import Code, RefusedError, damaged_room, unavailable, unknown_room
from .peers import Peers
from .positions import base_of, keep_positions
from .replica import Replica, State
from .room import Room
from .soundness import need_sound
from .tasks import LoadLimit

log = structlog.get_logger(__name__)


class Rooms:
    """The rooms in memory by code, and what is done with whole rooms."""

    def __init__(self, context: Context, boards: Boards, bots: Bots) -> None:
        self.boards = boards
        self._context = context
        self._bots = bots
        self._rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._peers = Peers(context.bus, context.process)
        self._loads = LoadLimit()
        if context.shared:
            context.bus.listen(self._hear)

    async def create(self, host: PlayerRow, wish: NewRoom) -> RoomRow:
        """Make and store a room, with its host on seat 0.

        It takes no nonce: the host gives one by `join`, once the commitment to the server's part is known.
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
        """Find a room by its code, in any spelling.

        Raises:
            RefusedError: there is none, or it can't be read now.
        """
        code = parse_code(text)
        if code is None:
            raise unknown_room()
        room = self._rooms.get(code) or await self._load_once(code)
        if room.replica.state >= State.DAMAGED:
            await room.catch_up()
        room.used_at = asyncio.get_running_loop().time()
        return room

    async def has_seat(self, text: str, player: str) -> bool:
        """Whether a player sits in the room with this code. Its time tells nobody else if there is such a room."""
        code = parse_code(text)
        room = None if code is None else self._rooms.get(code)
        if room is not None and lobby.seat_of(room.row, player) is not None:
            return True
        async with self._loads.slot():
            return code in await self._context.store.read(queries.codes_of, player)

    async def join(self, room: Room, player: PlayerRow, nonce: str, at: int | None = None) -> SeatRow:
        """Give a player a seat, unless they have one, and take their nonce; with `at`, only take that seat's nonce."""
        if at is not None:
            return (await room.change(lambda row: lobby.give_nonce(row, player, at, nonce))).seats[at]
        row = await room.change(lambda row: lobby.join(row, player, nonce))
        seat = lobby.seat_of(row, player.id)
        assert seat is not None
        return row.seats[seat]

    async def seat_guest(self, room: Room, guardian: PlayerRow, guest: PlayerRow) -> SeatRow:
        """Give a seat to a guest, who shares the guardian's device."""
        row = await room.change(lambda row: lobby.seat_guest(row, guardian.id, guest))
        seat = lobby.seat_of(row, guest.id)
        assert seat is not None
        return row.seats[seat]

    async def invite(self, room: Room, host: PlayerRow, player: str) -> None:
        """Ask a spectator to take a free seat."""
        here = any(watcher.player == player for watcher in room.audience.describe().watchers)
        await room.change(lambda row: lobby.ask(row, host.id, player, here=here))

    async def bar(self, room: Room, host: PlayerRow, whom: NewBar) -> tuple[tuple[str, str], ...]:
        """Bar a player from a room. Returns the ids and names of all who are barred."""
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
        now = self._context.now()
        row = await room.change(lambda row: lobby.start(row, player.id, now, self._context.rules))
        await keep_positions(self._context, [room])
        log.info("game_begun", room=room.code, seats=len(row.seats))

    async def record(self, room: Room) -> Record:
        """The record of a finished game."""
        if room.game is None or room.row.status != "over":
            await room.catch_up()
        if room.game is None or room.row.status != "over":
            raise RefusedError(Code.NOT_STARTED, "The record is shown when the game is over.")
        try:
            moves = await self._context.store.load_moves(room.code)
            return reveal(room.replica, moves, self._context.rules)
        except StoreUnavailableError as error:
            raise unavailable(error) from error
        except DamagedRowError as error:
            raise self._damaged(error) from error

    async def rematch(self, room: Room, player: PlayerRow) -> RoomRow:
        """Make or find the room of the next game, and seat the player there, where possible on the same seat.

        There is one next room, however many ask at once. Everybody who follows the finished game sees its code.
        """
        if room.row.status != "over":
            await room.catch_up()
        lobby.need_end(room.row, player.id)
        try:
            code = await self._store_next(room.row, player)
        except StoreUnavailableError as error:
            raise unavailable(error) from error
        if code != room.row.next:
            log.info("rematch_made", room=room.code, next=code)
            await room.change(lambda row: row)  # changed already: read it, show it, tell other processes
        following = await self.find(code)
        await self._sit_down(following, player, room.row)
        return following.row

    async def _sit_down(self, room: Room, player: PlayerRow, before: RoomRow) -> None:
        """Seat the player again; if no seat is free, or the game has started, the player watches."""
        try:
            await room.change(lambda row: lobby.sit_again(row, player, before))
        except RefusedError as error:
            if error.code not in (Code.ROOM_FULL, Code.ALREADY_STARTED):
                raise

    async def find_unasked(self, code: str) -> Room | None:
        """Find a room that nobody asked for. Failures are logged, so that one room does not stop work on the others."""
        try:
            return await self.find(code)
        except RefusedError as error:
            log.warning("room_not_read", room=code, detail=str(error))
        except Exception:
            log.exception("room_not_read", room=code)
        return None

    def loaded(self) -> list[Room]:
        return list(self._rooms.values())

    def forget(self, code: str) -> None:
        """Remove a room from memory; the store keeps it."""
        del self._rooms[code]
        self._context.bus.leave(code)

    def beat(self) -> None:
        """Say that this process is alive, drop silent ones, and while the bus is away read what others did."""
        self._peers.beat()
        for process in self._peers.silent():
            self._lose(process)
        if self._context.bus.is_away:
            self.heal()

    def heal(self) -> None:
        """Read again the rooms that may be outdated; with other processes about, all unfinished ones with listeners."""
        for room in list(self._rooms.values()):
            if room.replica.state is not State.CURRENT or (
                self._context.shared and room.audience.listeners and room.row.status != "over"
            ):
                room.read_again()

    async def notice_changes(self) -> None:
        """Notice what commands did to rooms in memory: ended games and removed rooms."""
        here = {code: room.row.status for code, room in self._rooms.items()}
        there = await self._context.store.read(queries.statuses, here)
        for code in [code for code, status in here.items() if there.get(code) not in (status, "playing")]:
            if code in self._rooms and not await self._rooms[code].look_again():
                self.forget(code)

    async def close(self) -> None:
        """Finish all tasks of all rooms, and keep their positions."""
        self._context.bus.publish(EVERY_ROOM, News.GONE, self._context.process)
        for room in list(self._rooms.values()):
            await room.close()
        await keep_positions(self._context, self._rooms.values())

    def figures(self) -> dict[str, int]:
        """The numbers behind the gauges of `/metrics`."""
        listeners = [listener for room in self._rooms.values() for listener in room.audience.listeners]
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
            case News.WHO if process == self._context.process:
                for room in self._rooms.values():
                    if room.audience.listeners:
                        room.audience.tell_again()

    def _lose(self, process: str) -> None:
        for room in self._rooms.values():
            room.audience.lose(process)

    async def _load_once(self, code: str) -> Room:
        """Load a room once for all who ask at the same time. The load goes on if one of them hangs up."""
        task = self._loading.get(code)
        if task is None:
            task = self._loading[code] = asyncio.create_task(self._load_in_turn(code))
            task.add_done_callback(lambda done: self._loaded(code, done))
        return await asyncio.shield(task)

    def _loaded(self, code: str, task: asyncio.Task[Room]) -> None:
        del self._loading[code]
        if not task.cancelled() and task.exception() is None:
            self._rooms[code] = task.result()
            self._context.bus.follow(code)
            self._changed(task.result())

    def _changed(self, room: Room) -> None:
        """Let the bots act, unless the room is still being loaded: that may fail, and another would take its place."""
        if self._rooms.get(room.code) is room:
            self._bots.changed(room)

    async def _load_in_turn(self, code: str) -> Room:
        async with self._loads.slot():
            return await self._load(code)

    async def _load(self, code: str) -> Room:
        room = Room(self._context, await self.replica_of(code), self._changed)
        try:
            await room.catch_up()
            await room.chat.catch_up()
        except StoreUnavailableError as error:
            raise unavailable(error) from error
        return room

    async def replica_of(self, code: str) -> Replica:
        """Make a replica of a room, which has read no moves yet.

        Raises:
            RefusedError: there is no such room, or it can't be read now.
        """
        try:
            row = await self._context.store.read(queries.find_room, code)
            if row is None:
                raise unknown_room()
            need_sound(row)
            base = await base_of(self._context, row)
            return Replica(self._context, row, await self.boards.stored(row.board), base)
        except StoreUnavailableError as error:
            raise unavailable(error) from error
        except DamagedRowError as error:
            raise self._damaged(error) from error

    def _damaged(self, error: DamagedRowError) -> RefusedError:
        self._context.store.reports.report(error)
        return damaged_room()

    async def _store_new(self, host: PlayerRow, wish: NewRoom, digest: str) -> RoomRow:
        seats = SeatRow(0, host.id, host.name, None, ""), *map(lobby.free, range(1, wish.seats))
        while True:
            row = self._new_row(host, digest, wish.board, _options(wish), seats)
            try:
                await self._context.store.write(queries.create_room, row)
            except CodeTakenError:
                continue
            return row

    async def _store_next(self, row: RoomRow, host: PlayerRow) -> str:
        seats = lobby.seats_again(row, host)
        while True:
            wish = self._new_row(host, row.board, row.board_id, row.options, seats)
            try:
                code = await self._context.store.write(queries.create_next, row.code, replace(wish, barred=row.barred))
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
            rules_version=self._context.rules,
            created_at=self._context.now(),
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
