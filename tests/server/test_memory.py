"""A closed connection leaves nothing in memory that only the garbage collector would free, since it runs seldom."""

import asyncio
import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.server import WebSocketProtocol
from app.server.refusals import Handshake
from harness.callers import follow, hear, new_caller, serving, settings_in

SOCKETS = 10


@pytest.fixture
def no_collections() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def living(kind: type) -> int:
    return sum(type(each) is kind for each in gc.get_objects())


@pytest.mark.parametrize("ending", ["close", "abort"])
async def test_a_closed_socket_is_freed_without_a_collection(tmp_path: Path, no_collections: None, ending: str) -> None:
    async with serving(settings_in(tmp_path)) as client:
        caller = await new_caller(client)
        code = await caller.create()
        for _ in range(SOCKETS):
            async with follow(client, code, caller) as socket:
                await hear(socket)
                if ending == "abort":
                    socket.transport.abort()
        for _ in range(200):
            if not living(WebSocketProtocol) + living(Handshake):
                break
            await asyncio.sleep(0.05)
        assert (living(WebSocketProtocol), living(Handshake)) == (0, 0)
