"""Games that are played by calls for people who sit at browsers: quicker than clicking."""

from httpx import AsyncClient

from tests.browser.visitor import Visitor
from tests.web.callers import Json, first_legal


async def play_to_the_end(people: list[Visitor]) -> None:
    """Both the first legal thing, turn by turn, with the cookies of the browsers; then the pages show the result."""
    code = people[0].page.url.rpartition("/")[2]
    async with AsyncClient(base_url=f"{people[0].address}/api/v1/rooms/{code}", timeout=20) as client:
        tokens = [await token_of(person) for person in people]
        seat, view = 0, await view_of(client, tokens[0])
        while view["to_act"]:
            seat = view["to_act"][0]
            view = await view_of(client, tokens[seat])
            act = {"id": f"v{view['version']}-{seat}", "version": view["version"], "action": first_legal(view)}
            (await client.post("/act", json=act, headers=headers_of(tokens[seat]))).raise_for_status()
            view = await view_of(client, tokens[seat])
    for person in people:
        await person.page.wait_for_selector("#panel-scores:not([hidden]) .result")


async def token_of(person: Visitor) -> str:
    """By which the server knows this browser."""
    [cookie] = [each for each in await person.page.context.cookies() if each.get("name") == "fogline"]
    return str(cookie.get("value"))


def headers_of(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def view_of(client: AsyncClient, token: str) -> Json:
    view: Json = (await client.get("/view", headers=headers_of(token))).json()
    return view
