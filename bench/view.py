"""How soon a view is on the screen: from a message's arrival in the browser to the painted frame that shows it.

The real page of a player in Chromium, whose processor is slowed down four times, at a table of four on the board of San
Francisco. The four play by calls, from the time when somebody has half of the cable cars left until the end. A message
has arrived when the page's socket says so, and its frame is painted when the first task after the frame runs. Below
stands what the page's main thread takes of the slowed processor for a message, which is the same on a busy machine.

    ./run bench view [GAMES] [SLOWDOWN]
"""

import asyncio
import json
import secrets
import sys
import tempfile
import urllib.request
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from playwright.async_api import Browser, CDPSession, Page, async_playwright

from harness.browser import FLAGS, FoglineServer, find_chromium

WANTED = 50
"""Milliseconds."""

PAUSE = 0.4
"""Seconds between two moves, so that the page is idle before the next one."""

LATE = 10
"""Number of cable cars left late in the game."""

WORK = ("TaskDuration", "ScriptDuration", "RecalcStyleDuration", "LayoutDuration")

CLOCK = """() => {
    window.shown = [];
    const { port1, port2 } = new MessageChannel();
    const arrivals = [];
    port2.onmessage = () => {
        const arrival = arrivals.shift();
        window.shown.push(performance.now() - arrival);
    };
    window.WebSocket = class extends WebSocket {
        constructor(url) {
            super(url);
            this.addEventListener('message', ({ data }) => {
                if (!data.startsWith('{"type":"room"')) return;
                arrivals.push(performance.now());
                requestAnimationFrame(() => port1.postMessage(null));
            });
        }
    };
}"""

Json = dict[str, Any]


class Player:
    """A player who calls the server."""

    def __init__(self, address: str, name: str) -> None:
        self.address = address
        self.token = ""
        self.token = self.call("POST", "players", {"name": name})["token"]

    def call(self, method: str, path: str, body: Json | None = None) -> Json:
        headers = {"content-type": "application/json"} | (
            {"authorization": f"Bearer {self.token}"} if self.token else {}
        )
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.address}/api/v1/{path}", data, headers, method=method)
        with urllib.request.urlopen(request, timeout=10) as answer:
            told = answer.read()
        return dict(json.loads(told)) if told else {}

    def play(self, room: str) -> None:
        """Play a move if it is this player's turn."""
        seen = self.call("GET", f"{room}/view")
        if seen["seat"] in seen["to_act"]:
            self.call(
                "POST", f"{room}/act", {"id": secrets.token_hex(8), "version": seen["version"], "action": wish(seen)}
            )


def wish(seen: Json) -> Json:
    """The last route that can be claimed; some tickets; else cards."""
    legal = seen["legal"]
    if legal["keep"]:
        return {"type": "keep_tickets", "tickets": seen["offer"]}
    if legal["place"]:
        return {
            "type": "place_token",
            "symbol": legal["place"]["symbols"][0],
            "location": legal["place"]["locations"][0],
        }
    if legal["draw_tickets"] and len(seen["tickets"]) < 5 and seen["players"][seen["seat"]]["cars"] < 16:
        return {"type": "draw_tickets"}
    for route, claim in reversed(legal["claims"].items()):
        return {
            "type": "claim_route",
            "route": route,
            "payment": claim["payments"][0],
            "token": next(iter(claim["tokens"]), None),
        }
    if legal["draw"]["deck"]:
        return {"type": "draw_card", "slot": None}
    return {"type": "draw_card", "slot": legal["draw"]["slots"][0]} if legal["draw"]["slots"] else {"type": "pass"}


def open_late_table(address: str) -> tuple[list[Player], str]:
    """Four players who have played until late in the game, and their room."""
    players = [Player(address, name) for name in ("Ana", "Bo", "Cy", "Di")]
    room = f"rooms/{players[0].call('POST', 'rooms', {'seats': 4})['code']}"
    for player in players[1:]:
        player.call("POST", f"{room}/join", {})
    players[0].call("POST", f"{room}/start")
    while min(seat["cars"] for seat in players[0].call("GET", f"{room}/view")["players"]) > LATE:
        for player in players:
            player.play(room)
    return players, room


async def measure(browser: Browser, address: str, slowdown: float) -> tuple[list[float], Json]:
    """Milliseconds for each message until the end of a game, and what the main thread did meanwhile, in seconds."""
    players, room = await asyncio.to_thread(open_late_table, address)
    context = await browser.new_context(viewport={"width": 1280, "height": 720})
    await context.add_cookies([{"name": "fogline", "value": players[0].token, "url": address}])
    await context.add_init_script(f"({CLOCK})()")
    page = await context.new_page()
    await page.goto(f"{address}/t/{room.removeprefix('rooms/')}")
    await page.wait_for_selector("body[data-state=playing]")
    slow = await context.new_cdp_session(page)
    await slow.send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
    await slow.send("Performance.enable", {"timeDomain": "threadTicks"})
    before = await work(slow)
    await play_to_the_end(page, players, room)
    after = await work(slow)
    shown: list[float] = await page.evaluate("window.shown")
    await context.close()
    return shown, {kind: after[kind] - before[kind] for kind in WORK}


async def work(session: CDPSession) -> Json:
    told = await session.send("Performance.getMetrics")
    return {metric["name"]: metric["value"] for metric in told["metrics"]}


async def play_to_the_end(page: Page, players: list[Player], room: str) -> None:
    while players[0].call("GET", f"{room}/view")["phase"] != "over":
        for player in players:
            await asyncio.to_thread(player.play, room)
            await page.wait_for_timeout(PAUSE * 1000)


async def run(games: int, slowdown: float) -> list[tuple[list[float], Json]]:
    with tempfile.TemporaryDirectory() as folder:
        server = FoglineServer(Path(folder) / "data")
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
            measured = [await measure(browser, server.address, slowdown) for _ in range(games)]
            await browser.close()
        server.stop()
    return measured


def main(games: str = "2", slowdown: str = "4") -> None:
    """Measure, and print the figures."""
    measured = asyncio.run(run(int(games), float(slowdown)))
    times = [time for shown, _ in measured for time in shown]
    late = quantiles(times, n=20)[-1]
    print(f"{len(times)} messages, processor {slowdown} times slower, milliseconds to the frame (wanted: {WANTED})")
    print(f"median {median(times):.1f}   19 of 20 within {late:.1f}   worst {max(times):.1f}")
    for kind in WORK:
        each = 1000 * sum(done[kind] for _, done in measured) / len(times)
        print(f"{kind:<20}{each:6.1f} for a message")


if __name__ == "__main__":
    main(*sys.argv[1:])
