"""Rooms: who sits where, who listens, and the one game between them."""

from . import lobby
from .boards import Boards, BoardText
from .bots import Bots, Mind
from .codes import parse_code
from .errors import Code, RefusedError, unavailable
from .listeners import Listener
from .outbox import OutboxClosedError
from .room import Room
from .rooms import Rooms

__all__ = [
    "BoardText",
    "Boards",
    "Bots",
    "Code",
    "Listener",
    "Mind",
    "OutboxClosedError",
    "RefusedError",
    "Room",
    "Rooms",
    "lobby",
    "parse_code",
    "unavailable",
]
