"""The course of a game, as far as it was read: the position, who made which move, and what happened lately."""

from collections import deque
from collections.abc import Iterable
from datetime import UTC, datetime

from app.rules import Board, Event, Game, Seat, Snapshot, deal_with_events, play, resumed
from app.store import MoveRow, RoomRow
from app.wire import Act, dump_action, parse_action

HISTORY = 120
"""Events of the past that a listener is told on connecting, for its log."""

EARLIEST = datetime.min.replace(tzinfo=UTC)

Happening = tuple[int, Event]
"""An event and the version of the game it led to."""


class Course:
    """`game` is None before the start.

    `read` is the number of the last move that was read. The moves up to `base` were played by older rules.
    """

    def __init__(self, base: Snapshot | None) -> None:
        self.base = base
        self.game: Game | None = None
        self.read = 0
        self._made: dict[str, int] = {}
        self.history: deque[Happening] = deque(maxlen=HISTORY)
        self._news: list[Happening] = []
        self._at = EARLIEST

    def begin(self, board: Board, row: RoomRow) -> None:
        """Deal, or take up what older rules have left."""
        assert row.seed is not None
        self._at = row.started_at or EARLIEST
        if self.base is not None:
            self.game = resumed(board, row.seed, self.base)
            return
        self.game, events = deal_with_events(board, len(row.seats), row.seed)
        self._happen(events)

    def move(self, number: int, seat: Seat, act: Act, now: datetime) -> MoveRow:
        """A move to be stored. Its time is not before the last one's, though the clock may have been set back."""
        return MoveRow(number, seat, dump_action(act.action), act.id, max(now, self._at))

    def replay(self, move: MoveRow) -> None:
        """Play a move that was stored.

        Raises:
            IllegalActionError: by these rules it can't have been played.
        """
        assert self.game is not None
        if self.base is not None and move.number <= self.base.version:
            self._note(move)
        else:
            self.advance(move, *play(self.game, Seat(move.seat), parse_action(move.action)))

    def advance(self, move: MoveRow, game: Game, events: Iterable[Event]) -> None:
        """A move was stored, and led to this."""
        self.game = game
        self._note(move)
        self._happen(events)

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

    def _happen(self, events: Iterable[Event]) -> None:
        assert self.game is not None
        happened = [(self.game.version, event) for event in events]
        self._news += happened
        self.history += happened
