"""A room: one game, the people round it, and the moves between them, one at a time.

A move goes through this file from top to bottom: `act`, `_play`, `_spread`.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter

import structlog

from app.metrics import COMMIT, MOVES, PLAY, PUBLISH, REFUSALS
from app.news import News
from app.rules import Game
from app.store import Maker, PlayerRow, RoomChange, RoomRow
from app.wire import Ack, Act, dump

from .audience import Audience, Listener
from .boards import BoardText
from .chat import Chat
from .context import Context
from .errors import Code, Refusals, RefusedError, not_started, unavailable
from .lobby import Actor, acting_player, need_sight, seat_of, taken_seat
from .replica import Replica, State
from .tasks import Coalesced, Tasks

log = structlog.get_logger(__name__)


class Room:
    """One room of this process. `changed` is told after every change, and lets the bots act.

    `replica` is what was read of the database, `audience` are those who follow, `chat` is what they write.
    """

    def __init__(self, context: Context, replica: Replica, changed: Callable[["Room"], None]) -> None:
        self.replica = replica
        self.audience = Audience(context, replica)
        self._tasks = Tasks()
        self.chat = Chat(context, replica, self.audience, self._tasks)
        self.used_at = asyncio.get_running_loop().time()
        self._context = context
        self._changed = changed
        self._lock = asyncio.Lock()
        self._refusals = Refusals()
        self._read_moves = Coalesced(self._tasks, self._catch_up, lambda: self._lock)
        # after an outage of the bus all rooms want to be read: at once they would leave no connection to anybody
        self._read_all = Coalesced(self._tasks, self._catch_up_with_chat, context.unasked.slot, lambda: self._lock)

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

    async def _act(self, who: Actor, act: Act, asker: Listener | None) -> int:
        async with self._lock:
            try:
                version = await self._play(who, act)
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

    async def _play(self, who: Actor, act: Act) -> int:
        """Try until the move is stored or refused: if another comes first, look at the game after that one."""
        replica = self.replica
        if replica.state is not State.CURRENT or replica.game is None or act.version > replica.version:
            await replica.catch_up()
        seat = taken_seat(replica.row, who)  # only now: the start moves players to other seats
        self._refusals.raise_again(who, act.id)
        made_by: Maker = "owner" if isinstance(who, str) or replica.row.seats[seat].is_bots else "stand_in"
        try:
            while (made := replica.made(seat, act.id)) is None:
                start = perf_counter()
                step = replica.step(seat, act, made_by)
                start = PLAY.since(start)
                if await replica.append(step):
                    COMMIT.since(start)
                    MOVES["human" if isinstance(who, str) else "bot"] += 1
                    if step.end is not None:
                        log.info("game_over", room=self.code, moves=step.move.number)
                    return step.game.version
        except RefusedError as error:
            if error.code is not Code.UNAVAILABLE:
                self._refusals.remember(who, act.id, error)
            raise
        return made

    def _tell_refusal(self, asker: Listener, act: Act, error: RefusedError) -> None:
        REFUSALS[error.code] += 1
        asker.outbox.answer(dump(error.told(act.id, self.version)))
        if error.code is Code.STALE_VERSION:
            self.audience.show([asker])

    def _spread(self) -> None:
        """Show what has happened since the last time to everybody."""
        if self.audience.update():
            self.chat.greet(self.audience.listeners)
        if self.replica.state is State.REMOVED:
            self.audience.send_away("this room was removed")
        self._changed(self)

    # --- other changes -----------------------------------------------------------------------------------------

    async def change(self, change: RoomChange) -> RoomRow:
        """Change the room's row by a function of `lobby`, in one transaction."""
        return await self._tasks.finish(self._change(change))

    async def _change(self, change: RoomChange) -> RoomRow:
        async with self._lock:
            try:
                return await self.replica.change(change)
            finally:
                self._spread()

    async def catch_up(self) -> None:
        """Read from the store what others did, and tell the listeners."""
        await self._tasks.finish(self._catch_up_in_turn())

    async def look_again(self) -> bool:
        """Read a room again that may have been ended or removed from outside; whether it is still there."""
        self.replica.doubt()
        with suppress(RefusedError):
            await self.catch_up()
        return self.replica.state is not State.REMOVED

    async def _catch_up_in_turn(self) -> None:
        async with self._lock:
            await self._catch_up()

    async def _catch_up(self) -> None:
        try:
            await self.replica.catch_up()
        finally:
            self._spread()

    async def _catch_up_with_chat(self) -> None:
        await self._catch_up()
        self.chat.read_again()

    def read_again(self) -> None:
        """Catch up without being waited for, once for all who ask until it is this room's turn."""
        self._read_all.ask()

    def hear(self, news: str, text: str) -> None:
        """What the bus tells of the room."""
        match news:
            case News.MOVED if int(text) > self.replica.number:
                self._read_moves.ask()
            case News.CHANGED if text != self._context.process:
                self.replica.doubt()
                self.read_again()
            case News.SAID if text != self._context.process:
                self.chat.read_again()
            case News.HERE:
                self.audience.hear(text)
            case News.WHO:
                self.audience.tell_again()
            case News.MISSED:
                self.replica.doubt()
                self.read_again()
                self._context.bus.publish(self.code, News.WHO)

    async def close(self) -> None:
        """Wait for what was begun."""
        self.audience.close()
        await self._tasks.all_done()

    # --- those who follow --------------------------------------------------------------------------------------

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
        listener = self.audience.join(player, name, caller)
        self.chat.greet([listener])
        if self.replica.state is not State.CURRENT:
            self.read_again()
        return listener

    def disconnect(self, listener: Listener) -> None:
        """Forget this listener, and no other of its player."""
        self.audience.leave(listener)
        self.used_at = asyncio.get_running_loop().time()

    async def show_to(self, player: str | None) -> bytes:
        """The view of a player, or of a spectator."""
        if self.game is None:
            await self.catch_up()
        viewer = seat_of(self.row, player)
        views = self.audience.views()
        if views is None:
            raise not_started()
        need_sight(self.row, viewer)
        return views.of(viewer)

    def name_of(self, player: str) -> str:
        """The name of one who sits, watches or has talked here.

        Raises:
            RefusedError: nobody does.
        """
        seated = {seat.player: seat.name for seat in self.row.seats}
        watching = {each.player: each.name for each in self.audience.describe().watchers}
        barred = dict(self.row.barred)
        name = seated.get(player) or watching.get(player) or barred.get(player) or self.chat.name_of(player)
        if name is None:
            raise RefusedError(Code.BAD_REQUEST, "Nobody of this name is here.", reason="not_watching")
        return name

    # --- what is known -----------------------------------------------------------------------------------------

    @property
    def row(self) -> RoomRow:
        """The room's row, as it was last read."""
        return self.replica.row

    @property
    def game(self) -> Game | None:
        """The position; None before the start."""
        return self.replica.game

    @property
    def code(self) -> str:
        """The room's code."""
        return self.replica.code

    @property
    def board(self) -> BoardText:
        """The board as it was when the room was made."""
        return self.replica.board

    @property
    def version(self) -> int:
        """The game's version, 0 before the start."""
        return self.replica.version

    @property
    def is_busy(self) -> bool:
        """Whether somebody listens or something goes on."""
        return bool(self.audience.listeners or self._tasks.any or self._lock.locked())
