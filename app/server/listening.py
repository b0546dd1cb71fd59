"""The sockets at which the server is found."""

import errno
import socket
from contextlib import ExitStack

ALL, ALL_OF_IPV4 = "::", "0.0.0.0"  # noqa: S104 - who wants all addresses says so in FOGLINE_HOST

NOT_HERE = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)


class ListenError(Exception):
    """There is nothing to listen at; the text says why, and which settings say where that would be."""


def listen_at(host: str, port: int, setting: str = "FOGLINE_PORT") -> list[socket.socket]:
    """A bound socket for each address of a host; `::` is all addresses of both families.

    Each family has a socket of its own: on a common one callers over IPv4 would have other addresses than those by
    which proxies and limits know them.

    Raises:
        ListenError: an address is unknown or taken.
    """
    try:
        return bind_all((host, ALL_OF_IPV4) if host == ALL else (host,), port)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ListenError(f"FOGLINE_HOST={host} with {setting}={port} can't be listened at: {reason}.") from error


def bind_all(hosts: tuple[str, ...], port: int) -> list[socket.socket]:
    """All or none, but for what is not here: a name may have addresses of a family that is switched off."""
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
