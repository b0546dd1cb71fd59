"""What is shown of a room at one moment: to each viewer what it may see, all of it encoded once."""

from collections.abc import Callable, Iterable

from app.rules import Event, Viewer, seen_by
from app.wire import Views, dump_event

from .course import Happening
from .outbox import Update

Told = Callable[[Viewer], bytes]


class Showing:
    """Makes the update of each viewer when it is first asked for. Before the start there are no views."""

    def __init__(self, room: bytes, views: Views | None, news: Iterable[Happening]) -> None:
        self._room = room
        self._views = views
        self._news = [_telling(version, event) for version, events in news for event in events]
        self._made: dict[Viewer, Update] = {}

    def update(self, viewer: Viewer) -> Update:
        """What a viewer is shown."""
        if viewer not in self._made:
            events = tuple([tell(viewer) for tell in self._news])
            view = self._views.of(viewer) if self._views else b"null"
            self._made[viewer] = Update(self._room, viewer, view, events)
        return self._made[viewer]


def _telling(version: int, event: Event) -> Told:
    """An event for any viewer. What a stranger may know whole, all may."""
    seen = seen_by(event, None)
    if seen is event:
        text = dump_event(event, version)
        return lambda _viewer: text
    return lambda viewer: dump_event(seen_by(event, viewer), version)
