"""A network that lets no WebSocket through: the page says so and goes on by calls that wait, and comes back."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeVar
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Browser

from harness.browser import FoglineServer
from harness.tcp_proxy import pump
from tests.browser.api_moves import begin_with_bot, open_talk
from tests.browser.clicker import Clicker
from tests.browser.visitor import Enter, enter

SESSION = re.compile(rb"session=([\w-]+)")
REFUSAL = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Filter:
    """A proxy as in schools and offices: it refuses whatever asks for an upgrade."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self.target = str(parts.hostname), int(parts.port or 80)
        self.blocks = True
        self.refused = 0
        self._open = asyncio.Event()
        self._open.set()

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.read(65536)
        if self.blocks and b"upgrade: websocket" in head.lower():
            self.refused += 1
            writer.write(REFUSAL)
            writer.close()
            return
        try:
            from_server, to_server = await asyncio.open_connection(*self.target)
        except OSError:
            writer.close()
            return
        to_server.write(self.changed(head))
        await asyncio.gather(self.pump_requests(reader, to_server), pump(from_server, writer, self._open))

    def changed(self, request: bytes) -> bytes:
        return request

    async def pump_requests(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await pump(reader, writer, self._open)


class Balancer(Filter):
    """As if each call came to another process: none knows the session that it names."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.calls: list[float] = []

    def changed(self, request: bytes) -> bytes:
        if SESSION.search(request):
            self.calls.append(asyncio.get_running_loop().time())
        return SESSION.sub(lambda found: b"session=" + b"x" * len(found[1]), request)

    async def pump_requests(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            writer.write(self.changed(data))
        writer.close()


Proxy = TypeVar("Proxy", bound=Filter)


@asynccontextmanager
async def filtered(address: str) -> AsyncIterator[tuple[Filter, str]]:
    """A filter before the server of an address, and the address to use instead."""
    async with before(Filter(address)) as found:
        yield found


@asynccontextmanager
async def before(blocking: Proxy) -> AsyncIterator[tuple[Proxy, str]]:
    listener = await asyncio.start_server(blocking.carry, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    try:
        yield blocking, f"http://127.0.0.1:{port}"
    finally:
        listener.close()


@pytest.mark.slow
async def test_a_whole_game_without_a_socket_against_one_with(come: Enter, server: FoglineServer) -> None:
    async with filtered(server.address) as (blocking, address):
        ana, ben = await come("Ana", address=address), await come("Ben")
        ana.network_may_fail = True
        link = await ana.open_table(2)
        await ben.sit_down(link.replace(address, server.address))
        await ana.page.wait_for_selector(".seat[data-seat='1'][data-kind=human]")
        await ana.page.click("#start")
        await asyncio.gather(Clicker(ana, 1).play(), Clicker(ben, 2).play())
        assert await ana.page.get_attribute("body", "data-connection") == "polling"
        assert await ben.page.get_attribute("body", "data-connection") == "live"
        results = [await person.page.inner_text("#scores") for person in (ana, ben)]
        assert results[0] == results[1]
        assert blocking.refused >= 2
        await ana.close()


async def test_the_page_names_the_cause_talks_and_is_present(come: Enter, server: FoglineServer) -> None:
    async with filtered(server.address) as (_, address):
        ana, ben = await come("Ana", address=address), await come("Ben")
        ana.network_may_fail = True
        link = await ana.open_table(2)
        await ana.page.wait_for_selector("body[data-connection=polling]")
        assert "WebSocket" in await ana.page.inner_text("#connection")
        await ben.sit_down(link.replace(address, server.address))
        assert "away" not in await ben.page.inner_text(".seat[data-seat='0'] .presence")
        await open_talk(ana)
        await ana.page.locator(".phrase").first.click()
        await ben.page.wait_for_selector("#talk .lines li")
        await ana.page.wait_for_selector("#talk .lines li")
        await ana.close()
        await ben.page.wait_for_selector(".seat[data-seat='0'] .presence:text('away')")


async def test_the_page_goes_back_to_a_socket_when_one_works(come: Enter, server: FoglineServer) -> None:
    async with filtered(server.address) as (blocking, address):
        ana = await come("Ana", address=address)
        ana.network_may_fail = True
        await begin_with_bot(ana)
        await ana.page.wait_for_selector("body[data-connection=polling]")
        blocking.blocks = False
        await ana.page.wait_for_selector("body[data-connection=live]")
        await ana.settle(ana.page.click("#deck"))
        await ana.close()


@pytest.mark.slow
async def test_a_server_that_is_killed_is_found_again_without_a_socket(
    chromium: Browser, own_server: FoglineServer
) -> None:
    async with filtered(own_server.address) as (_, address):
        ana = await enter(chromium, address, "Ana")
        await begin_with_bot(ana)
        await ana.page.wait_for_selector("body[data-connection=polling]")
        before = int(await ana.version())
        own_server.kill()
        await ana.page.click("#deck")
        await ana.page.wait_for_selector("body[data-connection=lost]")
        own_server.start()
        await ana.page.wait_for_selector("body[data-connection=polling]", timeout=60_000)
        await ana.page.wait_for_function("before => Number(document.body.dataset.version) > before", arg=before)
        await ana.page.wait_for_selector("[aria-busy=true]", state="detached")
        await ana.close()


@pytest.mark.slow
async def test_calls_that_each_reach_another_process_slow_down_and_go_on(come: Enter, server: FoglineServer) -> None:
    async with before(Balancer(server.address)) as (balancer, address):
        ana = await come("Ana", address=address)
        ana.network_may_fail = True
        await begin_with_bot(ana)
        await ana.page.wait_for_selector("body[data-connection=polling]")
        async with asyncio.timeout(60):
            while len(balancer.calls) < 7:  # noqa: ASYNC110 - nobody says so
                await asyncio.sleep(0.1)
        *_, last_but_one, last = balancer.calls
        assert last - last_but_one > 3.5, "it asks less and less often"
        assert await ana.page.get_attribute("body", "data-connection") == "polling", "and does not start over"
        await ana.settle(ana.page.click("#deck"))
        await ana.close()
