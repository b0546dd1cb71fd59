"""Joins the parts: settings, store, bus, bots and rooms behind the web application. No logic."""

import asyncio
import contextlib
import gc
import resource
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import cache

import structlog
import uvicorn
from fastapi import FastAPI

from app.bots.pool import ThinkerPool
from app.bus import BusSetupError, open_bus
from app.config import Settings, SettingsError, read_settings, unknown_names
from app.rooms import Boards, Bots, Context, Rooms, Upkeep
from app.server import Connections, FileBudget, ListenError, ServerConfig, listen_at
from app.store import StoreError, hold_instance_lock, open_store, report_torn_log
from app.store.devices import find_installation
from app.web import (
    Address,
    Cookies,
    Devices,
    Identities,
    Limits,
    Rate,
    Site,
    SocketLimits,
    TrustedProxies,
    UnknownProxyError,
    build,
    network_of,
    refusal,
    security_headers,
    set_up_logs,
)
from app.wire import MOST_BYTES

log = structlog.get_logger(__name__)


def now() -> datetime:
    """The server's clock."""
    return datetime.now(UTC)


@cache
def proxies_of(written: str) -> TrustedProxies:
    """One list for the server, which counts connections, and for the application."""
    return TrustedProxies(written)


def create_app(settings: Settings) -> FastAPI:
    """The application. It opens database, bus and rooms when it starts."""
    return build(settings.base_path, lambda: open_site(settings), settings.metrics_port)


@asynccontextmanager
async def open_site(settings: Settings) -> AsyncGenerator[Site]:
    """Open everything the application needs, and close it in reverse order."""
    async with (
        hold_instance_lock(settings.database, shared=settings.shared),
        open_store(settings.database) as store,
        open_bus(settings.bus_url) as bus,
        ThinkerPool() as thinkers,
    ):
        bots = Bots(thinkers, settings.bot_pace)
        boards = Boards(settings.boards_dir, store)
        context = Context(store, bus, now, shared=settings.shared)
        rooms = Rooms(context, boards, bots)
        upkeep = Upkeep(context, rooms, settings.room_days)
        address = Address(settings.base_path, settings.public_origin, settings.allowed_origins)
        proxies = proxies_of(settings.trusted_proxies)
        await proxies.look_up()
        limits = Limits(
            on=settings.rate_limits == "on",
            new_players=Rate.parse(settings.new_players),
            new_rooms=Rate.parse(settings.new_rooms),
        )
        sockets = SocketLimits(limits, settings.sockets_per_seat, settings.sockets_per_address)
        installation = await store.read(find_installation)
        identities = Identities(store, bus, Cookies.of(installation, address), installation, now)
        devices = Devices(store, bus, identities, now, settings.player_days)
        site = Site(address, proxies, store, bus, context, rooms, upkeep, identities, devices, limits, sockets)
        sweep = asyncio.gather(upkeep.tend(), devices.tend(), proxies.keep_up())
        try:
            yield site
        finally:
            sweep.cancel()
            await asyncio.gather(sweep, return_exceptions=True)  # even if it failed, close the rest in order
            await upkeep.close()
            await devices.close()
            await bots.close()
            await rooms.close()
    log.info("stopped")


def allow_many_sockets() -> None:
    """Raise the limit of open files to the maximum: each socket is one, and the usual limit is 1024."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError):  # some systems report no maximum but have one
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def serve() -> None:
    """Serve until told to stop. What prevents the start is said in a sentence."""
    allow_many_sockets()
    try:
        settings = read_settings()
        set_up_logs(settings.log)
        for name in unknown_names():
            log.warning("setting_unknown", name=name)
        asyncio.run(try_out(settings))
        sockets = listen_at(settings.host, settings.port)
        if settings.metrics_port is not None:
            sockets += listen_at(settings.host, settings.metrics_port, "FOGLINE_METRICS_PORT")
    except (SettingsError, StoreError, BusSetupError, ListenError, UnknownProxyError) as error:
        sys.exit(str(error))
    server = server_of(settings)
    spare_collections()
    log.info("serving", at=settings.served_at)
    server.run(sockets)


def spare_collections() -> None:
    """Collect garbage less often: a full collection goes through all rooms, and stops the server meanwhile.

    Objects that exist by now are never looked at again.
    """
    gc.freeze()
    gc.set_threshold(10_000, 10, 100)


async def try_out(settings: Settings) -> None:
    """Look up the proxies, and open database and bus once, since uvicorn would log their errors as tracebacks."""
    await proxies_of(settings.trusted_proxies).look_up()
    async with (
        hold_instance_lock(settings.database, shared=settings.shared),
        open_store(settings.database) as store,
        open_bus(settings.bus_url),
    ):
        await store.read(find_installation)
        report_torn_log(settings.database)


def server_of(settings: Settings) -> uvicorn.Server:
    """The server with the application, and with the limits of connections."""
    most = settings.connections_per_address if settings.rate_limits == "on" else None
    connections = Connections(network_of, proxies_of(settings.trusted_proxies), most, FileBudget.of_process())
    return uvicorn.Server(
        ServerConfig(
            create_app(settings),
            connections,
            refusal,
            headers=security_headers(settings.hsts_seconds),
            most_bytes=MOST_BYTES,
        )
    )
