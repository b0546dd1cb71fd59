"""The web application: pages, calls and sockets."""

from .address import Address
from .application import build
from .cookies import Cookies
from .devices import Devices
from .headers import security_headers
from .identity import Identities
from .limits import Limits, Rate, network_of
from .logs import set_up_logs
from .problems import refusal
from .proxies import TrustedProxies, UnknownProxyError
from .site import Site
from .socket_limits import SocketLimits

__all__ = [
    "Address",
    "Cookies",
    "Devices",
    "Identities",
    "Limits",
    "Rate",
    "Site",
    "SocketLimits",
    "TrustedProxies",
    "UnknownProxyError",
    "build",
    "network_of",
    "refusal",
    "security_headers",
    "set_up_logs",
]
