"""Plays a game with bots in Chromium and takes the pictures of the documents: `.venv/bin/python -m tools.pictures`."""

import asyncio
import base64
import shutil
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.async_api import Page, ViewportSize, async_playwright

from app.config import Settings
from app.main import server_of

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
DESKTOP = ViewportSize(width=1280, height=720)
PHONE = ViewportSize(width=390, height=640)
QUALITY = 0.85
LONG = 3
"""Spaces of a route that is worth its cards."""

ROUTES, CARDS = 12, 5
"""Routes claimed, and cards in the hand, when the pictures of the game are taken."""

CALL = """async ([method, path, body]) => {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(`/api/v1/${path}`, { method, headers, body: body && JSON.stringify(body) });
    return answer.json();
}"""

TO_WEBP = """async ([png, quality]) => {
    const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    canvas.getContext('2d').drawImage(picture, 0, 0);
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/webp', quality })).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}"""

Json = dict[str, Any]
Way = tuple[str, Json]
"""A route, and how it may be claimed."""


@asynccontextmanager
async def served(folder: Path) -> AsyncGenerator[str]:
    """The site on a free port; its address."""
    server = server_of(Settings(port=0, data_dir=folder, bot_pace=0, rate_limits="off"))
    running = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110  uvicorn has no event for it
        await asyncio.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        await running


@dataclass(frozen=True)
class Player:
    """Somebody at a table, whose page is open, and who saves up for long routes."""

    page: Page
    darkroom: Page
    code: str

    async def call(self, method: str, path: str, body: Json | None = None) -> Any:
        """A call below the room's address."""
        return await self.page.evaluate(CALL, [method, f"rooms/{self.code}/{path}", body])

    async def play(self, until: Callable[[Json], bool]) -> None:
        """Play until a view is as wanted, or to the end of the game."""
        view: Json = await self.call("GET", "view")
        while not (is_over(view) or until(view)):
            if view["seat"] in view["to_act"]:
                await self.call("POST", "act", act(view))
            else:
                await asyncio.sleep(0.02)
            view = await self.call("GET", "view")

    async def take(self, name: str, size: ViewportSize, scheme: Any = "light") -> None:
        """Take a picture of the page."""
        await self.page.set_viewport_size(size)
        await self.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        await self.page.mouse.move(0, 0)
        await asyncio.sleep(0.5)
        await self.page.wait_for_function("() => !document.querySelector('.flying')")
        png = base64.b64encode(await self.page.screenshot()).decode()
        webp = await self.darkroom.evaluate(TO_WEBP, [png, QUALITY])
        (FOLDER / f"{name}.webp").write_bytes(base64.b64decode(webp))


def is_picturesque(view: Json) -> bool:
    """Whether it is this player's turn, with something on the board and in the hand."""
    mine = view["phase"] == "turn" and view["to_act"] == [view["seat"]]
    return mine and len(view["owners"]) >= ROUTES and sum(view["hand"].values()) >= CARDS


def is_over(view: Json) -> bool:
    """Whether the game is over."""
    return bool(view["phase"] == "over")


def act(view: Json) -> Json:
    """The body of a call that does what this player wants."""
    return {"id": f"v{view['version']}", "version": view["version"], "action": choice(view)}


def choice(view: Json) -> Json:
    """A legal action: a long route where there is one, else cards of the color held most."""
    legal = view["legal"]
    if legal["keep"]:
        return {"type": "keep_tickets", "tickets": legal["keep"]["from"]}
    if legal["place"]:
        symbols, locations = legal["place"]["symbols"], legal["place"]["locations"]
        return {"type": "place_token", "symbol": symbols[0], "location": locations[-1]}
    slots = sorted(legal["draw"]["slots"], key=lambda slot: view["hand"].get(view["market"][slot], 0))
    may_draw = slots or legal["draw"]["deck"]
    if legal["claims"] and (length(longest(legal["claims"])) >= LONG or not may_draw):
        return claim(longest(legal["claims"]))
    if may_draw:
        return {"type": "draw_card", "slot": slots[-1] if slots else None}
    return {"type": "draw_tickets"} if legal["draw_tickets"] else {"type": "pass"}


def longest(claims: Json) -> Way:
    """The longest route that may be claimed."""
    return max(claims.items(), key=length)


def length(way: Way) -> int:
    """How many cards a route takes."""
    return sum(way[1]["payments"][0].values())


def claim(way: Way) -> Json:
    """The claim with the fewest ferries."""
    route, ways = way
    token = ways["tokens"][0] if ways["tokens"] else None
    return {"type": "claim_route", "route": route, "payment": ways["payments"][0], "token": token}


async def sit_down(page: Page, darkroom: Page, address: str) -> Player:
    """A table with three bots."""
    await page.goto(address)
    await page.wait_for_selector("#theme[aria-label]")  # there once the scripts have come
    await page.fill("#name", "Emma")
    await page.click("#create-go")
    await page.wait_for_selector("#seats > li")
    player = Player(page, darkroom, page.url.rpartition("/")[2])
    for _ in range(3):
        await player.call("POST", "bots", {"level": "easy"})
    await player.call("POST", "start")
    return player


async def take_pictures(address: str) -> None:
    """Play a game and take all pictures."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"))
        page = await browser.new_page(viewport=DESKTOP)
        player = await sit_down(page, await browser.new_page(), address)
        await player.play(is_picturesque)
        await player.take("table", DESKTOP)
        await player.take("night", DESKTOP, "dark")
        await player.take("phone", PHONE)
        await player.play(is_over)
        await player.take("score", DESKTOP)
        await browser.close()


async def main() -> None:
    """Everything, on a database that is thrown away."""
    with TemporaryDirectory() as folder:
        async with served(Path(folder)) as address:
            await take_pictures(address)


if __name__ == "__main__":
    asyncio.run(main())
