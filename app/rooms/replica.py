"""A room's row and game as this process knows them. The database has the truth; this is a copy of it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from enum import IntEnum, auto
from typing import NamedTuple

import structlog

from app.news import News
from app.rules import (
    End,
    Entry,
    EntryKind,
    Event,
    Game,
    IllegalActionError,
    Phase,
    ReplayError,
    Seat,
    Snapshot,
    deal_with_events,
    end_of,
    play,
    replay,
    resumed,
)
from app.store import (
    BEFORE_ALL,
    DamagedRowError,
    Maker,
    MoveRow,
    MoveTakenError,
    RoomChange,
    RoomOverError,
    RoomRow,
    StoreUnavailableError,
    UnknownRoomError,
    queries,
)
from app.wire import Act, WireError, dump_action, dump_end, parse_action

from .boards import BoardText
from .context import Context
from .errors import Code, RefusedError, damaged_room, ended_by_site, not_started, unavailable, unknown_room
from .soundness import need_sound

HISTORY = 60
"""Latest moves whose events a new listener gets, for its log."""

EARLIEST = datetime.min.replace(tzinfo=UTC)

log = structlog.get_logger(__name__)


class State(IntEnum):
    """How far a replica can be trusted, best first."""

    CURRENT = auto()
    """Up to date, as far as this process knows."""

    BEHIND = auto()
    """Moves may be missing: read them before anything else."""

    STALE = auto()
    """The row may be outdated as well."""

    DAMAGED = auto()
    """The stored data is invalid. Refuse everybody and let no bot act until it can be read again."""

    REMOVED = auto()
    """The room is no longer in the database."""


class Happening(NamedTuple):
    """The events that led to a version of the game."""

    version: int
    events: tuple[Event, ...]


class Base(NamedTuple):
    """The position from which a game of older rules goes on, and the number of the entry that led to it."""

    number: int
    position: Snapshot


class Step(NamedTuple):
    """A move to store, and the game after it."""

    move: MoveRow
    game: Game
    events: tuple[Event, ...]
    end: End | None


class Replica:
    """`game` is None before the start. `number` is that of the last entry read; older rules made those up to `base`."""

    def __init__(self, context: Context, row: RoomRow, board: BoardText, base: Base | None = None) -> None:
        self.row = row
        self.board = board
        self.base = base
        self.state = State.BEHIND
        self.game: Game | None = None
        self.number = 0
        self._context = context
        self._doubts = 0
        self._made: dict[str, int] = {}
        self._history: list[Happening] = []
        self._news: list[Happening] = []
        self._last_at = EARLIEST
        self._take_row(row)

    @property
    def code(self) -> str:
        return self.row.code

    @property
    def version(self) -> int:
        """The game's version, 0 before the start."""
        return self.game.version if self.game else 0

    @property
    def is_ended(self) -> bool:
        """Whether the host of the site ended the game early."""
        return self.row.status == "over" and self.game is not None and self.game.phase is not Phase.OVER

    @property
    def shown(self) -> Game | None:
        """The game as viewers see it: over, if the host of the site ended it."""
        return self.game._replace(phase=Phase.OVER) if self.game and self.is_ended else self.game

    @property
    def history(self) -> list[Happening]:
        """The latest events, for the log of a new listener."""
        return self._history

    def news(self) -> list[Happening]:
        """The events since the last call."""
        news, self._news = self._news, []
        return news

    def made(self, seat: int, action_id: str) -> int | None:
        """The version that a seat's action made, or None if it was not played."""
        return self._made.get(f"{seat} {action_id}")

    def doubt(self) -> None:
        """Something may have been missed: read row and moves before anything else."""
        self._doubts += 1
        self.state = max(self.state, State.STALE)

    async def catch_up(self) -> None:
        """Read what other processes stored: the moves; the row only before the start, or if it may have changed.

        Raises:
            RefusedError: the room can't be read now, is damaged, or was removed.
        """
        doubts = self._doubts
        try:
            row = self.row
            if self.game is None or self.state >= State.STALE:
                row = self._there(await self._context.store.read(queries.find_room, self.code))
            await self._take(row)
        except StoreUnavailableError as error:
            self.doubt()
            raise unavailable(error) from error
        except DamagedRowError as error:
            raise self._damaged(error) from error
        self.state = State.CURRENT if doubts == self._doubts else State.STALE

    async def change(self, change: RoomChange) -> RoomRow:
        """Change the row in one transaction.

        Raises:
            RefusedError: `change` refuses, or the database can't do it.
        """
        try:
            row = self._there(await self._context.store.write(queries.change_room, self.code, change))
            self._context.bus.publish(self.code, News.CHANGED, self._context.process)  # even if reading it back fails
            await self._take(row)
        except StoreUnavailableError as error:
            self.doubt()
            raise unavailable(error) from error
        except DamagedRowError as error:
            raise self._damaged(error) from error
        except RefusedError:
            if self.game is None and self.state is not State.REMOVED:  # another process may have caused the refusal
                await self.catch_up()
            raise
        return row

    def step(self, seat: Seat, act: Act, made_by: Maker = "owner") -> Step:
        """Play an action on the current game, without storing it. The first choice of tickets ignores the version.

        Raises:
            RefusedError: there is no game, it is over or at another version, or the rules refuse the action.
        """
        if self.game is None:
            raise not_started()
        if self.is_ended:
            raise ended_by_site()
        if act.version != self.game.version and self.game.phase is not Phase.FIRST_TICKETS:
            raise RefusedError(Code.STALE_VERSION, "The game has moved on; look again before you act.")
        try:
            game, events = play(self.game, seat, act.action)
        except IllegalActionError as error:
            reason = error.reason
            raise RefusedError(Code(error.code), str(error), reason=reason.name, facts=reason.facts) from error
        at = max(self._context.now(), self._last_at)  # the clock may have been set back
        move = MoveRow(self.number + 1, seat, dump_action(act.action), act.id, at, made_by=made_by)
        return Step(move, game, events, end_of(game))

    async def append(self, step: Step) -> bool:
        """Store a move, make its game the current one, and tell the other processes.

        Returns False if another move was stored first; that one has been read by then.

        Raises:
            RefusedError: it is unknown whether it was stored, or the room is damaged or removed.
        """
        before = self.number
        self.state = max(self.state, State.BEHIND)
        if await self._store(step):
            if self.state is State.BEHIND:
                self.state = State.CURRENT
            self.game = step.game
            self._note(step.move, step.game.version)
            self._happen(step.game.version, step.events)
            self._end()
            self._context.bus.publish(self.code, News.MOVED, str(step.move.number))
            return True
        await self.catch_up()
        if self.number == before and not self.is_ended:
            problem = f"move {step.move.number} is taken, but not there"
            raise self._damaged(DamagedRowError("room", self.code, problem))
        return False

    async def _store(self, step: Step) -> bool:
        move = step.move
        try:
            end = None if step.end is None else dump_end(step.end)
            await self._context.store.append_move(self.code, move, end)
        except MoveTakenError:
            return False
        except RoomOverError:
            self.doubt()
            return False
        except UnknownRoomError:
            self._there(None)
        except StoreUnavailableError as error:
            log.warning("move_not_stored", room=self.code, number=move.number, error=str(error))
            await self.catch_up()
            if self.made(move.seat, move.action_id) is None:
                self.state = max(self.state, State.BEHIND)  # it may still be committed
                raise unavailable(error) from error
            return False
        return True

    def _there(self, row: RoomRow | None) -> RoomRow:
        if row is None:
            self.state = State.REMOVED
            raise unknown_room()
        return row

    def _damaged(self, error: DamagedRowError) -> RefusedError:
        self.state = State.DAMAGED
        self._context.store.reports.report(error)
        return damaged_room()

    async def _take(self, row: RoomRow) -> None:
        """Take over a row, together with the moves up to it: it may say that the game is over before those are read."""
        moves = await self._context.store.load_moves(self.code, self.number or BEFORE_ALL) if row.seed else []
        if row != self.row:
            self._take_row(need_sound(row))
        if self.number and row.seed and any(move.kind == "take_back" for move in moves):
            moves = await self._context.store.load_moves(self.code)  # taking a move back needs a replay from the start
            known = self.number
            self._forget(row, row.seed)
            self._replay(moves, known)
        elif moves:
            self._replay(moves)

    def _take_row(self, row: RoomRow) -> None:
        self.row = row
        if self.game is None and row.seed is not None:
            self._begin(row, row.seed)

    def _forget(self, row: RoomRow, seed: bytes) -> None:
        """Deal again, without reporting earlier events a second time."""
        news = self.news()
        self.number, self._history, self._made = 0, [], {}
        self._begin(row, seed)
        self._news = news

    def _begin(self, row: RoomRow, seed: bytes) -> None:
        """Deal, or go on from the position that older rules left."""
        self._last_at = row.started_at or EARLIEST
        if self.base is None:
            self.game, events = deal_with_events(self.board.board, len(row.seats), seed)
            self._happen(self.game.version, events)
            return
        try:
            self.game = resumed(self.board.board, seed, self.base.position)
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            problem = f"its position can't be taken up ({type(error).__name__})"
            raise DamagedRowError("room", row.code, problem) from error

    def _replay(self, moves: Sequence[MoveRow], known: int = 0) -> None:
        """Play stored entries. Events up to entry `known` are not news.

        Raises:
            DamagedRowError: an entry is missing or illegal by these rules. Those before it have been played.
        """
        assert self.game is not None
        first = 0 if self.base is None else self.base.number
        events: list[Event] = []
        tables = replay(self.game, (entry_of(move) for move in moves if move.number > first), events.append)
        table, version = None, self.version
        try:
            for move in moves:
                if move.number != self.number + 1:
                    raise DamagedRowError("room", self.code, f"move {move.number} follows move {self.number}")
                if move.number > first:
                    table = next(tables)
                    version = table.version
                    self._happen(version, events, is_news=move.number > known)
                    events.clear()
                self._note(move, version)
        except (ReplayError, WireError) as error:
            problem = f"move {self.number + 1} can't have been played: {error}"
            raise DamagedRowError("room", self.code, problem) from error
        finally:
            if table is not None:
                self.game = table.frozen()
            self._end()

    def _note(self, move: MoveRow, version: int) -> None:
        self.number = move.number
        self._made[f"{move.seat} {move.action_id}"] = version
        self._last_at = move.at

    def _end(self) -> None:
        """Mark the row as over: the last move did so in the database, in its own transaction."""
        if self.game is not None and self.game.phase is Phase.OVER and self.row.status != "over":
            self.row = replace(self.row, status="over", ended_at=self._last_at)

    def _happen(self, version: int, events: Iterable[Event], *, is_news: bool = True) -> None:
        happening = Happening(version, tuple(events))
        if is_news:
            self._news.append(happening)
        self._history = [*self._history[1 - HISTORY :], happening]


def entry_of(move: MoveRow) -> Entry:
    """Convert a stored entry to one of the rules.

    Raises:
        WireError: its action can't be parsed.
    """
    action = parse_action(move.action) if move.kind == "move" else None
    return Entry(Seat(move.seat), action, EntryKind(move.kind))
