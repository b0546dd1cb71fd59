"""Requests that never end, and answers that nobody reads."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from httpx import AsyncClient

from app.server import http as http_protocol
from harness.callers import PATIENCE, serving, settings_in


@pytest.fixture
async def hasty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[AsyncClient]:
    """A client of a site that waits for nobody."""
    monkeypatch.setattr(http_protocol, "TIMEOUT", 0.2)
    monkeypatch.setattr(http_protocol, "TAKEN_IN", 0.2)
    async with serving(settings_in(tmp_path)) as opened:
        yield opened


async def line_to(server: AsyncClient) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A line of one's own."""
    return await asyncio.open_connection(server.base_url.host, server.base_url.port)


async def until_cut(reader: asyncio.StreamReader) -> bytes:
    """All that comes until the server cuts the line."""
    text = b""
    try:
        async with asyncio.timeout(PATIENCE):
            while part := await reader.read(65536):
                text += part
    except ConnectionResetError:
        pass
    return text


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\r\n",
        b"G",
        b"GET / HTTP/1.1\r\nHost: fogline.test\r\n",
        b"POST /api/v1/players HTTP/1.1\r\nHost: fogline.test\r\nContent-Length: 99\r\n\r\n{",
        pytest.param(b"GET /healthz HTTP/1.1\r\nHost: fogline.test\r\n\r\nGET /hea", marks=pytest.mark.slow),
    ],
)
async def test_who_never_comes_to_an_end_is_cut_off(hasty: AsyncClient, sent: bytes) -> None:
    reader, writer = await line_to(hasty)
    writer.write(sent)
    answered = await until_cut(reader)
    assert answered.count(b"HTTP/1.1 ") == sent.count(b"\r\n\r\nG")
    writer.close()


@pytest.mark.parametrize("part", [b"X-A: " + b"a" * 1000 + b"\r\n", b"a" * 1000], ids=["lines", "one line"])
async def test_an_endless_head_is_not_taken(server: AsyncClient, part: bytes) -> None:
    _, writer = await line_to(server)
    writer.write(b"GET / HTTP/1.1\r\nX-B: b")
    with pytest.raises(ConnectionError):  # noqa: PT012 - one of the many writes
        for _ in range(10_000):
            writer.write(part * 10)
            await writer.drain()
    writer.transport.abort()
    assert (await server.get("/healthz")).status_code == 200


async def test_an_endless_end_of_a_body_is_not_taken(server: AsyncClient) -> None:
    """After a body in chunks there may be headers once more."""
    _, writer = await line_to(server)
    writer.write(b"POST /api/v1/players HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n0\r\n")
    with pytest.raises(ConnectionError):  # noqa: PT012 - one of the many writes
        for _ in range(10_000):
            writer.write((b"X-A: " + b"a" * 1000 + b"\r\n") * 10)
            await writer.drain()
    writer.transport.abort()


async def test_a_head_as_long_as_any_browser_makes_it_is_taken(server: AsyncClient) -> None:
    assert (await server.get("/healthz", headers={"Cookie": "a=" + "b" * 32_000})).status_code == 200


async def test_a_body_of_more_than_a_head_may_have_is_told_that_it_is_too_large(server: AsyncClient) -> None:
    answer = await server.post("/api/v1/players", content=b"x" * 10 * http_protocol.MOST_HEAD)
    assert answer.json()["code"] == "too_large"


async def test_who_takes_no_answer_is_cut_off(hasty: AsyncClient) -> None:
    """More is asked for at once than the system keeps."""
    _, writer = await line_to(hasty)
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    writer.write(b"GET /static/css/page.css HTTP/1.1\r\nHost: fogline.test\r\n\r\n" * 1000)
    with pytest.raises(ConnectionError):  # noqa: PT012 - one of the many writes
        async with asyncio.timeout(PATIENCE):
            while True:
                writer.write(b"\r\n" * 1000)
                await writer.drain()
                await asyncio.sleep(0.05)
    writer.transport.abort()
