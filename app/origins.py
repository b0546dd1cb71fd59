"""Where a site is, as browsers name it: scheme, host and port. Read strictly, for requests and for settings."""

import re
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address
from typing import NamedTuple
from urllib.parse import urlsplit

DEFAULT_PORTS = {"http": 80, "https": 443}

MOST_BYTES = 255
"""The longest host with its port; a name alone has at most 253 bytes."""

_LABEL = re.compile(r"[a-z0-9_-]{1,63}")


class Origin(NamedTuple):
    """Scheme, host and port. The host is in small letters, and an IPv6 address without brackets."""

    scheme: str
    host: str
    port: int

    @property
    def netloc(self) -> str:
        """Host and port as they stand in an address."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    def __str__(self) -> str:
        return f"{self.scheme}://{self.netloc}"


def parse_origin(text: str) -> Origin:
    """An origin as browsers send it.

    Raises:
        ValueError: it is none, or has more than scheme, host and port.
    """
    scheme, _, authority = text.partition("://")
    if scheme.lower() not in DEFAULT_PORTS or authority.endswith(":"):
        raise ValueError("an origin is http or https, a host, and perhaps a port")
    return at_authority(scheme.lower(), authority)


@lru_cache(maxsize=256)
def at_authority(scheme: str, authority: str) -> Origin:
    """The origin of a `Host` header.

    Raises:
        ValueError: this is no host with or without a port.
    """
    if len(authority) > MOST_BYTES:
        raise ValueError(f"a host with its port has at most {MOST_BYTES} bytes")
    parts = urlsplit(f"//{authority}")
    _, bracket, behind = authority.rpartition("]")
    if parts.netloc != authority or "@" in authority or (bracket and behind and behind[0] != ":"):
        raise ValueError("there is nothing but a port behind a host")
    port = parts.port
    host = _parse_host(parts.hostname or "", is_bracketed=bool(bracket))
    return Origin(scheme, host, DEFAULT_PORTS[scheme] if port is None else port)


def is_host_name(text: str) -> bool:
    """Whether this may be the name of a host: labels with dots between. Names of containers may have a `_`."""
    labels = text.lower().removesuffix(".").split(".")
    return len(text) <= 254 and all(map(_LABEL.fullmatch, labels)) and not labels[-1].isdecimal()


def _parse_host(host: str, *, is_bracketed: bool) -> str:
    if "%" in host:
        raise ValueError("the zone of an address has a meaning on one machine only")
    if is_bracketed:
        return str(IPv6Address(host))
    return host if is_host_name(host) else str(IPv4Address(host))
