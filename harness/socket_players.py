"""Players over WebSockets, each on any of several server processes, who reconnect when a process dies."""

import asyncio
import json
from dataclasses import dataclass, field
from random import Random
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

PATIENCE = 4.0
"""Seconds to wait for an answer before asking another process."""

AWAY = (OSError, ConnectionClosed, InvalidHandshake, TimeoutError)

Json = dict[str, Any]


def connect_to_room(port: int, code: str, token: str) -> connect:
    """A WebSocket to a room at one of the processes."""
    address = f"ws://127.0.0.1:{port}/ws/v1/rooms/{code}"
    headers = {"Authorization": f"Bearer {token}"}
    return connect(address, additional_headers=headers, open_timeout=PATIENCE, close_timeout=0.2, proxy=None)


async def next_message(line: ClientConnection) -> Json:
    """The next message.

    Raises:
        TimeoutError: nothing came, and a ping was not answered either.
    """
    for _ in range(2):
        try:
            async with asyncio.timeout(PATIENCE):
                message: Json = json.loads(await line.recv())
                return message
        except TimeoutError:
            await line.send('{"type":"ping"}')
    raise TimeoutError


@dataclass
class SocketPlayer:
    """A player with a seat in a room, and the version in the answer to each action.

    `pace` is the longest time to think, in seconds.
    """

    token: str
    code: str
    ports: list[int]
    rng: Random
    seat: int = -1
    pace: float = 0
    view: Json = field(default_factory=dict)
    pending: Json | None = None
    acknowledged: dict[str, int] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)
    returns: int = 0
    sent_again: int = 0
    scores: list[Json] | None = None

    async def play(self) -> None:
        """Play until the game is over, whatever happens to the processes. Send an unanswered action again unchanged."""
        failures = 0
        while self.scores is None:
            try:
                async with connect_to_room(self.rng.choice(self.ports), self.code, self.token) as line:
                    if self.pending:
                        self.sent_again += 1
                        await line.send(json.dumps(self.pending))
                    while self.scores is None:
                        await self._hear(line, await next_message(line))
                        failures = 0
            except AWAY:
                self.returns += 1
                failures = min(failures + 1, 4)
                await asyncio.sleep(self.rng.uniform(0.05, 0.1) * 2**failures)

    async def _hear(self, line: ClientConnection, message: Json) -> None:
        match message["type"]:
            case "room" if message["view"]:
                await self._look(line, message["view"])
            case "ack":
                await self._answered(line, message, self.acknowledged)
            case "refused" if message["code"] == "unavailable":
                await asyncio.sleep(0.2)
                self.sent_again += 1
                await line.send(json.dumps(self.pending))
            case "refused":
                await self._answered(line, message, self.refused)

    async def _answered(self, line: ClientConnection, message: Json, answers: dict[str, int]) -> None:
        """Note the answer, then act on the view that came after the action was sent."""
        assert self.pending is not None
        answers[message["id"]] = message["version"]
        sent_at, self.pending = self.pending["version"], None
        if self.view["version"] > sent_at:
            await self._look(line, self.view)

    async def _look(self, line: ClientConnection, view: Json) -> None:
        self.view = view
        self.seat = view["seat"]
        self.scores = view["scores"]
        if self.pending is None and self.seat in view["to_act"]:
            action_id = f"{view['version']}-{self.rng.getrandbits(32):x}"
            action = choose_action(view, self.rng)
            self.pending = {"type": "act", "id": action_id, "version": view["version"], "action": action}
            await asyncio.sleep(self.rng.random() * self.pace)
            await line.send(json.dumps(self.pending))


def choose_action(view: Json, rng: Random) -> Json:
    """A legal action. Prefers routes, so that games end."""
    legal = view["legal"]
    if legal["keep"]:
        return {"type": "keep_tickets", "tickets": legal["keep"]["from"][: max(1, legal["keep"]["least"])]}
    if legal["place"]:
        place = legal["place"]
        return {"type": "place_token", "symbol": place["symbols"][0], "location": rng.choice(place["locations"])}
    if legal["claims"]:
        route = max(legal["claims"], key=lambda route: sum(legal["claims"][route]["payments"][0].values()))
        claim = legal["claims"][route]
        token = claim["tokens"][0] if claim["tokens"] else None
        return {"type": "claim_route", "route": route, "payment": claim["payments"][0], "token": token}
    return rng.choice(draws(legal)) if draws(legal) else {"type": "pass"}


def draws(legal: Json) -> list[Json]:
    """The draws of cards, or else that of tickets."""
    slots = [*legal["draw"]["slots"], *([None] if legal["draw"]["deck"] else [])]
    cards: list[Json] = [{"type": "draw_card", "slot": slot} for slot in slots]
    return cards or ([{"type": "draw_tickets"}] if legal["draw_tickets"] else [])


async def post(
    web: httpx.AsyncClient, port: int, path: str, body: Json | None, headers: dict[str, str]
) -> httpx.Response | None:
    """The answer to a call; None if the process is gone or answers 503."""
    try:
        answer = await web.post(f"http://127.0.0.1:{port}/api/v1/{path}", json=body, headers=headers)
    except httpx.TransportError:
        return None
    return None if answer.status_code == 503 else answer


async def start_game(ports: list[int], people: int, rng: Random, *, bots: int = 0) -> list[SocketPlayer]:
    """Players in a room whose game has started. Each call goes to a random process until one answers."""
    async with httpx.AsyncClient(trust_env=False, verify=False) as web:

        async def call(path: str, token: str = "", body: Json | None = None) -> Json:
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            while (answer := await post(web, rng.choice(ports), path, body, headers)) is None:  # noqa: ASYNC110  nothing signals it
                await asyncio.sleep(0.1)
            told: Json = answer.json()
            if told.get("code") != "already_started":
                answer.raise_for_status()
            return told

        tokens = [(await call("players", body={"name": f"Player {number}"}))["token"] for number in range(people)]
        code = (await call("rooms", tokens[0], {"seats": people + bots}))["code"]
        for token in tokens[1:]:
            await call(f"rooms/{code}/join", token, {})
        for _ in range(bots):
            await call(f"rooms/{code}/bots", tokens[0], {"level": "easy"})
        await call(f"rooms/{code}/start", tokens[0])
    return [SocketPlayer(token, code, ports, Random(rng.random())) for token in tokens]
