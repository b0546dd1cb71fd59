"""Chromium, the real server, and people who come to it."""

import shutil
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from playwright.async_api import Browser, async_playwright

from tests.browser.server import FoglineServer
from tests.browser.visitor import Enter, Visitor, enter

QUIET = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
    "--disable-gpu",
]


@pytest.fixture(scope="module")
def server() -> Iterator[FoglineServer]:
    running = FoglineServer()
    yield running
    running.close()


@pytest.fixture
def own_server() -> Iterator[FoglineServer]:
    """A server that the test may kill."""
    running = FoglineServer()
    yield running
    running.close()


@pytest.fixture(scope="module")
async def chromium() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=QUIET)
        yield browser
        await browser.close()


@pytest.fixture
async def come(chromium: Browser, server: FoglineServer) -> AsyncIterator[Enter]:
    """Brings a new person to the server. Afterwards nobody may have met an error of a script."""
    visitors: list[Visitor] = []

    async def bring(name: str, *, address: str = server.address, **context: Any) -> Visitor:
        visitors.append(await enter(chromium, address, name, **context))
        return visitors[-1]

    yield bring
    for visitor in visitors:
        await visitor.close()
    assert [error for visitor in visitors for error in visitor.errors] == []
