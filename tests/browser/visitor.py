"""A person at a browser: a context of its own, in which every error of a script or the console is noted."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from playwright.async_api import Browser, ConsoleMessage, Page

DESKTOP = {"width": 1280, "height": 720}
PHONE = {"width": 360, "height": 640}

NETWORK = ("net::ERR_", "WebSocket connection to")
"""What Chromium says by itself when there is no network; no script can help it."""

READY = "#theme[aria-label]"
"""Stands on a page that is no table once its scripts have come; its controls do nothing before."""

DRAWN = """() => new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
})"""
"""A table draws what it was told with the next frame, and with the one after that what can wait."""

LOOK = """async () => {
    const { shown } = await import(`${document.body.dataset.base}static/js/table/press-guard.js`);
    for (const control of shown.values()) control.since = 0;
}"""
"""A control that has just changed plays nothing, since nobody could see it yet: a test looks quicker than people do."""

SETTLED = """version => document.readyState !== 'loading' && (!document.getElementById('trouble').hidden
    || (document.body.dataset.version !== version && !document.querySelector('[aria-busy="true"]')))"""

TURN = """() => {
    const { state } = document.body.dataset;
    if (state === 'over') return 'over';
    const mine = document.getElementById('banner').dataset.tone === 'you' && state === 'playing';
    return mine && !document.querySelector('[aria-busy="true"]') ? 'act' : null;
}"""

PATIENCE = 60_000
"""Milliseconds in which a page shows what it is waited for: a busy machine is no failure."""


class Visitor:
    def __init__(self, page: Page, address: str, name: str) -> None:
        self.page = page
        self.address = address
        self.name = name
        self.errors: list[str] = []
        self.network_may_fail = False
        page.on("pageerror", lambda error: self.errors.append(f"{name}: {error}"))
        page.on("console", self._note)
        page.set_default_timeout(PATIENCE)

    def _note(self, message: ConsoleMessage) -> None:
        expected = self.network_may_fail and any(sign in message.text for sign in NETWORK)
        if message.type in ("error", "warning") and not expected:
            self.errors.append(f"{self.name}: {message.text}")

    async def open_home(self) -> None:
        """Comes to the start page, which can be used then."""
        await self.page.goto(self.address)
        await self.page.wait_for_selector(READY)

    async def open_table(self, seats: int, *, keep: bool = False) -> str:
        """Makes a table on the start page, whose switches may be kept as they were set, and gives its link."""
        if not keep:
            await self.open_home()
        await self.page.fill("#name", self.name)
        await self.page.locator(f".seat-choice label:has(input[value='{seats}'])").click()
        await self.page.click("#create-go")
        await self.page.wait_for_selector("#seats > li")
        return self.page.url

    async def add_bots(self, *seats: int) -> None:
        """As the host, in the lobby."""
        for seat in seats:
            await self.page.click(f".seat[data-seat='{seat}'] .seat-bot")
            await self.page.wait_for_selector(f".seat[data-seat='{seat}'][data-kind=bot]")

    async def sit_down(self, link: str) -> None:
        """Comes by the link and takes a seat."""
        await self.page.goto(link)
        await self.page.fill("#sit-name", self.name)
        await self.page.click("#sit-down")
        await self.page.wait_for_selector("#leave:visible")

    async def drawn(self) -> None:
        """Waits until the page shows what it has been told so far: only then can be seen what did not happen."""
        await self.page.evaluate(DRAWN)

    async def next_turn(self) -> str:
        """Waits until there is something to do, or all is over."""
        found = await self.page.wait_for_function(TURN, polling=40, timeout=90_000)
        await self.look()
        return str(await found.json_value())

    async def look(self) -> None:
        """Sees all that the page shows now."""
        await self.drawn()
        await self.page.evaluate(LOOK)

    async def version(self) -> str:
        """Of all that the page was told so far."""
        await self.drawn()
        return str(await self.page.evaluate("document.body.dataset.version"))

    async def has_stayed_at(self, version: str) -> bool:
        """Whether nothing was played since the table had this version, and nothing is on its way."""
        return (await self.version(), await self.page.locator("[aria-busy=true]").count()) == (version, 0)

    async def settle(self, action: Awaitable[Any]) -> None:
        """Does something that is a move, and waits for the table after it."""
        before = await self.version()
        await self.look()
        await action
        await self.drawn()
        await self.page.wait_for_function(SETTLED, arg=before, polling=20)
        assert not await self.page.locator("#trouble").is_visible(), await self.page.inner_text("#trouble")

    async def phase(self) -> str:
        return str(await self.page.evaluate("document.body.dataset.phase"))

    async def close(self) -> None:
        with suppress(Exception):
            await self.page.context.close()


Enter = Callable[..., Awaitable[Visitor]]


async def enter(browser: Browser, address: str, name: str, **context: Any) -> Visitor:
    opened = await browser.new_context(**{"viewport": DESKTOP, "reduced_motion": "reduce", **context})
    return Visitor(await opened.new_page(), address, name)
