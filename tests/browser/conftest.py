"""Chromium, the real server, and people who come to it."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, async_playwright, expect

from harness.browser import FLAGS, FoglineServer, find_chromium
from tests.browser.visitor import PATIENCE, Enter, Visitor, enter

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FoglineServer]:
    running = FoglineServer(tmp_path_factory.mktemp("server") / "data")
    yield running
    running.stop()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[FoglineServer]:
    """A server that the test may kill."""
    running = FoglineServer(tmp_path / "data")
    yield running
    running.stop()


@pytest.fixture(scope="package")
async def chromium() -> AsyncIterator[Browser]:
    """Whose contexts are as good as browsers of their own."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
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
