"""What the handlers need, made once when the server starts."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from starlette.requests import HTTPConnection

from app.bus import Bus
from app.rooms import Context, Rooms, Upkeep
from app.store import Store

from .address import Address
from .devices import Devices
from .identity import Identities
from .limits import Limits
from .polling import PollingSessions
from .proxies import TrustedProxies
from .socket_limits import SocketLimits

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Site:
    address: Address
    proxies: TrustedProxies
    store: Store
    bus: Bus
    context: Context
    rooms: Rooms
    upkeep: Upkeep
    identities: Identities
    devices: Devices
    limits: Limits
    sockets: SocketLimits
    polling: PollingSessions = field(default_factory=PollingSessions)
    drawings: dict[str, tuple[str, str]] = field(default_factory=dict)


def site_of(connection: HTTPConnection) -> Site:
    return cast("Site", connection.app.state.site)
