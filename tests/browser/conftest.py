"""Chromium, the real server, and people who come to it."""

import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, async_playwright, expect

from tests.browser.server import FoglineServer
from tests.browser.visitor import PATIENCE, Enter, Visitor, enter

expect.set_options(timeout=PATIENCE)

QUIET = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
    "--disable-gpu",
]


BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first of these that is there; the shell works a third less for the same pages."""


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
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=QUIET)
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
