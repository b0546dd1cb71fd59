"""The sockets that the server listens on."""

import errno
import socket
from contextlib import ExitStack

ALL, ALL_OF_IPV4 = "::", "0.0.0.0"  # noqa: S104 - FOGLINE_HOST asks for it

NOT_HERE = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)


class ListenError(Exception):
    """The server can't listen; the text says why, and names the settings."""


def listen_at(host: str, port: int, setting: str = "FOGLINE_PORT") -> list[socket.socket]:
    """A bound socket for each address of a host; `::` means all addresses of both families.

    Each family has its own socket: on a common one IPv4 clients would have mapped addresses, which proxies and limits
    don't know.

    Raises:
        ListenError: an address is unknown or taken.
    """
    try:
        return bind_all((host, ALL_OF_IPV4) if host == ALL else (host,), port)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ListenError(f"FOGLINE_HOST={host} with {setting}={port} can't be listened at: {reason}.") from error


def bind_all(hosts: tuple[str, ...], port: int) -> list[socket.socket]:
    """Bind all or none. Addresses of a family that this machine does not have are left out."""
    absent: OSError | None = None
    with ExitStack() as bound:
        sockets: list[socket.socket] = []
        for host in hosts:
            for family, kind, protocol, _, place in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
                try:
                    sockets.append(bound.enter_context(bind(family, kind, protocol, place)))
                except OSError as error:
                    if error.errno not in NOT_HERE:
                        raise
                    absent = error
        if absent and not sockets:
            raise absent
        bound.pop_all()
    return sockets


def bind(family: int, kind: int, protocol: int, place: tuple[object, ...]) -> socket.socket:
    with ExitStack() as opened:
        one = opened.enter_context(socket.socket(family, kind, protocol))
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        one.bind(place)
        opened.pop_all()
    return one
