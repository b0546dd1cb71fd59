"""Games that are played by calls for people who sit at browsers: quicker than clicking."""

import asyncio
import json
from collections.abc import Callable

from httpx import AsyncClient
from playwright.async_api import WebSocketRoute

from harness.callers import Json, first_legal
from harness.page_player import PagePlayer, is_over
from tests.browser.clicker import Clicker
from tests.browser.visitor import Visitor


async def play_to_the_end(people: list[Visitor]) -> None:
    """All the first legal thing, turn by turn, with the cookies of the browsers; then the pages show the result."""
    await play_while(people, lambda view: bool(view["to_act"]))
    for person in people:
        await person.page.wait_for_selector("#panel-scores:not([hidden]) .result")


async def play_to_the_last_turns(people: list[Visitor]) -> None:
    """As to the end; the pages are left meanwhile, and show the last turns."""
    link = people[0].page.url
    await asyncio.gather(*(person.page.goto("about:blank") for person in people))
    await play_while(people, lambda view: view["last_turns"] is None, link)
    await asyncio.gather(*(person.page.goto(link) for person in people))


async def play_unseen(player: PagePlayer) -> None:
    """To the end, with the page of rules open; then the table is."""
    link = player.page.url
    await player.page.goto(link.replace(f"/t/{player.code}", "/rules"))
    await player.play(is_over)
    await player.page.goto(link)


async def play_while(people: list[Visitor], goes_on: Callable[[Json], bool], link: str = "") -> None:
    """The game at the table with this link, or else of the first page."""
    code = (link or people[0].page.url).rpartition("/")[2]
    async with AsyncClient(base_url=f"{people[0].address}/api/v1/rooms/{code}", timeout=20) as client:
        tokens = [await token_of(person) for person in people]
        view = await view_of(client, tokens[0])
        while goes_on(view):
            seat = view["to_act"][0]
            view = await view_of(client, tokens[seat])
            act = {"id": f"v{view['version']}-{seat}", "version": view["version"], "action": first_legal(view)}
            (await client.post("/act", json=act, headers=headers_of(tokens[seat]))).raise_for_status()
            view = await view_of(client, tokens[seat])


async def token_of(person: Visitor) -> str:
    """By which the server knows this browser."""
    [cookie] = [each for each in await person.page.context.cookies() if each.get("httpOnly")]
    return str(cookie.get("value"))


def headers_of(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def view_of(client: AsyncClient, token: str) -> Json:
    view: Json = (await client.get("/view", headers=headers_of(token))).json()
    return view


async def begin_with_bot(person: Visitor) -> Clicker:
    """A game against one bot, up to the first own turn, which the page shows then."""
    await call(person, "players", name=person.name)
    code = (await call(person, "rooms", seats=2))["code"]
    await call(person, f"rooms/{code}/bots", level="easy")
    await call(person, f"rooms/{code}/start")
    async with AsyncClient(base_url=f"{person.address}/api/v1/rooms/{code}", timeout=20) as client:
        token = await token_of(person)
        while (view := await view_of(client, token))["phase"] != "turn" or view["seat"] not in view["to_act"]:
            if view["seat"] in view["to_act"]:
                act = {"id": f"v{view['version']}", "version": view["version"], "action": first_legal(view)}
                (await client.post("/act", json=act, headers=headers_of(token))).raise_for_status()
            await asyncio.sleep(0)
    await person.page.goto(f"{person.address}/t/{code}")
    await person.next_turn()
    return Clicker(person, 1)


def retold(change: Callable[[Json], None]) -> Callable[[WebSocketRoute], None]:
    """For a page's socket: what the server tells of the room, with a change made to it on the way."""

    def follow(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def answer(message: str | bytes) -> None:
            told = json.loads(message)
            if told["type"] == "room":
                change(told)
            route.send(json.dumps(told))

        server.on_message(answer)

    return follow


async def call(person: Visitor, path: str, **body: object) -> Json:
    """As the page of this browser would call; the answer's cookies are the browser's."""
    request = person.page.request
    answer = await request.post(f"{person.address}/api/v1/{path}", data=body, headers={"Origin": person.address})
    assert answer.ok, await answer.text()
    told: Json = await answer.json()
    return told


async def open_talk(person: Visitor) -> None:
    """Goes to what the players say, with the phrases open that one may pick."""
    page = person.page
    if await page.locator(".tab[data-tab=log]").is_visible():
        await page.click(".tab[data-tab=log]")
    await page.click(".side-tab[data-side=players]")
    await page.wait_for_selector(".say-open:visible")
    if await page.get_attribute(".say-open", "aria-expanded") == "false":
        await page.click(".say-open")
    await page.wait_for_selector(".phrase:visible")


async def close_talk(person: Visitor) -> None:
    """Back to log and hand."""
    page = person.page
    if await page.get_attribute(".say-open", "aria-expanded") == "true":
        await page.click(".say-open")
    await page.click(".side-tab[data-side=log]")
    if await page.locator(".tab[data-tab=hand]").is_visible():
        await page.click(".tab[data-tab=hand]")
