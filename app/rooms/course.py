"""The course of a game, as far as it was read: the position, who made which move, and what happened lately."""

from collections.abc import Iterable
from datetime import UTC, datetime

from app.rules import (
    Board,
    Event,
    Game,
    IllegalActionError,
    Phase,
    Seat,
    Snapshot,
    Table,
    deal_with_events,
    play,
    play_on,
    resumed,
)
from app.store import DamagedRowError, MoveRow, RoomRow
from app.wire import Act, WireError, dump_action, parse_action

from .errors import Code, RefusedError, not_started

HISTORY = 60
"""Moves of the past whose events a listener is told on connecting, for its log."""

EARLIEST = datetime.min.replace(tzinfo=UTC)

Happening = tuple[int, tuple[Event, ...]]
"""A version of the game, and the events that led to it."""


class Course:
    """`game` is None before the start.

    `read` is the number of the last move that was read. The moves up to `base` were played by older rules.
    """

    def __init__(self, base: Snapshot | None) -> None:
        self.base = base
        self.game: Game | None = None
        self.read = 0
        self._code = ""
        self._made: dict[str, int] = {}
        self._latest: list[tuple[Event, ...]] = []
        self._news: list[Happening] = []
        self._at = EARLIEST

    def begin(self, board: Board, row: RoomRow) -> None:
        """Deal, or take up what older rules have left.

        Raises:
            DamagedRowError: those have left something else.
        """
        assert row.seed is not None
        self._code = row.code
        self._at = row.started_at or EARLIEST
        if self.base is not None:
            try:
                self.game = resumed(board, row.seed, self.base)
            except (ArithmeticError, LookupError, TypeError, ValueError) as error:
                raise DamagedRowError(
                    "room", row.code, f"its position can't be taken up ({type(error).__name__})"
                ) from error
            return
        self.game, events = deal_with_events(board, len(row.seats), row.seed)
        self._happen(self.game.version, events)

    def after(self, seat: Seat, act: Act) -> tuple[Game, tuple[Event, ...]]:
        """The position after an action, and what happened. In the first choice of tickets the version is not asked.

        Raises:
            RefusedError: there is no game yet, it has moved on, or its rules refuse the action.
        """
        if self.game is None:
            raise not_started()
        if act.version != self.game.version and self.game.phase is not Phase.FIRST_TICKETS:
            raise RefusedError(Code.STALE_VERSION, "The game has moved on; look again before you act.")
        try:
            return play(self.game, seat, act.action)
        except IllegalActionError as error:
            reason = error.reason
            raise RefusedError(Code(error.code), str(error), reason=reason.name, facts=reason.facts) from error

    def move(self, number: int, seat: Seat, act: Act, now: datetime) -> MoveRow:
        """A move to be stored. Its time is not before the last one's, though the clock may have been set back."""
        return MoveRow(number, seat, dump_action(act.action), act.id, max(now, self._at))

    def replay(self, moves: Iterable[MoveRow]) -> None:
        """Play moves that were stored, on one table: nobody asks for the positions between.

        Raises:
            DamagedRowError: one is missing, or can't have been played by these rules; those before it were.
        """
        assert self.game is not None
        events: list[Event] = []
        table = Table(self.game, events.append)
        try:
            for move in moves:
                if move.number != self.read + 1:
                    raise self._damaged(f"move {move.number} follows move {self.read}")
                if self.base is None or move.number > self.base.version:
                    play_on(table, Seat(move.seat), parse_action(move.action))
                    self._happen(table.version, events)
                    events.clear()
                self._note(move)
        except (IllegalActionError, WireError) as error:
            raise self._damaged(f"move {self.read + 1} can't have been played: {error}") from error
        finally:
            self.game = table.frozen()

    def _damaged(self, problem: str) -> DamagedRowError:
        return DamagedRowError("room", self._code, problem)

    def advance(self, move: MoveRow, game: Game, events: Iterable[Event]) -> None:
        """A move was stored, and led to this."""
        self.game = game
        self._note(move)
        self._happen(game.version, events)

    def _note(self, move: MoveRow) -> None:
        self.read = move.number
        self._made[f"{move.seat} {move.action_id}"] = move.number
        self._at = move.at

    def made(self, seat: int, action_id: str) -> int | None:
        """The number of the move that a seat's action made, if it made one."""
        return self._made.get(f"{seat} {action_id}")

    def news(self) -> list[Happening]:
        """What has happened since the last time this was asked."""
        news, self._news = self._news, []
        return news

    @property
    def history(self) -> list[Happening]:
        """What happened lately. Each move makes a version, so only the events have to be kept."""
        last = self.game.version if self.game else 0
        return list(enumerate(self._latest, last + 1 - len(self._latest)))

    def _happen(self, version: int, events: Iterable[Event]) -> None:
        happened = tuple(events)
        self._news.append((version, happened))
        self._latest = [*self._latest[1 - HISTORY :], happened]
