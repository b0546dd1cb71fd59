"""Who follows a room, here and at other processes, and what each of them sees."""

import asyncio
from collections.abc import Collection, Iterable
from dataclasses import dataclass

import orjson

from app.news import MOST_NAMED, Followers, Named, News, parse_followers
from app.rules import Viewer, seen_by
from app.wire import Kept, RoomView, Views, compact, dump, dump_event

from .context import Context
from .describe import describe
from .lobby import is_barred, may_watch, need_sight, need_welcome, seat_of
from .outbox import Outbox, Update
from .replica import Happening, Replica

DELAY = 0.1
"""Seconds in which people who come and go are gathered into one message."""

NOBODY: Followers = (), 0, ()


@dataclass(eq=False, slots=True)
class Listener:
    """A socket that follows a room, for a player with a name or for a stranger.

    `viewer` is the player's seat, which may change until the game starts. `caller` is the player, or the guardian.
    """

    player: str | None
    viewer: Viewer
    outbox: Outbox
    name: str = ""
    caller: str | None = None
    shown: bytes = b""

    def show(self, update: Update) -> None:
        """Put a state into the outbox."""
        self.shown = update.room
        self.outbox.show(update)


class Audience:
    """The listeners of a room. Showing them something never waits for any of them."""

    def __init__(self, context: Context, replica: Replica) -> None:
        self.listeners: set[Listener] = set()
        self._context = context
        self._replica = replica
        self._row = replica.row
        self._described: bytes | None = None
        self._kept: Kept = {}
        self._elsewhere: dict[str, Followers] = {}
        self._told = NOBODY
        self._timer: asyncio.TimerHandle | None = None

    def join(self, player: str | None, name: str, caller: str | None) -> Listener:
        """Add a listener for a player, or for a stranger. Its outbox gets the whole room at once.

        Raises:
            RefusedError: the player is barred, or the game has no spectators.
        """
        row = self._replica.row
        listener = Listener(player, seat_of(row, player), Outbox(), name, caller or player)
        need_welcome(row, player)
        need_sight(row, listener.viewer)
        self.listeners.add(listener)
        self._someone_moved()
        self.show([listener], self._replica.history)
        return listener

    def leave(self, listener: Listener) -> None:
        """Remove this listener, but no other of its player."""
        self.listeners.discard(listener)
        self._someone_moved()

    def send_away(self, reason: str) -> None:
        """Close all listeners."""
        for listener in self.listeners:
            listener.outbox.close(reason)

    def close(self) -> None:
        """Stop showing who comes and goes."""
        if self._timer is not None:
            self._timer.cancel()

    # --- what is shown -----------------------------------------------------------------------------------------

    @property
    def described(self) -> bytes:
        """The public part of the room as JSON."""
        if self._described is None or self._row is not self._replica.row:
            self._described = compact(dump(self.describe()))
        return self._described

    def describe(self) -> RoomView:
        """The public part of the room."""
        return describe(self._replica.row, self._viewers(), self._watchers())

    def views(self) -> Views | None:
        """Everybody's views; None before the start. Made anew each time: kept, they would be most of a room."""
        game = self._replica.shown
        return None if game is None else Views(game, self._kept)

    def update(self) -> bool:
        """Show everybody what has changed since the last call. Returns whether a listener got another seat."""
        news, row = self._replica.news(), self._replica.row
        if row is self._row:
            if news:
                self.show(self.listeners, news)
            return False
        has_moved = self._take_seats()
        self.show(self.listeners, news)
        return has_moved

    def show(self, listeners: Collection[Listener], news: Iterable[Happening] = ()) -> None:
        """Show the current state with the events that led to it, encoded once for all who see the same."""
        if not listeners:
            return
        room, views = self.described, self.views()
        # what a stranger may see in full, everybody may
        texts = [
            (version, event, dump_event(event, version) if seen_by(event, None) is event else None)
            for version, events in news
            for event in events
        ]
        updates: dict[Viewer, Update] = {}
        for listener in listeners:
            viewer = listener.viewer
            if viewer not in updates:
                events = tuple([text or dump_event(seen_by(event, viewer), version) for version, event, text in texts])
                updates[viewer] = Update(room, viewer, views.of(viewer) if views else b"null", events)
            listener.show(updates[viewer])

    def _take_seats(self) -> bool:
        """Give listeners the seats of their players in a new row, and close those who may no longer follow."""
        row = self._row = self._replica.row
        self._described = None
        has_moved = False
        for listener in self.listeners:
            viewer = seat_of(row, listener.player)
            has_moved = has_moved or viewer != listener.viewer
            listener.viewer = viewer
            if is_barred(row, listener.player):
                listener.outbox.close("you are barred from this table")
            elif listener.caller != listener.player and viewer is None:
                listener.outbox.close("this seat was freed")
            elif not may_watch(row, viewer):
                listener.outbox.close("this game has no spectators")
        if self.listeners:
            self._plan()
        return has_moved

    # --- here and elsewhere ------------------------------------------------------------------------------------

    def hear(self, text: str) -> None:
        """Take over another process's message about who follows there."""
        found = parse_followers(text)
        if found is not None and found[0] != self._context.process:
            self._elsewhere[found[0]] = found[1]
            self._someone_moved()

    def lose(self, process: str) -> None:
        """Forget the followers at a process that is gone."""
        if self._elsewhere.pop(process, NOBODY) != NOBODY:
            self._someone_moved()

    def tell_again(self) -> None:
        """Tell the other processes who follows here, even if it has not changed, since one of them may not know."""
        self._told = NOBODY
        self._plan()

    def _someone_moved(self) -> None:
        self._described = None
        self._plan()

    def _plan(self) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(DELAY, self._show_presence)

    def _show_presence(self) -> None:
        self._timer = None
        self._tell()
        described = self.described
        self.show([listener for listener in self.listeners if listener.shown != described])

    def _tell(self) -> None:
        """Tell the other processes who follows here, if that has changed."""
        now = _followers(self.listeners)
        if now != self._told:
            self._told = now
            text = f"{self._context.process} {orjson.dumps(now).decode()}"
            self._context.bus.publish(self._replica.code, News.HERE, text)

    def _viewers(self) -> list[Viewer]:
        """The seat, or None, of each follower at all processes."""
        everywhere = [listener.viewer for listener in self.listeners]
        for players, others, _named in self._elsewhere.values():
            everywhere += [seat_of(self._replica.row, player) for player in players]
            everywhere += [None] * others
        return everywhere

    def _watchers(self) -> list[Named]:
        """The spectators with a name at all processes, each once, by name."""
        everywhere = [named(self.listeners), *(named for _players, _others, named in self._elsewhere.values())]
        found = {each for some in everywhere for each in some if seat_of(self._replica.row, each[0]) is None}
        return sorted(found, key=lambda each: (each[1].casefold(), each[0]))[:MOST_NAMED]


def _followers(listeners: Collection[Listener]) -> Followers:
    """Who follows, as other processes get it: by player, since seats may change."""
    seated = {each.player for each in listeners if each.viewer is not None and each.player is not None}
    return tuple(sorted(seated)), sum(each.viewer is None for each in listeners), named(listeners)


def named(listeners: Collection[Listener]) -> tuple[Named, ...]:
    """The spectators who have a name, each once."""
    found = {(each.player, each.name) for each in listeners if each.viewer is None and each.player is not None}
    return tuple(sorted(found))[:MOST_NAMED]
