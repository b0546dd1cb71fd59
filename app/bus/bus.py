"""The interface of a bus, and the bus of a single process."""

from collections.abc import Callable
from typing import Protocol

import structlog

from app.news import News

EVERY_ROOM = ""
"""In place of a room's code: the message is for every process."""

log = structlog.get_logger(__name__)

Handler = Callable[[str, str, str], None]


class BusSetupError(Exception):
    """The bus's address can't be parsed; the text says what is allowed."""


class BusUnavailableError(Exception):
    """The bus does not answer."""


class Bus(Protocol):
    @property
    def is_away(self) -> bool:
        """Whether messages of other processes don't arrive at the moment."""
        ...

    def publish(self, code: str, news: str, text: str = "") -> None:
        """Send a message about room `code`. While the bus is away, the last one of each kind and room is kept."""
        ...

    def listen(self, handler: Handler) -> None:
        """Call `handler(code, news, text)` in the event loop for each message, this process's own included."""
        ...

    def follow(self, code: str) -> None:
        """Subscribe to a room. The handlers get MISSED once that has taken effect."""
        ...

    def leave(self, code: str) -> None:
        """Unsubscribe from a room."""
        ...

    async def ping(self) -> None:
        """Check that the bus answers.

        Raises:
            BusUnavailableError: it does not.
        """
        ...


class MemoryBus:
    """For a single process, which has no others to tell. Its handlers get the messages of all rooms."""

    is_away = False

    def __init__(self) -> None:
        self._handlers: list[Handler] = []

    def publish(self, code: str, news: str, text: str = "") -> None:
        notify(self._handlers, code, news, text)

    def listen(self, handler: Handler) -> None:
        self._handlers.append(handler)

    def follow(self, code: str) -> None:
        notify(self._handlers, code, News.MISSED, "")

    def leave(self, code: str) -> None:
        return

    async def ping(self) -> None:
        return


def notify(handlers: list[Handler], code: str, news: str, text: str) -> None:
    for handler in handlers:
        try:
            handler(code, news, text)
        except Exception:
            log.exception("news_not_taken", room=code, news=news)
