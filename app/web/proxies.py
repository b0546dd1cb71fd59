"""The trusted proxies, which may say for which client and scheme they ask."""

import asyncio
import socket

import structlog
from uvicorn.middleware.proxy_headers import _TrustedHosts

from app.origins import is_host_name

LOOK_UP_EVERY = 30.0
"""Seconds after which names are resolved again, because a new container may have another address."""

log = structlog.get_logger(__name__)


class UnknownProxyError(Exception):
    """A trusted proxy's name has no address. The message says which, and what to do."""


class TrustedProxies:
    """Addresses, networks, and names with their addresses. `*` means all."""

    def __init__(self, written: str) -> None:
        parts = written.split(",")
        self._fixed = tuple(part for part in parts if not is_host_name(part))
        self._named: dict[str, tuple[str, ...]] = {part: () for part in parts if is_host_name(part)}
        self.addresses = self._fixed
        """Replaced by another tuple when the addresses of a name change."""
        self._trusted = _TrustedHosts(list(self.addresses))

    def __contains__(self, address: object) -> bool:
        return isinstance(address, str) and address in self._trusted

    async def look_up(self) -> None:
        """Resolve all names.

        Raises:
            UnknownProxyError: a name has no address. What was known before stays.
        """
        for name, known in self._named.items():
            self._named[name] = found = await _addresses(name)
            if known and found != known:
                log.info("trusted_proxy_moved", proxy=name)
        self.addresses = (*self._fixed, *(address for found in self._named.values() for address in found))
        self._trusted = _TrustedHosts(list(self.addresses))

    async def keep_up(self) -> None:
        """Resolve the names again and again. A name that has no address for a while keeps its last one."""
        while self._named:
            await asyncio.sleep(LOOK_UP_EVERY)
            try:
                await self.look_up()
            except UnknownProxyError as error:
                log.warning("trusted_proxy_unknown", detail=str(error))


async def _addresses(name: str) -> tuple[str, ...]:
    try:
        found = await asyncio.get_running_loop().getaddrinfo(name, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UnknownProxyError(
            f"FOGLINE_TRUSTED_PROXIES names {name}, which has no address here: {reason}. "
            "Start the proxy first, or set its address or its network, such as 172.16.0.0/12."
        ) from None
    return tuple(sorted({str(place[0]) for *_, place in found}))
