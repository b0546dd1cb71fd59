"""A person with an open page, for whom a program plays by calls."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Page

LONG = 3
"""Spaces of a route that is worth its cards."""

CALL = """async ([method, path, body]) => {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(`/api/v1/${path}`, { method, headers, body: body && JSON.stringify(body) });
    return answer.json();
}"""

Json = dict[str, Any]
Claim = tuple[str, Json]
"""A route, and how it may be claimed."""


@dataclass(frozen=True)
class PagePlayer:
    """A player who saves up for long routes."""

    page: Page
    code: str

    async def call(self, method: str, path: str, body: Json | None = None) -> Any:
        """A call below the room's address, sent by the page."""
        return await self.page.evaluate(CALL, [method, f"rooms/{self.code}/{path}", body])

    async def play(self, until: Callable[[Json], bool]) -> None:
        """Play until a view satisfies `until`, or to the end of the game."""
        view: Json = await self.call("GET", "view")
        while not (is_over(view) or until(view)):
            if view["seat"] in view["to_act"]:
                await self.call("POST", "act", act(view))
            else:
                await asyncio.sleep(0.02)
            view = await self.call("GET", "view")


def is_over(view: Json) -> bool:
    return bool(view["phase"] == "over")


def act(view: Json) -> Json:
    """The body of the call that makes this player's move."""
    return {"id": f"v{view['version']}", "version": view["version"], "action": choose(view)}


def choose(view: Json) -> Json:
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


def longest(claims: Json) -> Claim:
    return max(claims.items(), key=length)


def length(claim: Claim) -> int:
    """How many cards the route takes."""
    return sum(claim[1]["payments"][0].values())


def claim(chosen: Claim) -> Json:
    """The action that claims the route with the fewest ferries."""
    route, ways = chosen
    token = ways["tokens"][0] if ways["tokens"] else None
    return {"type": "claim_route", "route": route, "payment": ways["payments"][0], "token": token}


async def sit_down(page: Page, address: str) -> PagePlayer:
    """Open a table with three bots, and start."""
    await page.goto(address)
    await page.wait_for_selector("#theme[aria-label]")  # there once the scripts have come
    await page.fill("#name", "Emma")
    await page.click("#create-go")
    await page.wait_for_selector("#seats > li")
    player = PagePlayer(page, page.url.rpartition("/")[2])
    for _ in range(3):
        await player.call("POST", "bots", {"level": "easy"})
    await player.call("POST", "start")
    return player
