"""The load maker, a process of its own: plays at tables as it is told on standard input, a line of JSON each.

The answer is a line, too. Players pick from the view's `legal`; at each table one moves at a time, as soon as all four
have seen the move before it.
"""

import asyncio
import gc
import re
import socket
import sys
import time
from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any

import orjson
import uvloop

from harness.socket_players import choose_action

from .tables import SEATS, TOKENS
from .websocket import WebSocketClient, handshake

VERSION = re.compile(rb'"view":\{"version":(\d+)')
TO_ACT = re.compile(rb'"to_act":\[(\d)')
ROOM, ACK = b'{"type":"room"', b'"type":"ack"}'
PATIENCE = 60.0
"""Maximum seconds for anything that was started."""

Json = dict[str, Any]
Address = tuple[int, str]
"""A port and the code of a room."""


def version_of(text: bytes) -> int:
    found = VERSION.search(text)
    return int(found[1]) if found else -1


class Tally:
    """What happened since the last report."""

    def __init__(self) -> None:
        self.latencies: list[float] = []
        self.acks = 0
        self.others: list[str] = []

    def told(self, seconds: float) -> Json:
        """The figures; latencies in milliseconds."""
        ordered = sorted(1000 * latency for latency in self.latencies) or [0.0]
        at = {f"p{part}": ordered[min(len(ordered) - 1, len(ordered) * part // 100)] for part in (50, 99)}
        return {
            "moves": len(self.latencies),
            "acks": self.acks,
            "others": self.others[:5],
            "seconds": seconds,
            "longest": ordered[-1],
            **at,
        }


class Table:
    """The players of a room."""

    def __init__(self, load: "Load", number: int) -> None:
        self.sockets: list[WebSocketClient] = []
        self.due: float | None = None
        self.is_over = self.is_waiting = False
        self._load = load
        self._rng = Random(number)
        self._last = [b""] * SEATS
        self._seen = [-1] * SEATS
        self._new = 0

    @property
    def is_seated(self) -> bool:
        """Whether every player has seen the room."""
        return all(self._last)

    def hear(self, seat: int, text: bytes) -> None:
        """Handle a text that a seat received."""
        if not text.startswith(ROOM):
            self._answer(text)
            return
        self._last[seat] = text
        version = version_of(text)
        if version == self._seen[seat]:
            return
        self._seen[seat] = version
        self._new += self.is_waiting
        if self._new == SEATS:
            self._all_have_seen()

    def _answer(self, text: bytes) -> None:
        if text.endswith(ACK):
            self._load.tally.acks += 1
        else:
            self._load.tally.others.append(text.decode())
            self.is_over, self.is_waiting = True, False

    def _all_have_seen(self) -> None:
        now = time.perf_counter()
        self._load.tally.latencies.append(now - self._begun)
        self.is_waiting, self._new = False, 0
        if self.due is not None:
            self.act(self.due)
        elif self._load.is_pressing:
            self.act(now)

    def act(self, begun: float) -> None:
        """Let the next seat act; `begun` is when it should have acted."""
        self.due = None
        found = TO_ACT.search(self._last[0])
        if found is None:
            self.is_over = True
            return
        seat = int(found[1])
        view = orjson.loads(self._last[seat])["view"]
        message = {"type": "act", "id": f"{view['version']}", "version": view["version"]}
        self._begun, self.is_waiting = begun, True
        self.sockets[seat].send(orjson.dumps({**message, "action": choose_action(view, self._rng)}))


class BotTable:
    """One person among bots, who moves at once, so that the bots think all the time while `goes_on`."""

    def __init__(self) -> None:
        self.goes_on = self.is_over = False
        self.moves = 0
        self.sockets: list[WebSocketClient] = []
        self._rng = Random(7)
        self._last = b""

    def hear(self, text: bytes) -> None:
        if text.startswith(ROOM):
            self.moves += version_of(text) != version_of(self._last)
            self._last = text
            self.act()

    def act(self) -> None:
        """Move if it is this player's turn."""
        view = orjson.loads(self._last)["view"]
        self.is_over = not view["to_act"]
        if self.goes_on and 0 in view["to_act"] and (view["phase"] != "first_tickets" or view["offer"]):
            message = {"type": "act", "id": f"{view['version']}", "version": view["version"]}
            self.sockets[0].send(orjson.dumps({**message, "action": choose_action(view, self._rng)}))


class Load:
    """All players and spectators."""

    def __init__(self) -> None:
        self.tables: list[Table] = []
        self.bot_tables: list[BotTable] = []
        self.tally = Tally()
        self.is_pressing = False
        self._stopped: list[socket.socket] = []

    async def connect(self, rooms: Sequence[Sequence[Address]]) -> Json:
        """Connect four players for each room, each from an address of their own, and disconnect the earlier ones."""
        self._hang_up()
        for number, addresses in enumerate(rooms):
            table = Table(self, number)
            self.tables.append(table)
            for seat, (port, code) in enumerate(addresses):
                table.sockets.append(await connect(port, code, TOKENS[seat], partial(table.hear, seat)))
            await until(lambda table=table: table.is_seated)
        await asyncio.sleep(0.5)  # who came last is told to all after a moment
        return {"sockets": sum(len(table.sockets) for table in self.tables)}

    async def connect_bots(self, addresses: Sequence[Address]) -> Json:
        """Connect a person to each of the rooms, whose other seats are bots."""
        for port, code in addresses:
            table = BotTable()
            self.bot_tables.append(table)
            table.sockets.append(await connect(port, code, TOKENS[0], table.hear))
        return {}

    async def stop_reading(self, addresses: Sequence[Address]) -> Json:
        """Connect spectators who never read, in place of the earlier ones."""
        for line in self._stopped:
            line.close()
        self._stopped = []
        for port, code in addresses:
            client = socket.socket()
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", port))
            client.sendall(handshake(code, None))
            self._stopped.append(client)
        await asyncio.sleep(0.5)
        return {}

    async def press(self, seconds: float) -> Json:
        """Let all move as fast as they can."""
        self.is_pressing = True
        start = time.perf_counter()
        for table in self._free(self.tables):
            table.act(start)
        await asyncio.sleep(seconds)
        self.is_pressing = False
        return await self._told(start)

    async def pace(self, rate: float, seconds: float, first: int, last: int) -> Json:
        """Play so many moves a second at some of the tables in turn. Latency counts from when a move was due."""
        tables = self.tables[first:last]
        start = time.perf_counter()
        for number in range(int(rate * seconds)):
            due = start + number / rate
            if (pause := due - time.perf_counter()) > 0:
                await asyncio.sleep(pause)
            table = tables[number % len(tables)]
            if table.is_waiting:
                table.due = table.due or due
            elif not table.is_over:
                table.act(time.perf_counter())
        return await self._told(start)

    async def pace_beside_bots(self, rate: float, seconds: float, first: int, last: int) -> Json:
        """The same while bots think."""
        bots = asyncio.create_task(self._keep_bots_busy())
        told = await self.pace(rate, seconds, first, last)
        bots.cancel()
        for table in self.bot_tables:
            table.goes_on = False
        return {**told, "bot_moves": sum(table.moves for table in self.bot_tables)}

    async def _keep_bots_busy(self) -> None:
        for table in self.bot_tables:
            table.goes_on = True
            table.act()
            while not table.is_over:  # noqa: ASYNC110
                await asyncio.sleep(0.05)

    async def pace_beside_stopped(self, rate: float, seconds: float, first: int, last: int) -> Json:
        """The same, with figures of those who do not read."""
        told = await self.pace(rate, seconds, first, last)
        for client in self._stopped:
            client.close()
        self._stopped = []
        return told

    async def _told(self, start: float) -> Json:
        await until(lambda: not any(table.is_waiting for table in self.tables))
        tally, self.tally = self.tally, Tally()
        return {**tally.told(time.perf_counter() - start), "over": sum(table.is_over for table in self.tables)}

    def _free(self, tables: Sequence[Table]) -> list[Table]:
        return [table for table in tables if not table.is_waiting and not table.is_over]

    def _hang_up(self) -> None:
        for sockets in [table.sockets for table in self.tables] + [table.sockets for table in self.bot_tables]:
            for client in sockets:
                client.close()
        self.tables, self.bot_tables, self.tally = [], [], Tally()


async def connect(port: int, code: str, token: str | None, hear: Any) -> WebSocketClient:
    loop = asyncio.get_running_loop()
    _, client = await loop.create_connection(lambda: WebSocketClient(code, token, hear), "127.0.0.1", port)
    return client


async def until(is_so: Any) -> None:
    async with asyncio.timeout(PATIENCE):
        while not is_so():  # noqa: ASYNC110  nothing here tells when
            await asyncio.sleep(0.001)


async def obey() -> None:
    """Run the commands, a line each, and print their results and the CPU they took."""
    load = Load()
    loop = asyncio.get_running_loop()
    while words := await loop.run_in_executor(None, sys.stdin.readline):
        name, arguments = orjson.loads(words)
        busy = time.process_time()
        told = await getattr(load, name)(**arguments)
        told["load_cpu"] = time.process_time() - busy
        print(orjson.dumps(told).decode(), flush=True)


if __name__ == "__main__":
    gc.disable()  # a pause of ours would be taken for one of the server's
    uvloop.run(obey())
