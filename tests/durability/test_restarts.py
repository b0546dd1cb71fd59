"""A client in the middle of a handshake or a long poll when the server stops gets a clean failure, and reconnects."""

import asyncio
import json
import signal
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage, InvalidStatus

from harness.forked import ForkedSite
from harness.raw_client import started_game

pytestmark = [pytest.mark.heavy, pytest.mark.slow]

CALLERS = 6
"""Of each kind, all the time."""

RESTARTS = 3
"""By each signal."""

COME_BACK = 60.0
"""Seconds; what is tested is that everybody does."""

CLEAN = {"followed", "cut", "status 503", "closed 1012", "closed 1001", "answered", "refused"}

Visit = Callable[[Counter[str]], Awaitable[None]]


async def follow_once(port: int, code: str, token: str, seen: Counter[str]) -> None:
    """A handshake, the first message, and good-bye."""
    address = f"ws://127.0.0.1:{port}/ws/v1/rooms/{code}"
    headers = {"Authorization": f"Bearer {token}"}
    try:
        async with connect(address, additional_headers=headers, open_timeout=COME_BACK, proxy=None) as socket:
            assert json.loads(await socket.recv())["type"] == "room"
            seen["followed"] += 1
    except InvalidStatus as error:
        seen[f"status {error.response.status_code}"] += 1
    except ConnectionClosed as error:
        seen[f"closed {error.rcvd.code}" if error.rcvd else "cut"] += 1
    except (InvalidMessage, InvalidHandshake, EOFError, OSError):
        seen["cut"] += 1


async def poll_once(web: httpx.AsyncClient, path: str, token: str, seen: Counter[str]) -> None:
    """A new session, and a call that waits for what comes next."""
    session, after = "", 0
    try:
        for _ in range(2):
            query: dict[str, str | int] = {"session": session, "after": after}
            answer = await web.get(path, params=query, headers={"Authorization": f"Bearer {token}"})
            if answer.status_code != 200:
                seen[f"status {answer.status_code}"] += 1
                return
            told = answer.json()
            session, after = told["session"], told["after"]
            seen["answered"] += 1
    except httpx.TransportError:
        seen["cut"] += 1


async def again_and_again(visit: Visit, seen: Counter[str]) -> None:
    while True:
        await visit(seen)
        await asyncio.sleep(0.01)


async def until_more(seen: Counter[str], what: str, more: int) -> None:
    """Until this was seen so many times from now on."""
    wanted = seen[what] + more
    async with asyncio.timeout(COME_BACK):
        while seen[what] < wanted:  # noqa: ASYNC110 - nobody says so
            await asyncio.sleep(0.01)


async def test_a_restart_amid_handshakes_and_long_polls_is_a_clean_failure_and_all_come_back(tmp_path: Path) -> None:
    site = ForkedSite(tmp_path / "data")
    code, players = await asyncio.to_thread(started_game, site)
    token, seen, logs = players[0].token, Counter[str](), list[str]()
    async with httpx.AsyncClient(base_url=site.address, timeout=COME_BACK, trust_env=False, verify=False) as web:
        path = f"/api/v1/rooms/{code}/messages"
        visits: list[Visit] = [
            lambda seen: follow_once(site.port, code, token, seen),
            lambda seen: poll_once(web, path, token, seen),
        ]
        tasks = [asyncio.create_task(again_and_again(visit, seen)) for visit in visits for _ in range(CALLERS)]
        try:
            for how in [signal.SIGTERM, signal.SIGKILL] * RESTARTS:
                await asyncio.gather(until_more(seen, "followed", 20), until_more(seen, "answered", CALLERS))
                began = time.monotonic()
                await asyncio.to_thread(site.kill if how is signal.SIGKILL else site.stop)
                assert time.monotonic() - began < COME_BACK
                logs.append(site.log)
                await asyncio.to_thread(site.start)
        finally:
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
    site.stop()
    assert [each for each in results if not isinstance(each, asyncio.CancelledError)] == []
    assert set(seen) <= CLEAN, seen
    assert seen["cut"] + seen["status 503"] > 0, "nobody was in the middle of anything"
    for log in [*logs, site.log]:
        assert "Traceback" not in log
        assert "ERROR" not in log.upper().replace("ERRORS", "")
