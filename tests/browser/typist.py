"""A player who has keys and no pointer, and who notices where the focus goes and what is read out."""

from typing import Any

from tests.browser.visitor import Visitor

WATCH = """() => {
    window.lost = [];
    window.logged = [];
    window.announced = [];
    const name = (element) => element.id || element.className || element.tagName;
    let focused = null;
    const look = () => {
        const now = document.activeElement;
        if (now === document.body && focused) window.lost.push(`${name(focused)} ${document.body.dataset.phase}`);
        focused = now === document.body ? null : now;
        requestAnimationFrame(look);
    };
    const texts = (node) => node.nodeType === Node.TEXT_NODE ? [node.data.trim()] : [...node.childNodes].flatMap(texts);
    const follow = (selector, list, read) => {
        const note = (changes) => changes.forEach(({ addedNodes }) => {
            list.push(...[...addedNodes].filter((line) => line.className !== 'log-more').map(read));
        });
        new MutationObserver(note).observe(document.querySelector(selector), { childList: true });
    };
    document.addEventListener('DOMContentLoaded', () => {
        look();
        if (!document.getElementById('log')) return;
        follow('#log', window.logged, (line) => texts(line).filter((text) => /[^0-9]/.test(text)));
        follow('#live', window.announced, (line) => line.textContent.replace(/[\\u2068\\u2069]/g, ''));
    });
}"""

WAY = """selector => {
    const { activeElement: here, body } = document;
    if (here.matches(selector)) return 'here';
    const there = [...document.querySelectorAll(selector)].find((element) => element.checkVisibility());
    if (!there) return 'nowhere';
    return here !== body && there.compareDocumentPosition(here) & Node.DOCUMENT_POSITION_FOLLOWING ? 'back' : 'on';
}"""

OFFERED = """() => {
    const has = (selector) => document.querySelector(selector) !== null;
    const lengths = [...document.querySelectorAll('.route.claimable')].map((route) => Number(route.dataset.length));
    return {
        asking: document.body.dataset.asking ?? null,
        longest: Math.max(0, ...lengths),
        draw: has('#market .card:not(.ticket-pile, [aria-disabled])'),
        tickets: has('#draw-tickets:not([aria-disabled])'),
    };
}"""


class Typist:
    """Keeps all tickets, draws some once, claims what is long enough, and passes when nothing else is left."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.page = visitor.page
        self.done: list[str] = []

    async def reach(self, selector: str) -> None:
        """Goes to a control, by the Tab key in the direction where it stands."""
        for _ in range(60):
            way = await self.page.evaluate(WAY, selector)
            assert way != "nowhere", selector
            if way == "here":
                return
            await self.page.keyboard.press("Tab" if way == "on" else "Shift+Tab")
        raise AssertionError(f"{selector} is not reached from {await self.focused()}")

    async def press(self, selector: str, key: str = "Enter") -> None:
        await self.reach(selector)
        await self.page.keyboard.press(key)

    async def focused(self) -> str:
        return str(await self.page.evaluate("document.activeElement.id || document.activeElement.outerHTML"))

    async def noted(self, what: str) -> list[Any]:
        return list(await self.page.evaluate(f"window.{what}"))

    async def play(self) -> None:
        while await self.visitor.next_turn() != "over":
            await self.act()

    async def act(self) -> None:
        """One move of those the page offers."""
        kind = self._wish(await self.page.evaluate(OFFERED))
        await getattr(self, f"_{kind}")()
        self.done.append(kind)

    def _wish(self, offered: dict[str, Any]) -> str:
        if offered["asking"]:
            return str(offered["asking"])
        if offered["tickets"] and "claim" in self.done and "tickets" not in self.done:
            return "tickets"
        if offered["longest"] >= (3 if offered["draw"] else 1):
            return "claim"
        return next((kind for kind in ("draw", "tickets") if offered[kind]), "pass")

    async def _keep(self) -> None:
        for choice in range(1, 1 + await self.page.locator("#ask-choices button").count()):
            await self.press(f"#ask-choices li:nth-child({choice}) button", "Space")
        await self.visitor.settle(self.press("#ask-confirm"))

    async def _place(self) -> None:
        if await self.page.locator("#ask-choices button").count() > 1:
            await self.press("#ask-choices button", "Space")
        await self.reach(".location[tabindex='0']")
        await self.page.keyboard.press("PageDown")
        await self.visitor.settle(self.page.keyboard.press("Enter"))

    async def _claim(self) -> None:
        await self.reach(".route[tabindex='0']")
        while await self._is_shorter_than_another():
            await self.page.keyboard.press("PageDown")
        await self.page.keyboard.press("Enter")
        await self.page.wait_for_selector("#chooser:visible")
        assert await self.page.evaluate("document.activeElement.closest('#chooser') !== null")
        if await self.page.locator("#chooser-tokens .choice").count() > 1:
            await self.press("#chooser-tokens input", "Space")
        await self.visitor.settle(self.page.keyboard.press("Enter"))

    async def _is_shorter_than_another(self) -> bool:
        return bool(
            await self.page.evaluate("""() => {
                const lengths = [...document.querySelectorAll('.route.claimable')].map(({ dataset }) => dataset.length);
                const { activeElement: here } = document;
                return !here.matches('.claimable') || lengths.some((length) => length > here.dataset.length);
            }""")
        )

    async def _tickets(self) -> None:
        await self.press("#draw-tickets")
        await self.page.wait_for_selector("#ask:visible")
        await self.visitor.settle(self.press("#ask-confirm"))

    async def _draw(self) -> None:
        await self.visitor.settle(self.press("#market .card:not(.ticket-pile, [aria-disabled])"))

    async def _pass(self) -> None:
        await self.visitor.settle(self.press("#pass"))
