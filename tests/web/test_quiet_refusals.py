"""A handshake that is refused, and a socket or a call that breaks the protocol, is nothing to log."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from httpx import AsyncClient
from uvicorn._types import ASGISendEvent
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.server import ServerState
from websockets.exceptions import InvalidStatus
from websockets.frames import Frame, Opcode

from app.main import server_of
from app.server import ServerConfig, WebSocketProtocol
from app.store import StoreUnavailableError, devices
from harness.callers import closed, follow, hear, seated, settings_in
from harness.queries import replace_query
from tests.web.test_sockets import never_reading


def complaints(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What was logged as an error."""
    return [record.message for record in caplog.records if record.levelname in ("ERROR", "CRITICAL")]


def masked(opcode: Opcode, data: bytes = b"", *, fin: bool = True) -> bytes:
    """A frame as a client sends it."""
    return Frame(opcode, data, fin).serialize(mask=True)


async def test_a_refused_socket_leaves_no_line_in_the_log(
    server: AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(InvalidStatus) as refused:
        await follow(server, "00000000")
    assert refused.value.response.status_code == 404
    assert [record.message for record in caplog.records if record.name.startswith("uvicorn")] == []


async def test_a_socket_that_comes_while_the_database_is_away_is_told_to_come_again(
    server: AsyncClient, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, [caller] = await seated(server, 1)

    async def away(*_: object) -> None:
        raise StoreUnavailableError("away")

    replace_query(monkeypatch, devices.find_token, away)
    with pytest.raises(InvalidStatus) as refused:
        await follow(server, code, replace(caller, token="not known yet"))
    assert refused.value.response.status_code == 503
    assert complaints(caplog) == []


async def test_a_text_that_is_none_ends_the_socket(server: AsyncClient, caplog: pytest.LogCaptureFixture) -> None:
    code, _ = await seated(server, 1)
    async with follow(server, code) as socket:
        await hear(socket)
        socket.transport.write(masked(Opcode.TEXT, b"\xff"))
        assert await closed(socket) == 1007
    assert complaints(caplog) == []


async def test_a_message_without_an_end_ends_the_socket(server: AsyncClient, caplog: pytest.LogCaptureFixture) -> None:
    code, _ = await seated(server, 1)
    async with follow(server, code) as socket:
        await hear(socket)
        parts = [masked(Opcode.TEXT, b"{", fin=False)] + [masked(Opcode.CONT, fin=False)] * 1000
        socket.transport.write(b"".join(parts))
        assert await closed(socket) == 1009
    assert complaints(caplog) == []


async def test_a_message_in_some_parts_is_read(server: AsyncClient) -> None:
    code, _ = await seated(server, 1)
    async with follow(server, code) as socket:
        await socket.send(['{"type"', ':"ping"', "}"])
        assert await hear(socket, "pong") == {"type": "pong"}


async def test_what_is_sent_just_after_the_other_side_broke_the_protocol_is_no_error_of_ours(tmp_path: Path) -> None:
    config = server_of(settings_in(tmp_path)).config
    assert isinstance(config, ServerConfig)
    protocol = WebSocketProtocol(config, ServerState(), {})
    protocol.handshake_complete = protocol.close_sent = True
    for message in ({"type": "websocket.send", "text": "late"}, {"type": "websocket.close"}):
        with pytest.raises(ClientDisconnected):
            await protocol.send(cast("ASGISendEvent", message))


async def test_BUG1413_one_who_only_pings_and_does_not_read_is_cut_off(
    server: AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    code, callers = await seated(server, 1)
    writer = await never_reading(server, code)
    while (await callers[0].get(code)).json()["spectators"] == 0:
        pass
    async with asyncio.timeout(60):
        while (await callers[0].get(code)).json()["spectators"] == 1:
            writer.write(masked(Opcode.PING, b"x" * 125) * 4000)
            await asyncio.sleep(0.05)
    writer.transport.abort()
    assert complaints(caplog) == []


async def test_a_call_that_breaks_off_is_no_error_of_ours(
    server: AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    _, writer = await asyncio.open_connection(server.base_url.host, server.base_url.port)
    writer.write(b'POST /api/v1/players HTTP/1.1\r\nHost: fogline.test\r\nContent-Length: 100\r\n\r\n{"na')
    while not calls_under_way():  # noqa: ASYNC110 - nobody says so
        await asyncio.sleep(0)
    writer.transport.abort()
    while calls_under_way():  # noqa: ASYNC110 - nobody says so
        await asyncio.sleep(0)
    assert complaints(caplog) == []


def calls_under_way() -> int:
    """How many calls the server, which runs in this loop, has not answered yet."""
    return sum("run_asgi" in repr(task.get_coro()) for task in asyncio.all_tasks())
