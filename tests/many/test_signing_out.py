"""A device that is signed out at one process is signed out at all, at once."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from harness.forked import ForkedSite
from harness.postgres import PostgresServer
from harness.site import Site
from harness.socket_players import connect_to_room
from harness.valkey import ValkeyServer

pytestmark = [pytest.mark.heavy, pytest.mark.slow]


@pytest.fixture
def sites(own_postgres: PostgresServer, own_valkey: ValkeyServer, tmp_path: Path) -> Iterator[list[Site]]:
    """Two processes."""
    settings = {"database_url": own_postgres.create(), "bus_url": own_valkey.address}
    running: list[Site] = [ForkedSite(tmp_path / str(number), **settings) for number in range(2)]
    yield running
    for site in running:
        site.stop()


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def test_a_device_that_is_signed_out_at_one_process_is_so_at_the_other(sites: list[Site]) -> None:
    here, there = [f"{site.address}/api/v1" for site in sites]
    async with httpx.AsyncClient(trust_env=False, timeout=60) as web:
        first = (await web.post(f"{here}/players", json={"name": "Ann"})).json()["token"]
        web.cookies.clear()
        link = (await web.post(f"{here}/links", headers=bearer(first))).json()["url"]
        body = {"secret": link.partition("#")[2]}
        second = (await web.post(f"{there}/links/use", json=body)).json()["token"]
        web.cookies.clear()
        code = (await web.post(f"{here}/rooms", json={"seats": 2}, headers=bearer(first))).json()["code"]
        async with connect_to_room(sites[1].port, code, second) as line:
            await line.recv()
            assert (await web.delete(f"{here}/players/me/devices", headers=bearer(first))).status_code == 200
            with suppress(ConnectionClosed):
                while True:
                    await line.recv()
        assert (line.close_code, line.close_reason) == (1008, "signed out")
        assert (await web.get(f"{there}/players/me", headers=bearer(second))).status_code == 401
        assert (await web.get(f"{there}/players/me", headers=bearer(first))).status_code == 200
