"""A class of 60 behind one address begins to play in the same minute, which looks like an attack and is none."""

import asyncio
from pathlib import Path

from httpx import AsyncClient

from harness.callers import PATIENCE, Caller, Json, follow, hear, new_caller
from harness.forked import ForkedSite

PUPILS = 60


async def test_a_class_of_sixty_begins_at_once(tmp_path: Path) -> None:
    site = ForkedSite(tmp_path, rate_limits="on")
    try:
        async with AsyncClient(base_url=site.address, timeout=PATIENCE) as client:
            pairs = await asyncio.gather(*(begin(client, number) for number in range(PUPILS // 2)))
            assert len({room["code"] for room in pairs}) == PUPILS // 2
    finally:
        site.stop()


async def begin(client: AsyncClient, number: int) -> Json:
    """Two pupils open the start page, give their names, and sit down at a table of their own; nobody is refused."""
    pupils = await asyncio.gather(*(arrive(client, f"Pupil {number} {letter}") for letter in "AB"))
    code = await pupils[0].create(seats=2)
    assert (await client.get(f"/t/{code}")).status_code == 200
    assert (await client.get(f"/t/{code}")).status_code == 200
    async with follow(client, code, pupils[0]) as host, follow(client, code, pupils[1]) as guest:
        assert (await pupils[1].post(f"{code}/join")).status_code == 200
        assert (await pupils[0].post(f"{code}/start")).status_code == 200
        while (room := (await hear(guest))["room"])["status"] == "lobby":
            pass
        assert (await hear(host))["type"] == "room"
        told: Json = room
        return told


async def arrive(client: AsyncClient, name: str) -> Caller:
    assert (await client.get("/")).status_code == 200
    return await new_caller(client, name)
