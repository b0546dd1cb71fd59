"""A room: one game and the people round it. It handles one move at a time.

Read a move from top to bottom: `act` (or `act_for` from a socket), `_play`, `_spread`.
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
    """One room of this process. It calls `changed` after every change, which lets the bots act.

    `replica` is its row and game as they were last read, `audience` is who follows it, `chat` is what they write.
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
        # after an outage of the bus every room must be read: all at once, they would take every database connection
        self._read_all = Coalesced(self._tasks, self._catch_up_with_chat, context.unasked.slot, lambda: self._lock)

    async def act(self, who: Actor, act: Act, asker: Listener | None = None) -> int:
        """Play a move, and return the version it made once it is committed.

        Cancelling the caller does not stop it. `asker` gets the answer before anybody sees the new state.

        Raises:
            RefusedError: the move was not played. A repeated id is refused again.
        """
        return await self._tasks.finish(self._act(who, act, asker))

    def act_for(self, listener: Listener, act: Act) -> asyncio.Task[int]:
        """Start a move of a listener who has a seat. The answer goes to the listener's outbox."""
        assert listener.player is not None
        return self._tasks.start(self._act(listener.player, act, listener))

    async def _act(self, who: Actor, act: Act, asker: Listener | None) -> int:
        async with self._lock:
            try:
                version = await self._play(who, act)
            except Exception as error:
                if asker:  # an unexpected error leaves the outcome unknown, as an outage does
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
        """Try until the move is stored or refused. If another move was stored first, try again on the game after it."""
        replica = self.replica
        if replica.state is not State.CURRENT or replica.game is None or act.version > replica.version:
            await replica.catch_up()
        seat = taken_seat(replica.row, who)  # after catching up, since the start moves players to other seats
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
        """Show everybody what has changed since the last call, and let the bots act."""
        if self.audience.update():
            self.chat.greet(self.audience.listeners)
        if self.replica.state is State.REMOVED:
            self.audience.send_away("this room was removed")
        self._changed(self)

    # --- other changes -----------------------------------------------------------------------------------------

    async def change(self, change: RoomChange) -> RoomRow:
        """Change the room's row in one transaction, by a function of `lobby`."""
        return await self._tasks.finish(self._change(change))

    async def _change(self, change: RoomChange) -> RoomRow:
        async with self._lock:
            try:
                return await self.replica.change(change)
            finally:
                self._spread()

    async def catch_up(self) -> None:
        """Read what other processes stored, and show it."""
        await self._tasks.finish(self._catch_up_in_turn())

    async def look_again(self) -> bool:
        """Read the room again after a command may have ended or removed it. Returns whether it still exists."""
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
        """Catch up in the background. Further calls before that begins are served by the same read."""
        self._read_all.ask()

    def hear(self, news: str, text: str) -> None:
        """Handle a message of the bus about this room."""
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
        """Wait for all tasks that have started."""
        self.audience.close()
        await self._tasks.all_done()

    # --- those who follow --------------------------------------------------------------------------------------

    async def acting_player(self, caller: PlayerRow | None, seat: int | None) -> PlayerRow | None:
        """The player for whom a caller acts, who may name a seat.

        Before the start it catches up first, since another process may have started the game and renumbered the seats.
        """
        if seat is not None and self.game is None:
            await self.catch_up()
        return acting_player(self.row, caller, seat)

    def connect(self, player: str | None = None, name: str = "", caller: str | None = None) -> Listener:
        """Add a listener for a player, or for a stranger. Its outbox gets the whole room at once.

        Raises:
            RefusedError: the player is barred, or the game has no spectators.
        """
        listener = self.audience.join(player, name, caller)
        self.chat.greet([listener])
        if self.replica.state is not State.CURRENT:
            self.read_again()
        return listener

    def disconnect(self, listener: Listener) -> None:
        """Remove this listener, but no other of its player."""
        self.audience.leave(listener)
        self.used_at = asyncio.get_running_loop().time()

    async def show_to(self, player: str | None) -> bytes:
        """A player's view as JSON, or a spectator's."""
        if self.game is None:
            await self.catch_up()
        viewer = seat_of(self.row, player)
        views = self.audience.views()
        if views is None:
            raise not_started()
        need_sight(self.row, viewer)
        return views.of(viewer)

    def name_of(self, player: str) -> str:
        """The name of a player who sits or watches here, is barred, or has written in the chat.

        Raises:
            RefusedError: the player is none of these.
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
        """The room's row as it was last read."""
        return self.replica.row

    @property
    def game(self) -> Game | None:
        """The position; None before the start."""
        return self.replica.game

    @property
    def code(self) -> str:
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
        """Whether it has listeners, tasks or a change under way."""
        return bool(self.audience.listeners or self._tasks.any or self._lock.locked())
