"""A player who knows the page only by its accessibility tree: the roles and names that a screen reader gets."""

import asyncio
import re
from dataclasses import dataclass
from typing import Any

from playwright.async_api import CDPSession

from tests.browser.visitor import Visitor

ROUTE = re.compile(r"(.+) to (.+), (\d+) .+, free, you can claim it")
MINE = {"Choose your tickets", "Place a tourist token", "Your turn", "Take a second card"}
PRESS = "function () { this.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true })); }"
IDLE = {"InlineTextBox", "StaticText", "generic", "none"}


@dataclass(frozen=True)
class Node:
    """A node of the tree with what is heard of it; `path` holds the names of what it stands in."""

    role: str
    name: str
    path: tuple[str, ...]
    states: frozenset[str]
    backend: int

    @property
    def is_open(self) -> bool:
        return "disabled" not in self.states


def read(nodes: list[dict[str, Any]]) -> list[Node]:
    """The tree in its order, without what is ignored."""
    known = {node["nodeId"]: node for node in nodes}
    heard: list[Node] = []

    def walk(node: dict[str, Any], path: tuple[str, ...]) -> None:
        name = node.get("name", {}).get("value", "").translate({0x2068: None, 0x2069: None})
        role = node.get("role", {}).get("value", "")
        if not node["ignored"]:
            heard.append(Node(role, name, path, states(node), node.get("backendDOMNodeId", 0)))
            path = (*path, name) if name and role not in IDLE else path
        for child in node.get("childIds", []):
            if child in known:
                walk(known[child], path)

    walk(nodes[0], ())
    return heard


def states(node: dict[str, Any]) -> frozenset[str]:
    told = node.get("properties", [])
    return frozenset(fact["name"] for fact in told if fact["value"].get("value") in (True, "true", 1))


class ScreenReaderPlayer:
    """Presses only what it has heard of, and asserts that each press is answered by something to be heard."""

    def __init__(self, visitor: Visitor, session: CDPSession) -> None:
        self.visitor = visitor
        self.session = session
        self.done: list[str] = []

    @classmethod
    async def beside(cls, visitor: Visitor) -> "ScreenReaderPlayer":
        session = await visitor.page.context.new_cdp_session(visitor.page)
        await session.send("Accessibility.enable")
        return cls(visitor, session)

    async def hear(self) -> list[Node]:
        answer = await self.session.send("Accessibility.getFullAXTree")
        return read(answer["nodes"])

    async def hear_of(self, role: str, name: str) -> Node:
        """Waits for a node whose whole name fits."""
        for _ in range(200):
            fitting = [node for node in await self.hear() if node.role == role and re.fullmatch(name, node.name)]
            if fitting:
                return fitting[0]
            await asyncio.sleep(0.05)
        raise AssertionError(f"no {role} is called {name}")

    async def press(self, node: Node) -> None:
        await self.visitor.look()
        found = await self.session.send("DOM.resolveNode", {"backendNodeId": node.backend})
        target = {"objectId": found["object"]["objectId"], "functionDeclaration": PRESS}
        await self.session.send("Runtime.callFunctionOn", target)
        await self.visitor.drawn()

    async def press_called(self, role: str, name: str) -> None:
        await self.press(await self.hear_of(role, name))

    async def type_into(self, name: str, text: str) -> None:
        field = await self.hear_of("textbox", name)
        await self.session.send("DOM.focus", {"backendNodeId": field.backend})
        await self.session.send("Input.insertText", {"text": text})

    async def play(self) -> None:
        """Until the score is told."""
        nodes = await self.hear()
        while not any(node.role == "heading" and node.name.casefold() == "final score" for node in nodes):
            nodes = await (self.act(nodes) if is_asked(nodes) else self._hear_other_than(nodes))

    async def act(self, nodes: list[Node] | None = None) -> list[Node]:
        """The next press: one that sends a move, or one on the way to it. Gives what is heard then."""
        nodes = nodes or await self.hear()
        kind, node = next((kind, node) for kind, node in wishes(nodes, self.done) if node)
        await self.press(node)
        self.done.append(kind)
        return await self._hear_other_than(nodes)

    async def _hear_other_than(self, before: list[Node]) -> list[Node]:
        for _ in range(200):
            nodes = await self.hear()
            if nodes != before and not any("busy" in node.states for node in nodes):
                return nodes
            await asyncio.sleep(0.02)
        raise AssertionError(f"nothing new is heard after {self.done[-3:]}")


def is_asked(nodes: list[Node]) -> bool:
    """Whether the banner says that it is this player's turn."""
    return any(node.role == "group" and node.name in MINE for node in nodes)


def wishes(nodes: list[Node], done: list[str]) -> list[tuple[str, Node | None]]:
    """What one would press, the dearest first; None where nothing of the kind is heard of."""
    buttons = [node for node in nodes if node.role == "button" and node.is_open]
    routes = sorted((node for node in buttons if ROUTE.fullmatch(node.name)), key=length, reverse=True)
    long = [node for node in routes if length(node) >= 2]
    return [
        ("mark", first(buttons, r"\d+ .*", "keep which", without="pressed")),
        ("keep", first(buttons, "Keep .*")),
        (
            "pick",
            None if is_marked(buttons, "place a stack") else first(buttons, ".*", "place a stack"),
        ),
        ("place", first(buttons, "Place the stack at .*")),
        ("claim", first(buttons, "Claim for .*")),
        ("token", first([node for node in nodes if node.role == "radio"], ".*", "tourist token", without="checked")),
        ("confirm", first(buttons, "Draw tickets")),
        ("tickets", None if "tickets" in done else first(buttons, "Destination tickets, .*")),
        ("route", next(iter(long), None)),
        ("draw", first(buttons, "Take .*|Deck, .*")),
        ("route", next(iter(routes), None)),
        ("tickets", first(buttons, "Destination tickets, .*")),
        ("pass", first(buttons, "Pass")),
    ]


def first(nodes: list[Node], name: str, inside: str = "", without: str = "-") -> Node | None:
    """The first of a name, in a part of the page if one is named, that is not in a state."""
    fitting = (node for node in nodes if re.fullmatch(name, node.name) and without not in node.states)
    return next((node for node in fitting if any(part.casefold().startswith(inside) for part in node.path)), None)


def is_marked(nodes: list[Node], inside: str) -> bool:
    return any(
        "pressed" in node.states for node in nodes if any(part.casefold().startswith(inside) for part in node.path)
    )


def length(route: Node) -> int:
    told = ROUTE.fullmatch(route.name)
    return int(told[3]) if told else 0
