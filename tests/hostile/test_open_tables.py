"""Making many open tables does not fill their list."""

from collections import Counter
from pathlib import Path

from httpx import AsyncClient

from app.store.visits import MOST_OF_A_HOST, MOST_OF_AN_ORIGIN
from harness.callers import PATIENCE, new_caller
from harness.figures import Tell
from harness.forked import ForkedSite

TABLES = 36


async def test_one_address_does_not_fill_the_list_of_open_tables(tmp_path: Path, tell: Tell) -> None:
    """By one player, and then by a new player for each; those of another network, told by a proxy, are in the list."""
    site = ForkedSite(tmp_path, rate_limits="on")
    try:
        async with AsyncClient(base_url=site.address, timeout=PATIENCE) as client:
            honest = [await open_table(client, f"198.51.100.{number}", "Ann") for number in range(3)]
            eve = await new_caller(client, "Eve")
            for _ in range(TABLES):
                await eve.create(public=True)
            assert (await listed(client))["Eve"] == MOST_OF_A_HOST
            for _ in range(TABLES):
                await open_table(client, "127.0.0.1", "Eve")
            found = await listed(client)
            tell(f"of {2 * TABLES} tables from one address {found['Eve']} are listed, and all others")
            assert found == {"Eve": MOST_OF_AN_ORIGIN, "Ann": len(honest)}
    finally:
        site.stop()


async def open_table(client: AsyncClient, address: str, name: str) -> str:
    """A table that takes anybody, of a new player at an address."""
    forwarded = {"X-Forwarded-For": address}
    answer = await client.post("/api/v1/players", json={"name": name}, headers=forwarded)
    client.cookies.clear()
    headers = {"Authorization": f"Bearer {answer.json()['token']}"}
    answer = await client.post("/api/v1/rooms", json={"seats": 4, "public": True}, headers=headers | forwarded)
    assert answer.status_code in (201, 429)
    return str(answer.json().get("code"))


async def listed(client: AsyncClient) -> Counter[str]:
    """Whose tables are in the list, and how many."""
    tables = (await client.get("/api/v1/rooms")).json()["rooms"]
    return Counter(table["names"][0] for table in tables)
