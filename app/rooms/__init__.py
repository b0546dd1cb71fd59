"""Rooms: seats, listeners, chat, and one game each."""

from . import lobby
from .audience import Listener
from .boards import Boards, BoardText
from .bots import Bots, Mind
from .codes import parse_code
from .confusables import fold
from .context import Context
from .errors import Code, ReasonName, RefusedError, damaged_data, unavailable
from .listing import Glance, open_tables, set_public, tables_of
from .outbox import OutboxClosedError
from .room import Room
from .rooms import Rooms
from .tasks import LoadLimit, Tasks, repeat
from .upkeep import Upkeep

__all__ = [
    "BoardText",
    "Boards",
    "Bots",
    "Code",
    "Context",
    "Glance",
    "Listener",
    "LoadLimit",
    "Mind",
    "OutboxClosedError",
    "ReasonName",
    "RefusedError",
    "Room",
    "Rooms",
    "Tasks",
    "Upkeep",
    "damaged_data",
    "fold",
    "lobby",
    "open_tables",
    "parse_code",
    "repeat",
    "set_public",
    "tables_of",
    "unavailable",
]
