"""Lets bots act: every process that has the room in memory starts those that are to act."""

import asyncio
import random
import secrets
from collections.abc import Callable
from typing import Protocol

import structlog

from app.bots.known import Known, known_cards
from app.rules import Action, Game, Seat, View, legal_actions, view
from app.wire import Act, dump_action, parse_action

from .errors import Code, RefusedError
from .replica import State
from .room import Room

PACE = (0.6, 1.8)
"""Minimum and maximum seconds that a bot takes for a move."""

RETRY = 2.0
"""Seconds until a bot retries a move that could not be stored."""

AGAIN = 30.0
"""Seconds until a bot acts again after an unexpected error, so that its table does not wait for ever."""

MOST_LOGGED = 500
"""Maximum characters of a bot's error in the log."""

THINKING = 20.0
"""Seconds after which a bot that still thinks is given up."""

log = structlog.get_logger(__name__)


class Mind(Protocol):
    """Chooses actions for bots, outside the event loop."""

    async def choose(self, level: str, view: View, seed: int, known: Known = ()) -> Action:
        """Choose a legal action for the seat of this view, which remembers these cards of others."""
        ...


class Bots:
    """Lets the bots of all rooms act. `pace` multiplies the time they take; with 0 they act at once."""

    def __init__(self, mind: Mind, pace: float = 1.0) -> None:
        self._mind = mind
        self._pace = pace
        self._tasks: dict[tuple[str, Seat], asyncio.Task[None]] = {}
        self._closed = False

    def changed(self, room: Room) -> None:
        """Start every bot of the room that is to act and has not been started yet."""
        for seat in () if self._closed else bots_to_act(room):
            if (room.code, seat) not in self._tasks:
                self._start(room, seat)

    @property
    def acting(self) -> int:
        """How many bots are about to move."""
        return len(self._tasks)

    async def close(self) -> None:
        """Stop all bots for good. A move that is being stored is finished by its room."""
        self._closed = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def _start(self, room: Room, seat: Seat) -> None:
        key = room.code, seat
        task = asyncio.create_task(self._act(room, seat), name=f"bot {room.code} {seat}")
        self._tasks[key] = task
        task.add_done_callback(self._ender(room, key))

    def _ender(self, room: Room, key: tuple[str, Seat]) -> Callable[[asyncio.Task[None]], None]:
        def end(task: asyncio.Task[None]) -> None:
            del self._tasks[key]
            if task.cancelled():
                return
            error = task.exception()
            if error is None:
                self.changed(room)
            else:
                log.error("bot_stopped", room=key[0], seat=key[1], exc_info=error)
                asyncio.get_running_loop().call_later(AGAIN, self.changed, room)

        return end

    async def _act(self, room: Room, seat: Seat) -> None:
        """Make one move. Its id names the entry before it, so several processes that think make one move together."""
        await asyncio.sleep(random.uniform(*PACE) * self._pace)
        if room.game is None or seat not in bots_to_act(room):
            return
        game, name = room.game, f"bot-{room.replica.number}"
        wanted = await self._choose(room, seat)
        if wanted is None or not await self._tried(room, seat, Act(name, game.version, wanted)):
            await self._tried(room, seat, Act(f"{name}-instead", game.version, legal_actions(game, seat)[0]))

    async def _tried(self, room: Room, seat: Seat, act: Act) -> bool:
        """Try to play. Returns False if the rules refuse the action, since they would refuse it again."""
        try:
            await room.act(seat, act)
        except RefusedError as error:
            if error.code is Code.UNAVAILABLE:
                await asyncio.sleep(RETRY)
            elif error.code is not Code.STALE_VERSION:
                log.warning("bot_refused", room=room.code, seat=seat, code=error.code, detail=str(error))
            return error.code is not Code.ILLEGAL_ACTION
        return True

    async def _choose(self, room: Room, seat: Seat) -> Action | None:
        """Ask the bot; None if it fails. Its answer is parsed as strictly as a stranger's message."""
        game, level = room.game, room.row.seats[seat].driver
        assert game is not None
        assert level is not None
        try:
            async with asyncio.timeout(THINKING):
                chosen = await self._mind.choose(level, view(game, seat), secrets.randbits(64), remembered(room, game))
            return parse_action(dump_action(chosen))
        except Exception as error:  # noqa: BLE001  after any error the others at the table must not wait for ever
            log.warning("bot_failed", room=room.code, seat=seat, level=level, error=repr(error)[:MOST_LOGGED])
            return None


def remembered(room: Room, game: Game) -> Known:
    """The cards known to be in hands, by the events that every listener gets."""
    events = [event for happening in room.replica.history for event in happening.events]
    return known_cards(game.board, game.seats, events)


def bots_to_act(room: Room) -> list[Seat]:
    """The seats that the game waits for and for which bots decide."""
    if room.game is None or room.replica.is_ended or room.replica.state >= State.DAMAGED:
        return []
    return [seat for seat in room.game.to_act if room.row.seats[seat].driver is not None]
