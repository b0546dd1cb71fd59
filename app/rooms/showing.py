"""What is shown of a room at one moment: to each viewer what it may see, all of it encoded once."""

from collections.abc import Iterable

from app.rules import Event, Viewer, seen_by
from app.wire import Views, dump_event

from .course import Happening
from .outbox import Update

Told = tuple[int, Event, bytes | None]
"""A version of the game, an event that led to it, and its text if everybody may know it whole."""


class Showing:
    """Makes the update of each viewer when it is first asked for. Before the start there are no views."""

    def __init__(self, room: bytes, views: Views | None, news: Iterable[Happening]) -> None:
        self._room = room
        self._views = views
        self._news = [_told(version, event) for version, events in news for event in events]
        self._made: dict[Viewer, Update] = {}

    def update(self, viewer: Viewer) -> Update:
        """What a viewer is shown."""
        update = self._made.get(viewer)
        if update is None:
            view = self._views.of(viewer) if self._views else b"null"
            update = self._made[viewer] = Update(self._room, viewer, view, self._events(viewer))
        return update

    def _events(self, viewer: Viewer) -> tuple[bytes, ...]:
        return tuple([text or dump_event(seen_by(event, viewer), version) for version, event, text in self._news])


def _told(version: int, event: Event) -> Told:
    """What a stranger may know whole, all may: it is encoded once for them."""
    return version, event, dump_event(event, version) if seen_by(event, None) is event else None
