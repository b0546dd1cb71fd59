"""Players that use the HTTP interface, of the application itself or of a real server."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient, Response
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from app.config import Settings
from app.main import open_site, server_of
from app.server import listen_at
from app.web import Site, build
from harness.prepared import make_ready

Json = dict[str, Any]

JSON = {"Content-Type": "application/json"}

PATIENCE = 60.0
"""Seconds to wait for an answer: many, since the machine may be busy."""


def settings_in(folder: Path, **values: Any) -> Settings:
    """Settings with an empty database in this folder, bots that act at once, and no rate limits."""
    make_ready(folder)
    return Settings.model_validate({"data_dir": folder, "bot_pace": 0, "rate_limits": "off", "port": 0, **values})


class Application:
    """An application that runs again and again with other settings, since building its routes takes 0.1 s."""

    def __init__(self, base: str) -> None:
        self.settings: Settings | None = None
        self.app = build(base, self._open)

    @asynccontextmanager
    async def _open(self) -> AsyncGenerator[Site]:
        assert self.settings is not None
        try:
            async with open_site(self.settings) as site:
                yield site
        finally:
            self.settings = None


@cache
def application(base: str) -> Application:
    """One for each base path."""
    return Application(base)


def app_with(settings: Settings) -> FastAPI:
    """An application that runs with these settings, once."""
    prepared = application(settings.base_path)
    assert prepared.settings is None, "it runs already"
    prepared.settings = settings
    return prepared.app


@asynccontextmanager
async def open_client(settings: Settings) -> AsyncGenerator[AsyncClient]:
    """A client of the application without a server."""
    app = app_with(settings)
    async with (
        app.router.lifespan_context(app),
        AsyncClient(transport=ASGITransport(app, raise_app_exceptions=False), base_url="http://fogline.test") as client,
    ):
        yield client


@asynccontextmanager
async def serving(settings: Settings) -> AsyncGenerator[AsyncClient]:
    """A client of a real server on a free port."""
    server = server_of(settings)
    server.config.app = app_with(settings)
    running = asyncio.create_task(server.serve(listen_at(settings.host, settings.port)))
    while not server.started:  # noqa: ASYNC110  the server has no event to wait for
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        async with AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE, verify=False) as client:
            yield client
    finally:
        server.should_exit = True
        await running


@dataclass(frozen=True)
class Caller:
    """A player with a token."""

    client: AsyncClient
    id: str
    token: str
    cookie: str = ""
    """The name of the cookie in which a browser has the token."""

    @property
    def headers(self) -> dict[str, str]:
        """Says who calls."""
        return {"Authorization": f"Bearer {self.token}"}

    @property
    def browser(self) -> dict[str, str]:
        """Says who calls as a browser does, on a page of our own."""
        return {"Cookie": f"{self.cookie}={self.token}", "Origin": "http://fogline.test"}

    async def get(self, path: str) -> Response:
        """GET below /api/v1/rooms/."""
        return await self.client.get(f"/api/v1/rooms/{path}", headers=self.headers)

    async def post(self, path: str, body: object = None) -> Response:
        """POST below /api/v1/rooms/."""
        content = None if body is None else json.dumps(body)
        return await self.client.post(f"/api/v1/rooms/{path}", content=content, headers=JSON | self.headers)

    async def create(self, **wish: Any) -> str:
        """A new room's code."""
        answer = await self.client.post("/api/v1/rooms", json={"seats": 4, **wish}, headers=self.headers)
        assert answer.status_code == 201, answer.text
        code: str = answer.json()["code"]
        return code

    async def patch(self, path: str, body: object) -> Response:
        """PATCH below /api/v1/rooms/."""
        return await self.client.patch(f"/api/v1/rooms/{path}", json=body, headers=self.headers)

    async def delete(self, path: str) -> Response:
        """DELETE below /api/v1/rooms/."""
        return await self.client.delete(f"/api/v1/rooms/{path}", headers=self.headers)


async def new_caller(client: AsyncClient, name: str = "Ann") -> Caller:
    """A new player, known by its token alone."""
    answer = await client.post("/api/v1/players", json={"name": name})
    assert answer.status_code == 201, answer.text
    client.cookies.clear()
    name = answer.headers["set-cookie"].partition("=")[0]
    return Caller(client, answer.json()["player"], answer.json()["token"], name)


async def seated(client: AsyncClient, people: int, **wish: Any) -> tuple[str, list[Caller]]:
    """A room in its lobby, and its people in the order of their seats."""
    callers = [await new_caller(client, f"Player {number}") for number in range(people)]
    code = await callers[0].create(**{"seats": max(people, 2), **wish})
    for caller in callers[1:]:
        assert (await caller.post(f"{code}/join")).status_code == 200
    return code, callers


async def started(client: AsyncClient, people: int, **wish: Any) -> tuple[str, list[Caller]]:
    """A room with its game begun."""
    code, callers = await seated(client, people, **wish)
    assert (await callers[0].post(f"{code}/start")).status_code == 200
    return code, callers


def first_legal(view: Json) -> Json:
    """The first of a view's legal actions."""
    legal = view["legal"]
    if legal["keep"]:
        return {"type": "keep_tickets", "tickets": legal["keep"]["from"]}
    if legal["place"]:
        return {
            "type": "place_token",
            "symbol": legal["place"]["symbols"][0],
            "location": legal["place"]["locations"][0],
        }
    for route, claim in legal["claims"].items():
        token = claim["tokens"][0] if claim["tokens"] else None
        return {"type": "claim_route", "route": route, "payment": claim["payments"][0], "token": token}
    if legal["draw"]["deck"] or legal["draw"]["slots"]:
        return {"type": "draw_card", "slot": None if legal["draw"]["deck"] else legal["draw"]["slots"][0]}
    return {"type": "draw_tickets"} if legal["draw_tickets"] else {"type": "pass"}


def socket_url(client: AsyncClient, code: str) -> str:
    """Where a room's socket is."""
    return f"ws://{client.base_url.host}:{client.base_url.port}/ws/v1/rooms/{code}"


def follow(
    client: AsyncClient, code: str, caller: Caller | None = None, headers: dict[str, str] | None = None
) -> connect:
    """A socket of a caller, or of a stranger. Closing one that nobody reads doesn't take long."""
    told = {**(caller.headers if caller else {}), **(headers or {})}
    return connect(
        socket_url(client, code), additional_headers=told, proxy=None, open_timeout=PATIENCE, close_timeout=1
    )


async def hear(socket: ClientConnection, kind: str = "room") -> Json:
    """The next message of a kind; others are passed over."""
    while True:
        message: Json = json.loads(await socket.recv())
        if message["type"] == kind:
            return message


async def say(socket: ClientConnection, **message: Any) -> None:
    """Send a message."""
    await socket.send(json.dumps(message))


async def closed(socket: ClientConnection) -> int:
    """The code the server closes with."""
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                await socket.recv()
    except ConnectionClosed as error:
        return error.rcvd.code if error.rcvd else 1006


async def play_on(socket: ClientConnection) -> Json:
    """Do the first legal thing whenever it is one's time, to the end; the last view."""
    acted = -1
    while True:
        view = (await hear(socket))["view"]
        if view and view["phase"] == "over":
            final: Json = view
            return final
        if view and view["seat"] in view["to_act"] and view["version"] > acted:
            acted = view["version"]
            await say(socket, type="act", id=f"act-{acted}", version=acted, action=first_legal(view))
