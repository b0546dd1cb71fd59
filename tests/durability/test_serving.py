"""The server as a process: how it is started, what keeps it from starting, and how it stops."""

import asyncio
import signal
from pathlib import Path

import psycopg
import pytest
from httpx import AsyncClient
from sqlalchemy import make_url

from app.config import Settings
from harness.callers import PATIENCE, closed, first_legal, follow, hear, say, seated, started
from harness.forked import ForkedSite, refused_start
from harness.postgres import name_in
from harness.server_process import ServerProcess


@pytest.mark.parametrize(("host", "address"), [("0.0.0.0", "http://0.0.0.0:80/sf/"), ("::1", "http://[::1]:80/sf/")])
def test_a_process_says_where_it_is_found(host: str, address: str) -> None:
    assert Settings(host=host, port=80, base_path="/sf/").served_at == address


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("FOGLINE_PORT", "eighty", "integer"),
        ("FOGLINE_PORT", "70000", "65535"),
        ("FOGLINE_RATE_LIMITS", "maybe", "'on' or 'off'"),
        ("FOGLINE_NEW_PLAYERS", "120", "such as 120/60"),
        ("FOGLINE_NEW_PLAYERS", "0/60", "from 1 to 999999"),
        ("FOGLINE_NEW_ROOMS", "60/0", "from 1 to 999999"),
        ("FOGLINE_NEW_ROOMS", "-1/2.5", "such as 120/60"),
        ("FOGLINE_LOG", "xml", "'text' or 'json'"),
        ("FOGLINE_BASE_PATH", "/a b/", "a path such as"),
        ("FOGLINE_BASE_PATH", "/games/../sf", "a path such as"),
        ("FOGLINE_PUBLIC_URL", "fogline.example", "addresses such as"),
        ("FOGLINE_ORIGINS", "https://a.example/path", "addresses such as"),
        ("FOGLINE_ORIGINS", "https://a.example:port", "addresses such as"),
        ("FOGLINE_BOARDS_DIR", "/nowhere", "a folder that exists"),
    ],
)
def test_a_wrong_setting_stops_the_start_with_its_name_its_value_and_what_is_allowed(
    tmp_path: Path, name: str, value: str, allowed: str
) -> None:
    said = refused_start(tmp_path, **{name: value})
    assert name in said
    assert allowed in said
    assert value in said


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("FOGLINE_DATABASE_URL", "mysql://secret@host/name"),
        ("FOGLINE_DATABASE_URL", "sqlite://"),
        ("FOGLINE_DATABASE_URL", "postgresql://fogline:secret@host:port/name"),
        ("FOGLINE_BUS_URL", "carrier-pigeon:coop"),
        ("FOGLINE_BUS_URL", "redis://:secret@host:port/0"),
    ],
)
def test_a_wrong_address_stops_the_start_in_a_sentence(tmp_path: Path, name: str, value: str) -> None:
    said = refused_start(tmp_path, **{name: value})
    assert "allowed" in said or "needs" in said
    assert "secret" not in said


def test_a_database_user_who_may_make_no_tables_stops_the_start_in_a_sentence(
    tmp_path: Path, postgres_address: str
) -> None:
    weak = f"weak_{name_in(postgres_address)}"
    with psycopg.connect(postgres_address, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {weak} LOGIN PASSWORD 'secret'")
        try:
            address = make_url(postgres_address).set(username=weak, password="secret")
            said = refused_start(tmp_path, FOGLINE_DATABASE_URL=address.render_as_string(hide_password=False))
        finally:
            connection.execute(f"DROP ROLE {weak}")
    assert "permission denied" in said
    assert "secret" not in said


async def test_a_stop_closes_sockets_with_come_again_and_loses_nothing(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    await server.start()
    async with AsyncClient(base_url=server.address, timeout=PATIENCE, verify=False) as client:
        code, callers = await started(client, 2)
        socket = await follow(client, code, callers[0])
        view = (await hear(socket))["view"]
        await say(socket, type="act", id="last", version=0, action=first_legal(view))
        await hear(socket, "ack")
        async with asyncio.timeout(15):
            assert await server.stop() in (0, -signal.SIGTERM)
        assert await closed(socket) == 1012
    site = ForkedSite(tmp_path)
    async with AsyncClient(base_url=site.address, verify=False) as client, follow(client, code, callers[0]) as again:
        assert (await hear(again))["view"]["version"] == 1
        await say(again, type="act", id="last", version=0, action=first_legal(view))
        assert (await hear(again, "ack"))["version"] == 1
    site.stop()


async def test_a_bot_goes_on_after_a_kill_though_nobody_comes(tmp_path: Path) -> None:
    server = ForkedSite(tmp_path / "data", bot_pace="1")
    async with AsyncClient(base_url=server.address, timeout=PATIENCE, verify=False) as client:
        code, callers = await seated(client, 1)
        await callers[0].post(f"{code}/bots", {"level": "easy"})
        await callers[0].post(f"{code}/start")
        server.kill()
        server.start()
        async with follow(client, code, callers[0]) as socket:
            while 1 in (await hear(socket))["view"]["to_act"]:
                pass
    server.stop()
