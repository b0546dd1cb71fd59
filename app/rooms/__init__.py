"""Rooms: who sits where, who listens, and the one game between them."""

from . import lobby
from .boards import Boards, BoardText
from .bots import Bots, Mind
from .codes import parse_code
from .confusables import fold
from .door import Door
from .errors import Code, RefusedError, damaged_data, unavailable
from .glance import Glance, glance
from .listeners import Listener
from .outbox import OutboxClosedError
from .room import Room
from .rooms import Rooms
from .tasks import Tasks, repeat
from .turnstile import Turnstile

__all__ = [
    "BoardText",
    "Boards",
    "Bots",
    "Code",
    "Door",
    "Glance",
    "Listener",
    "Mind",
    "OutboxClosedError",
    "RefusedError",
    "Room",
    "Rooms",
    "Tasks",
    "Turnstile",
    "damaged_data",
    "fold",
    "glance",
    "lobby",
    "parse_code",
    "repeat",
    "unavailable",
]
