"""The web side: pages, calls and sockets."""

from .address import Address
from .application import build
from .identity import Identities
from .limits import Limits, Rate
from .logs import set_up_logs
from .site import Site

__all__ = [
    "Address",
    "Identities",
    "Limits",
    "Rate",
    "Site",
    "build",
    "set_up_logs",
]
