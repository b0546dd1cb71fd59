"""Long polling: the messages of a socket, for networks that let no WebSocket through, and for programs.

A session is a listener of the room like a socket: it counts as connected, has the same limits, and is closed for the
same reasons.
"""

import asyncio
import secrets
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from typing import Any

import orjson
from starlette.types import Receive

from app.rooms import Listener, OutboxClosedError, Room
from app.store import PlayerRow

from .socket_limits import SocketLimits

Connected = Callable[[Callable[[str], None]], AbstractContextManager[None]]
"""Registers a listener while it is there: how to close it when its device is signed out."""

WAIT = 25.0
"""Seconds after which a call is answered even if nothing has happened: proxies give up after 30 or more."""

LINGER = 10.0
"""Seconds for which a session, with its listener, waits for the next call."""


class PollingSession:
    """A listener, and the last answer, which is kept until the client confirms it."""

    def __init__(
        self, room: Room, listen: Callable[[], Listener], sockets: SocketLimits, address: str, connected: Connected
    ) -> None:
        self.id = secrets.token_urlsafe(16)
        self.room = room
        self.calls = 0
        self._news: asyncio.Future[None] | None = None
        self._number = 0
        self._last: list[bytes] = []
        with ExitStack() as stack:
            self._listener = listen()
            self.player = self._listener.player
            stack.callback(room.disconnect, self._listener)
            stack.enter_context(sockets.hold(self._listener, room.code, address))
            stack.enter_context(connected(self._listener.outbox.close))
            self.close = stack.pop_all().close

    def can_go_on(self, after: int) -> bool:
        """Whether a client that has the answers up to this number has missed none."""
        return after == self._number or (after == self._number - 1 and bool(self._last))

    async def fetch(self, after: int, receive: Receive) -> dict[str, Any]:
        """What has happened since an answer. Waits for it, at most for `WAIT` seconds or until the client hangs up.

        Only one call waits at a time, because a session could keep any number of connections open otherwise.

        Raises:
            OutboxClosedError: the listener has been closed.
        """
        if after == self._number and await self._wait(receive):
            self._take()
        messages = self._last if self._number > after else []
        return {"session": self.id, "after": self._number, "messages": messages, "closed": None}

    async def _wait(self, receive: Receive) -> bool:
        """Wait for news, and return whether no later call has replaced this one."""
        if self._news is not None:
            self._news.cancel()
        news = self._news = asyncio.ensure_future(self._listener.outbox.wait())
        end = asyncio.ensure_future(_end_of(receive))
        try:
            await asyncio.wait((news, end), timeout=WAIT, return_when=asyncio.FIRST_COMPLETED)
        finally:
            is_news = news.done() and not news.cancelled()
            news.cancel()
            end.cancel()
            await asyncio.gather(news, end, return_exceptions=True)
        if is_news:
            news.result()
        return news is self._news

    def _take(self) -> None:
        if messages := self._listener.outbox.take():
            self._number += 1
            self._last = messages


class PollingSessions:
    """The sessions by their secret ids."""

    def __init__(self) -> None:
        self._sessions: dict[str, PollingSession] = {}
        self._ends: dict[str, asyncio.TimerHandle] = {}

    def find(self, session_id: str, room: Room, player: PlayerRow | None, after: int) -> PollingSession | None:
        """The session that a caller can continue, or None."""
        session = self._sessions.get(session_id)
        if session is None or session.room is not room or not session.can_go_on(after):
            return None
        return session if session.player == (player.id if player else None) else None

    def open(
        self, room: Room, listen: Callable[[], Listener], sockets: SocketLimits, address: str, connected: Connected
    ) -> PollingSession:
        """Open a session, whose first answer is the whole room."""
        session = PollingSession(room, listen, sockets, address, connected)
        self._sessions[session.id] = session
        return session

    async def fetch(self, session: PollingSession, after: int, receive: Receive) -> bytes:
        """Answer a call, with JSON."""
        self._hold(session)
        try:
            answer = await session.fetch(after, receive)
        except OutboxClosedError as error:
            answer = {"session": session.id, "after": after, "messages": [], "closed": str(error)}
            self._end(session)
        finally:
            self._let_go(session)
        return orjson.dumps({**answer, "messages": [orjson.Fragment(message) for message in answer["messages"]]})

    def _hold(self, session: PollingSession) -> None:
        session.calls += 1
        if (end := self._ends.pop(session.id, None)) is not None:
            end.cancel()

    def _let_go(self, session: PollingSession) -> None:
        """If no other call waits, the session ends unless the next one comes soon."""
        session.calls -= 1
        if not session.calls and session.id in self._sessions:
            self._ends[session.id] = asyncio.get_running_loop().call_later(LINGER, self._end, session)

    def _end(self, session: PollingSession) -> None:
        self._ends.pop(session.id, None)
        if self._sessions.pop(session.id, None) is not None:
            session.close()


async def _end_of(receive: Receive) -> None:
    """Wait until the client hangs up or the server stops, after reading the rest of the request."""
    while (await receive()).get("more_body"):
        pass
    await receive()
