"""A room: its seats, its listeners, and the one game, changed by one task at a time."""

import asyncio
from collections.abc import Collection, Iterable
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import cached_property
from time import perf_counter

import structlog

from app.meters import COMMIT, MOVES, PLAY, PUBLISH, REFUSALS
from app.news import News
from app.rules import Game, Phase, Seat, Snapshot
from app.store import (
    BEFORE_ALL,
    DamagedRowError,
    MoveRow,
    MoveTakenError,
    PlayerRow,
    RoomChange,
    RoomOverError,
    RoomRow,
    StoreUnavailableError,
    UnknownRoomError,
    queries,
)
from app.wire import Ack, Act, Parts, RoomView, Views, compact, dump

from .boards import BoardText
from .course import Course, Happening
from .describe import describe
from .errors import Code, RefusedError, damaged_room, ended_by_site, not_started, unavailable, unknown_room
from .ground import Ground
from .listeners import Listener
from .lobby import Actor, acting_player, is_barred, may_watch, need_sight, need_welcome, seat_of, taken_seat
from .outbox import Outbox
from .presence import Presence
from .refusals import Refusals
from .showing import Showing
from .soundness import need_sound
from .talk import Talk
from .tasks import Tasks

log = structlog.get_logger(__name__)


class Room:
    """The live thing round a game. The database is the truth; what is here is what was read of it, and who listens."""

    def __init__(self, ground: Ground, row: RoomRow, board: BoardText, base: Snapshot | None = None) -> None:
        self.row = row
        self.board = board
        self.listeners: set[Listener] = set()
        self.is_removed = False
        self.is_damaged = False
        self.touched = asyncio.get_running_loop().time()
        self._ground = ground
        self._lock = asyncio.Lock()
        self._tasks = Tasks()
        self.is_behind = True
        self._row_is_old = False
        self._row_is_news = False
        self._is_due = False
        self._moves_are_due = False
        self.course = Course(base)
        self._refusals = Refusals()
        self._described: bytes | None = None
        self._presence = Presence(ground, row.code, self._show_presence)
        self.talk = Talk(ground, self, self._tasks)
        self._take_row(row)

    @property
    def code(self) -> str:
        """The room's code."""
        return self.row.code

    @property
    def game(self) -> Game | None:
        """The position; None before the start."""
        return self.course.game

    @property
    def version(self) -> int:
        """The number of moves played, 0 before the start."""
        return self.game.version if self.game else 0

    @property
    def is_ended(self) -> bool:
        """Whether the host of the site has ended the game before its end."""
        return self.row.status == "over" and self.game is not None and self.game.phase is not Phase.OVER

    @property
    def is_busy(self) -> bool:
        """Whether somebody listens or something goes on."""
        return bool(self.listeners or self._tasks.any or self._lock.locked())

    # --- changes -----------------------------------------------------------------------------------------------

    async def act(self, who: Actor, act: Act, asker: Listener | None = None) -> int:
        """Play a move; the version it made, once it is committed.

        A cancelled caller does not stop it. `asker` is told the answer, before anyone is shown what follows.

        Raises:
            RefusedError: it was not played. The same id again is refused again.
        """
        return await self._tasks.finish(self._act(who, act, asker))

    def act_for(self, listener: Listener, act: Act) -> asyncio.Task[int]:
        """Begin a move of a player's listener, who is told what came of it."""
        assert listener.player is not None
        return self._tasks.start(self._act(listener.player, act, listener))

    async def change(self, change: RoomChange) -> RoomRow:
        """Change the room's row by a function of `lobby`, in one transaction."""
        return await self._tasks.finish(self._change(change))

    async def catch_up(self) -> None:
        """Read from the store what others did, and tell the listeners."""
        await self._tasks.finish(self._catch_up_and_tell())

    def hear(self, news: str, text: str) -> None:
        """What the bus tells of the room."""
        match news:
            case News.MOVED if self.game is None or int(text) > self.version:
                self._read_moves()
            case News.CHANGED if text != self._ground.process:
                self._row_is_old = True
                self.read_again()
            case News.SAID if text != self._ground.process:
                self.talk.read_again()
            case News.HERE if self._presence.hear(text):
                self._mind_presence()
            case News.WHO:
                self._presence.tell_again()
            case News.MISSED:
                self._row_is_old = self.is_behind = True
                self.read_again()
                self._ground.bus.publish(self.code, News.WHO)

    def lose(self, process: str) -> None:
        """Another process is gone, and with it those who followed there."""
        if self._presence.forget(process):
            self._mind_presence()

    def tell_presence(self) -> None:
        """Tell the other processes who follows here, since one may not know."""
        if self.listeners:
            self._presence.tell_again()

    def read_again(self) -> None:
        """Catch up without being waited for, once for all who ask until it is this room's turn."""
        if not self._is_due:
            self._is_due = True
            self._tasks.start(self._read_in_turn())

    def _read_moves(self) -> None:
        """Catch up at once, and once for all who ask until that begins."""
        if not self._moves_are_due:
            self._moves_are_due = True
            self._tasks.start(self._read_moves_in_turn())

    async def look_again(self) -> bool:
        """Read the row of a room that may have been ended or removed from outside; whether it is still there."""
        async with self._lock:
            try:
                row = await self._ground.store.read(queries.find_room, self.code)
                if row is not None:
                    await self._take_over(row)
            except DamagedRowError as error:
                self._damaged(error)
                return True
            self._spread()
        if row is None:
            self._send_away()
        return not self.is_removed

    def _send_away(self) -> None:
        self.is_removed = True
        for listener in self.listeners:
            listener.outbox.close("this room was removed")

    async def _act(self, who: Actor, act: Act, asker: Listener | None) -> int:
        async with self._lock:
            try:
                version = await self._answer(who, act)
            except Exception as error:
                if asker:  # what nobody expects leaves the outcome unknown, as an outage does
                    self._tell_refusal(asker, act, error if isinstance(error, RefusedError) else unavailable())
                raise
            else:
                if asker:
                    asker.outbox.answer(dump(Ack(act.id, version)))
                return version
            finally:
                start = perf_counter()
                self._spread()
                PUBLISH.since(start)

    def _tell_refusal(self, asker: Listener, act: Act, error: RefusedError) -> None:
        REFUSALS[error.code] += 1
        asker.outbox.answer(dump(error.told(act.id, self.version)))
        if error.code is Code.STALE_VERSION:
            self._show([asker])

    async def _answer(self, who: Actor, act: Act) -> int:
        """The same answer to the same id, for good if it was played, for a while if it was refused."""
        await self._settle(act)
        seat = taken_seat(self.row, who)  # only now: the start moves players to other seats
        self._refusals.raise_again(who, act.id)
        try:
            return await self._play(seat, act)
        except RefusedError as error:
            if error.code is not Code.UNAVAILABLE:
                self._refusals.remember(who, act.id, error)
            raise

    async def _settle(self, act: Act) -> None:
        """Read again after an unknown outcome, or when the client knows more than this process."""
        if self.is_behind or self.game is None or act.version > self.version:
            await self._catch_up()

    async def _play(self, seat: Seat, act: Act) -> int:
        """Try until the move is stored or refused: whoever loses a race for a number looks again.

        Then there is something new. Where there is not, the moves stand otherwise than they can have been stored.
        """
        while (made := self.course.made(seat, act.id)) is None:
            if self.is_ended:
                raise ended_by_site()
            read = self.course.read
            start = perf_counter()
            game, events = self.course.after(seat, act)
            start = PLAY.since(start)
            move = self.course.move(game.version, seat, act, self._ground.now())
            if await self._append(move, over=game.phase is Phase.OVER):
                COMMIT.since(start)
                MOVES["human" if self.row.seats[seat].bot is None else "bot"] += 1
                self.course.advance(move, game, events)
                self._moved(move)
                self._ground.bus.publish(self.code, News.MOVED, str(game.version))
                if game.phase is Phase.OVER:
                    log.info("game_over", room=self.code, moves=move.number)
                return move.number
            await self._catch_up()
            if self.course.read == read and not self.is_ended:
                raise self._damaged(DamagedRowError("room", self.code, f"move {move.number} is taken, but not there"))
        return made

    async def _append(self, move: MoveRow, *, over: bool) -> bool:
        """Whether the move was stored; when that is unknown, the room is behind until it has read again."""
        self.is_behind = True
        try:
            await self._ground.store.append_move(self.code, move, over=over)
        except MoveTakenError:
            return False
        except RoomOverError:
            self._row_is_old = True
            return False
        except UnknownRoomError:
            self._send_away()
            raise unknown_room() from None
        except StoreUnavailableError as error:
            log.warning("move_not_stored", room=self.code, number=move.number, error=str(error))
            await self._catch_up()
            if self.course.made(move.seat, move.action_id) is not None:
                return False
            raise unavailable(error) from error
        self.is_behind = False
        return True

    async def _change(self, change: RoomChange) -> RoomRow:
        async with self._lock:
            try:
                row = await self._ground.store.write(queries.change_room, self.code, change)
                if row is None:
                    raise unknown_room()
                self._ground.bus.publish(self.code, News.CHANGED, self._ground.process)  # whatever becomes of it here
                await self._take_over(row)
            except StoreUnavailableError as error:
                self.is_behind = self._row_is_old = True
                raise unavailable(error) from error
            except DamagedRowError as error:
                raise self._damaged(error) from error
            except RefusedError:
                if self.game is None:  # what another process did may be the reason
                    await self._catch_up()
                    self._spread()
                raise
            self._spread()
            return row

    async def _catch_up_and_tell(self) -> None:
        async with self._lock:
            await self._catch_up()
            self._spread()

    async def _read_moves_in_turn(self) -> None:
        async with self._lock:
            self._moves_are_due = False  # what is told from now on may come too late for this read
            await self._catch_up()
            self._spread()

    async def _read_in_turn(self) -> None:
        """After an outage of the bus all rooms want to be read: at once they would leave no connection to anybody."""
        async with AsyncExitStack() as stack:
            try:
                await stack.enter_async_context(self._ground.turnstile.passed())
                await stack.enter_async_context(self._lock)
            finally:
                self._is_due = False
            await self._catch_up()
            self._spread()
        await self.talk.catch_up()

    async def _catch_up(self) -> None:
        try:
            await self._take_over(await self._newest_row())
        except StoreUnavailableError as error:
            self.is_behind = self._row_is_old = True
            raise unavailable(error) from error
        except DamagedRowError as error:
            raise self._damaged(error) from error
        self.is_behind = self.is_damaged = False

    def _damaged(self, error: DamagedRowError) -> RefusedError:
        """Until it can be read again whoever comes is refused, and no bot acts."""
        self.is_behind = self._row_is_old = self.is_damaged = True
        self._ground.store.reports.report(error)
        return damaged_room()

    async def _newest_row(self) -> RoomRow:
        if self.game is not None and not self._row_is_old:
            return self.row
        self._row_is_old = False  # what is told while it is read is news again
        return await self._ground.store.read(queries.find_room, self.code) or self.row

    async def _take_over(self, row: RoomRow) -> None:
        """Take a row that was read or written, with the moves up to then: of a game that is over those to its end."""
        moves = await self._ground.store.load_moves(self.code, self.course.read or BEFORE_ALL) if row.seed else []
        if row != self.row:
            need_sound(row)
            self._take_row(row)
            self._row_is_news = True
        if moves:
            self.course.replay(moves)
            self._moved(moves[-1])

    def _moved(self, move: MoveRow) -> None:
        if self.game is not None and self.game.phase is Phase.OVER:
            self._described = None
            self.row = replace(self.row, status="over", ended_at=move.at)

    def _take_row(self, row: RoomRow) -> None:
        self.row = row
        self._described = None
        if self.game is None and row.seed is not None:
            self.course.begin(self.board.board, row)
        moved = [each for each in self.listeners if each.viewer != seat_of(row, each.player)]
        for listener in self.listeners:
            listener.viewer = seat_of(row, listener.player)
            self._presence.changed()
            if is_barred(row, listener.player):
                listener.outbox.close("you are barred from this table")
            elif listener.caller != listener.player and listener.viewer is None:
                listener.outbox.close("this seat was freed")
            elif not may_watch(row, listener.viewer):
                listener.outbox.close("this game has no spectators")
        if moved:
            self.talk.greet(self.listeners)

    # --- listeners ---------------------------------------------------------------------------------------------

    async def acting_player(self, caller: PlayerRow | None, seat: int | None) -> PlayerRow | None:
        """For whom a caller acts who may name a seat; the start may have renumbered the seats at another process."""
        if seat is not None and self.game is None:
            await self.catch_up()
        return acting_player(self.row, caller, seat)

    def connect(self, player: str | None = None, name: str = "", caller: str | None = None) -> Listener:
        """A new listener of a player with this name, or of nobody; the whole room is in its outbox at once.

        Raises:
            RefusedError: the player is barred, or the game has no spectators.
        """
        listener = Listener(player, seat_of(self.row, player), Outbox(), name, caller or player)
        need_welcome(self.row, player)
        need_sight(self.row, listener.viewer)
        self.listeners.add(listener)
        self._mind_presence()
        self._show([listener], self.course.history)
        self.talk.greet([listener])
        if self.is_behind:
            self.read_again()
        return listener

    def disconnect(self, listener: Listener) -> None:
        """Forget this listener, and no other of its player."""
        self.listeners.discard(listener)
        self.touched = asyncio.get_running_loop().time()
        self._mind_presence()

    def _mind_presence(self) -> None:
        self._described = None
        self._presence.changed()

    def _show_presence(self) -> None:
        self._presence.tell(self.listeners)
        described = self.described
        self._show([listener for listener in self.listeners if listener.shown != described])

    async def close(self) -> None:
        """Wait for what was begun."""
        self._presence.close()
        await self._tasks.all_done()

    # --- what is shown -----------------------------------------------------------------------------------------

    @cached_property
    def _parts(self) -> Parts:
        """Of the views that were shown last; a room that nobody sees has none."""
        return Parts()

    @property
    def described(self) -> bytes:
        """The room as all may see it, as JSON."""
        if self._described is None:
            self._described = compact(dump(self.describe()))
        return self._described

    def describe(self) -> RoomView:
        """The room as all may see it."""
        who = self.row, self.listeners
        return describe(self.row, self._presence.viewers(*who), self._presence.watchers(*who))

    def name_of(self, player: str) -> str:
        """The name of one who sits, watches or has talked here.

        Raises:
            RefusedError: nobody does.
        """
        seated = {seat.player: seat.name for seat in self.row.seats}
        watching = {each.player: each.name for each in self.describe().watchers}
        barred = dict(self.row.barred)
        name = seated.get(player) or watching.get(player) or barred.get(player) or self.talk.name_of(player)
        if name is None:
            raise RefusedError(Code.BAD_REQUEST, "Nobody of this name is here.", reason="not_watching")
        return name

    async def show_to(self, player: str | None) -> bytes:
        """The view of a player, or of a spectator."""
        if self.game is None:
            await self.catch_up()
        viewer = seat_of(self.row, player)
        views = self.views()
        if views is None:
            raise not_started()
        need_sight(self.row, viewer)
        return views.of(viewer)

    def views(self) -> Views | None:
        """The views of everybody, which are made anew: kept, they would be most of a room. None before the start."""
        if self.game is None:
            return None
        game = replace(self.game, phase=Phase.OVER) if self.is_ended else self.game
        return Views(game, self._parts)

    def _spread(self) -> None:
        """Show what has happened since the last time to everybody."""
        news, changed = self.course.news(), self._row_is_news
        if news or changed:
            self._row_is_news = False
            self._show(self.listeners, news)
        self._ground.watcher.changed(self)

    def _show(self, listeners: Collection[Listener], news: Iterable[Happening] = ()) -> None:
        if not listeners:
            return
        showing = Showing(self.described, self.views(), news)
        for listener in listeners:
            listener.show(showing.update(listener.viewer))
