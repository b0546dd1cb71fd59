"""The web side: pages, calls and sockets."""

from .address import Address
from .application import build
from .identity import Identities
from .limits import Limits
from .listening import ListenError, listen_at
from .logs import set_up_logs
from .protocol import FirmProtocol
from .requests import FirmRequests
from .site import Site

__all__ = [
    "Address",
    "FirmProtocol",
    "FirmRequests",
    "Identities",
    "Limits",
    "ListenError",
    "Site",
    "build",
    "listen_at",
    "set_up_logs",
]
