"""Limits of open sockets and of their messages, by seat and by address.

Players are limited by their seats, spectators by their addresses: so a school class behind one address can play.
"""

from collections import defaultdict
from collections.abc import Callable, Generator
from contextlib import contextmanager

from app.rooms import Listener

from .limits import Limits, Rate, RateLimitedError, shares_of

SEAT_MESSAGE = Rate(120, 30)
"""Messages on all sockets of one seat."""

SEATED_MESSAGE = Rate(2000, 500)
"""Messages from one address on all sockets with a seat: sixty players who send eight each second."""

UNSEATED_MESSAGE = Rate(300, 100)
"""Messages from one address on all sockets without a seat."""

STRANGERS_SOCKET = Rate(120, 2)
"""Sockets opened by strangers from one address, so that those closed for a flood can't reconnect at once."""

UNTIL_ONE_CLOSES = 30.0
"""Seconds after which another socket may be tried, if an address has as many as it may."""

TOO_MANY_TABS = "opened in too many tabs"


class SocketLimits:
    """The open sockets of each player in a room, and of each network."""

    def __init__(self, limits: Limits, per_seat: int, per_address: int) -> None:
        self._limits = limits
        self._per_seat = per_seat
        self._per_address = per_address
        self._open: defaultdict[str, list[Listener]] = defaultdict(list)

    @contextmanager
    def hold(self, listener: Listener, code: str, address: str) -> Generator[None]:
        """Count a socket while it is open. If a seat has too many, its oldest is closed.

        Raises:
            RateLimitedError: the address has as many spectators' sockets as it may.
        """
        if self._limits.is_on and listener.viewer is None and self._is_full(address):
            raise RateLimitedError(UNTIL_ONE_CLOSES)
        keys = [network for network, _ in shares_of(address)]
        if listener.player is not None:
            keys.append(seat_of(listener, code))
        for key in keys:
            self._open[key].append(listener)
        self._make_room(self._open.get(seat_of(listener, code), []))
        try:
            yield
        finally:
            for key in keys:
                self._open[key].remove(listener)
                if not self._open[key]:
                    del self._open[key]

    def may_send(self, listener: Listener, code: str, address: str) -> Callable[[], bool]:
        """A function that takes one frame from the budgets of a new socket, and returns whether it is allowed."""
        own = self._limits.for_socket()

        def spend() -> bool:
            if not own():
                return False
            try:
                if listener.viewer is None:
                    self._limits.spend(UNSEATED_MESSAGE, address)
                else:
                    self._limits.spend(SEAT_MESSAGE, seat_of(listener, code))
                    self._limits.spend(SEATED_MESSAGE, address)
            except RateLimitedError:
                return False
            return True

        return spend

    def _is_full(self, address: str) -> bool:
        return any(
            sum(other.viewer is None for other in self._open.get(network, ())) >= self._per_address * times
            for network, times in shares_of(address)
        )

    def _make_room(self, seat: list[Listener]) -> None:
        if not self._limits.is_on:
            return
        open_ones = [listener for listener in seat if not listener.outbox.is_closed]
        for oldest in open_ones[: max(0, len(open_ones) - self._per_seat)]:
            oldest.outbox.close(TOO_MANY_TABS)


def seat_of(listener: Listener, code: str) -> str:
    """A key for a player in a room, which is no address."""
    return f"{code}/{listener.player}"
