"""The course of a game, as far as it was read: the position, who made which move, and what happened lately."""

from collections import deque
from collections.abc import Iterable

from app.rules import Board, Event, Game, Seat, deal_with_events, play
from app.store import MoveRow
from app.wire import parse_action

HISTORY = 120
"""Events of the past that a listener is told on connecting, for its log."""

Happening = tuple[int, Event]
"""An event and the version of the game it led to."""


class Course:
    """`game` is None before the start; `made` is the number of each move by its seat and its action's id."""

    def __init__(self) -> None:
        self.game: Game | None = None
        self.made: dict[tuple[int, str], int] = {}
        self.history: deque[Happening] = deque(maxlen=HISTORY)
        self._news: list[Happening] = []

    def begin(self, board: Board, seats: int, seed: bytes) -> None:
        """Deal."""
        self.game, events = deal_with_events(board, seats, seed)
        self._happen(events)

    def replay(self, move: MoveRow) -> None:
        """Play a move that was stored.

        Raises:
            IllegalActionError: by these rules it can't have been played.
        """
        assert self.game is not None
        self.advance(move, *play(self.game, Seat(move.seat), parse_action(move.action)))

    def advance(self, move: MoveRow, game: Game, events: Iterable[Event]) -> None:
        """A move was stored, and led to this."""
        self.game = game
        self.made[move.seat, move.action_id] = move.number
        self._happen(events)

    def news(self) -> list[Happening]:
        """What has happened since the last time this was asked."""
        news, self._news = self._news, []
        return news

    def _happen(self, events: Iterable[Event]) -> None:
        assert self.game is not None
        happened = [(self.game.version, event) for event in events]
        self._news += happened
        self.history += happened
