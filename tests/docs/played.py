"""A whole game on the real server, by the calls and messages of the contract alone, and all that was answered."""

import json
from collections import defaultdict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from httpx import AsyncClient, Response
from websockets.asyncio.client import ClientConnection, connect

from app.config import Settings
from app.main import create_app
from harness.callers import Caller, Json, first_legal, follow, hear, new_caller, say, serving, settings_in
from harness.documents import called


@dataclass(frozen=True)
class Heard:
    """What the server said: answers by call, messages by type, refusals."""

    answers: dict[str, list[Any]] = field(default_factory=lambda: defaultdict(list))
    messages: dict[str, list[Json]] = field(default_factory=lambda: defaultdict(list))
    problems: list[Json] = field(default_factory=list)

    @property
    def events(self) -> list[Json]:
        """The events of all messages."""
        return [event for message in self.messages["room"] for event in message["events"]]


def calls() -> list[str]:
    """Every call of the server: `GET /api/v1/rooms/{code}`."""
    paths = create_app(Settings()).openapi()["paths"]
    return [f"{method.upper()} {path}" for path, methods in paths.items() for method in methods]


@asynccontextmanager
async def overheard(folder: Path) -> AsyncGenerator[tuple[AsyncClient, Heard]]:
    """A real server, and all that it will have answered to calls."""
    heard, settings = Heard(), settings_in(folder)
    known = calls()

    async def note(response: Response) -> None:
        await response.aread()
        call = called(known, f"{response.request.method} {response.request.url.path}")
        if response.is_error:
            heard.problems.append(response.json())
        elif response.headers["content-type"] == "application/json":
            heard.answers[call].append(response.json())

    async with serving(settings) as client:
        client.event_hooks["response"].append(note)
        yield client, heard


async def play_a_game(folder: Path) -> Heard:
    """Two people and a bot play to the final score; one of them goes by sockets, one by calls."""
    async with overheard(folder) as (client, heard):
        ann, ben, cal = [await new_caller(client, name) for name in ("Ann", "Ben", "Cal")]
        code = await _table(ann, ben, cal)
        await client.get("/api/v1/boards/san-francisco")
        async with follow(client, code, ann) as socket, follow(client, code, cal):
            while not (room := (await hear(socket))["room"])["watchers"]:
                pass
            await ann.post(f"{code}/invitations", {"player": room["watchers"][0]["player"]})
            await _bars(ann, code)
            await ann.post(f"{code}/start")
            await _refusals(socket, heard)
            await _talk(ann, code, socket, follow(client, code, ben), heard)
            await _play(socket, ben, code, heard)
        await ann.get(f"{code}/record")
        await ann.post(f"{code}/rematch", {"nonce": ""})
    return heard


async def _table(ann: Caller, ben: Caller, cal: Caller) -> str:
    code = await ann.create(nonce="", pass_and_play=True)
    for person in (ann, ben, cal):
        await person.post(f"{code}/join", {"nonce": f"{person.id}'s own"})
    await cal.post(f"{code}/leave")
    guest = (await ann.post(f"{code}/guests", {"name": "Dan"})).json()
    await ann.post(f"{code}/leave?seat={guest['seat']}")
    await _door(ann, code)
    for _ in range(2):
        await ann.post(f"{code}/bots", {"level": "easy"})
    await ann.delete(f"{code}/seats/3")
    await ann.get(code)
    await ann.get(f"{code}/view")
    return code


async def _bars(ann: Caller, code: str) -> None:
    """One who comes, is barred, and may come again."""
    eve = await new_caller(ann.client, "Eve")
    async with follow(ann.client, code, eve) as socket:
        await say(socket, type="say", id="c1", phrase="hello")
        await hear(socket, "spoken")
        await ann.post(f"{code}/bars", {"player": eve.id})
    await eve.get(code)
    await ann.get(f"{code}/bars")
    await ann.delete(f"{code}/bars/{eve.id}")


async def _door(ann: Caller, code: str) -> None:
    await ann.patch(code, {"public": True})
    await ann.client.get("/api/v1/rooms")
    link = (await ann.client.post("/api/v1/links", json={"room": code}, headers=ann.headers)).json()
    for call in ("owner", "use"):
        await ann.client.post(f"/api/v1/links/{call}", json={"secret": link["url"].partition("#")[2]})
    await ann.client.patch("/api/v1/players/me", json={"name": "Ann"}, headers=ann.headers)
    ann.client.cookies.clear()
    await ann.client.get("/api/v1/players/me", headers=ann.headers)
    devices = (await ann.client.get("/api/v1/players/me/devices", headers=ann.headers)).json()["devices"]
    (other,) = [device["id"] for device in devices if not device["current"]]
    for path in (f"devices/{other}", "devices"):
        await ann.client.delete(f"/api/v1/players/me/{path}", headers=ann.headers)


async def _refusals(socket: ClientConnection, heard: Heard) -> None:
    await say(socket, type="ping")
    await say(socket, type="act", id="nonsense", version=0, action={"type": "pass"})
    for kind in ("pong", "refused"):
        heard.messages[kind].append(await hear(socket, kind))


async def _talk(ann: Caller, code: str, socket: ClientConnection, other: connect, heard: Heard) -> None:
    await say(socket, type="say", id="c1", text="Hello")
    for kind in ("spoken", "said"):
        heard.messages[kind].append(await hear(socket, kind))
    await ann.post(f"{code}/talk", {"id": "c2", "phrase": "luck"})
    await ann.get(f"{code}/messages")
    async with other as late:
        heard.messages["talk"].append(await hear(late, "talk"))


async def _play(socket: ClientConnection, ben: Caller, code: str, heard: Heard) -> None:
    view = (await ben.get(f"{code}/view")).json()
    await ben.post(f"{code}/act", _act(view))
    async for text in socket:
        message = json.loads(text)
        heard.messages[message["type"]].append(message)
        view = message.get("view")
        if view and view["phase"] == "over":
            return
        if view and 0 in view["to_act"]:
            await say(socket, type="act", **_act(view))
        if view and 1 in view["to_act"]:
            await ben.post(f"{code}/act", _act((await ben.get(f"{code}/view")).json()))


def _act(view: Json) -> Json:
    """Its id is the version, so that asking twice has one effect."""
    return {"id": f"v{view['version']}", "version": view["version"], "action": _choice(view)}


def _choice(view: Json) -> Json:
    """The first thing that is legal, but now and then tickets."""
    if view["legal"]["draw_tickets"] and view["version"] % 20 < 2:
        return {"type": "draw_tickets"}
    return first_legal(view)
