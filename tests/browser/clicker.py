"""A player who plays by clicking what the page offers, and knows nothing but the page."""

import random
from typing import Any

from tests.browser.visitor import Visitor

OFFERED = """() => {
    const open = (selector) => [...document.querySelectorAll(selector)]
        .filter((element) => element.getAttribute('aria-disabled') !== 'true')
        .map((element) => element.id);
    const routes = [...document.querySelectorAll('.route.claimable')];
    routes.sort((one, other) => other.dataset.length - one.dataset.length);
    return {
        asking: document.body.dataset.asking ?? null,
        routes: routes.map((route) => ({ id: route.id, length: Number(route.dataset.length) })),
        cards: open('#market .card:not(.ticket-pile)'),
        tickets: open('#draw-tickets').length > 0,
        pass: !document.getElementById('pass').hidden,
        locations: [...document.querySelectorAll('.location.placeable')].map((location) => location.id),
    };
}"""


class Clicker:
    """Saves up for long routes, draws tickets once, and takes what is left when nothing else can be done."""

    def __init__(self, visitor: Visitor, seed: int) -> None:
        self.visitor = visitor
        self.page = visitor.page
        self.rng = random.Random(seed)
        self.wants_tickets = seed % 2 == 0
        self.done: list[str] = []

    async def play(self) -> None:
        while await self.visitor.next_turn() != "over":
            await self.act()

    async def act(self) -> None:
        """One move of those the page offers."""
        offered = await self.page.evaluate(OFFERED)
        match self._wish(offered):
            case "place":
                await self._place(offered["locations"])
            case "keep":
                await self._keep()
            case "tickets":
                await self._draw_tickets()
            case "claim":
                await self._claim(offered["routes"][0]["id"])
            case "draw":
                await self._move("draw", f"#{self.rng.choice(offered['cards'])}")
            case "pass":
                await self._move("pass", "#pass")

    def _wish(self, offered: dict[str, Any]) -> str:
        if offered["asking"]:
            return str(offered["asking"])
        if offered["tickets"] and self.wants_tickets and "claim" in self.done:
            return "tickets"
        if offered["routes"] and self._is_worth(offered["routes"][0]["length"]):
            return "claim"
        possible = {"draw": offered["cards"], "claim": offered["routes"], "tickets": offered["tickets"], "pass": True}
        return next(kind for kind, open_now in possible.items() if open_now)

    def _is_worth(self, length: int) -> bool:
        return length >= 3 or (length == 2 and self.rng.random() < 0.4)

    async def _keep(self) -> None:
        for choice in await self.page.locator("#ask-choices button").all():
            await choice.click()
        await self._move("keep", "#ask-confirm")

    async def _place(self, locations: list[str]) -> None:
        choices = self.page.locator("#ask-choices button[aria-pressed='false']")
        if await choices.count() > 1:
            await choices.first.click()
        await self._move("place", f"#{self.rng.choice(locations)} .hit")

    async def _claim(self, route: str) -> None:
        await self.page.locator(f"#{route} .space").first.click()
        await self.page.wait_for_selector("#chooser:visible")
        tokens = self.page.locator("#chooser-tokens .choice")
        if await tokens.count() > 1:
            await tokens.first.click()
        await self._move("claim", "#chooser-claim")

    async def _draw_tickets(self) -> None:
        self.wants_tickets = False
        await self.page.click("#draw-tickets")
        await self._move("tickets", "#ask-confirm")

    async def _move(self, kind: str, control: str) -> None:
        await self.visitor.settle(self.page.click(control))
        self.done.append(kind)
