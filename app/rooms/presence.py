"""Who follows a room: at this process, and at the others as far as they tell."""

import asyncio
from collections.abc import Callable, Collection

import orjson

from app.news import MOST_NAMED, Followers, Named, News, parse_followers
from app.rules import Viewer
from app.store import RoomRow

from .ground import Ground
from .listeners import Listener
from .lobby import seat_of

DELAY = 0.1
"""Seconds in which comings and goings are gathered into one message."""

NOBODY: Followers = (), 0, ()


class Presence:
    """Of one room. `show` is called a moment after somebody has come or gone, here or elsewhere."""

    def __init__(self, ground: Ground, code: str, show: Callable[[], None]) -> None:
        self._ground = ground
        self._code = code
        self._show = show
        self._elsewhere: dict[str, Followers] = {}
        self._told = NOBODY
        self._timer: asyncio.TimerHandle | None = None

    def viewers(self, row: RoomRow, listeners: Collection[Listener]) -> list[Viewer]:
        """What each follower sees the room as, at all processes."""
        here = [listener.viewer for listener in listeners]
        for players, others, _named in self._elsewhere.values():
            here += [seat_of(row, player) for player in players]
            here += [None] * others
        return here

    def watchers(self, row: RoomRow, listeners: Collection[Listener]) -> list[Named]:
        """The spectators with a name at all processes, each once, in the order of their names."""
        everywhere = [named(listeners), *(named for _players, _others, named in self._elsewhere.values())]
        found = {each for some in everywhere for each in some if seat_of(row, each[0]) is None}
        return sorted(found, key=lambda each: (each[1].casefold(), each[0]))[:MOST_NAMED]

    def changed(self) -> None:
        """Somebody has come or gone."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(DELAY, self._due)

    def tell(self, listeners: Collection[Listener]) -> None:
        """Tell the other processes who follows here, if that is new to them."""
        now = followers(listeners)
        if now != self._told:
            self._told = now
            text = f"{self._ground.process} {orjson.dumps(now).decode()}"
            self._ground.bus.publish(self._code, News.HERE, text)

    def tell_again(self) -> None:
        """Somebody may not know who follows here."""
        self._told = NOBODY
        self.changed()

    def hear(self, text: str) -> bool:
        """Take over what a process tells of itself; whether that was another one."""
        found = parse_followers(text)
        if found is None or found[0] == self._ground.process:
            return False
        self._elsewhere[found[0]] = found[1]
        return True

    def forget(self, process: str) -> bool:
        """A process is gone; whether anybody followed there."""
        return self._elsewhere.pop(process, NOBODY) != NOBODY

    def close(self) -> None:
        """Show nothing any more."""
        if self._timer is not None:
            self._timer.cancel()

    def _due(self) -> None:
        self._timer = None
        self._show()


def followers(listeners: Collection[Listener]) -> Followers:
    """Who follows, as it is told to others: seats may change, so players stand for them."""
    seated = {each.player for each in listeners if each.viewer is not None and each.player is not None}
    return tuple(sorted(seated)), sum(each.viewer is None for each in listeners), named(listeners)


def named(listeners: Collection[Listener]) -> tuple[Named, ...]:
    """The spectators who have a name, each once."""
    found = {(each.player, each.name) for each in listeners if each.viewer is None and each.player is not None}
    return tuple(sorted(found))[:MOST_NAMED]
