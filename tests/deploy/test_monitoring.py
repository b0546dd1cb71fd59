"""The metrics, and the dashboard that shows them."""

import asyncio
import json
import re
from collections.abc import AsyncGenerator
from pathlib import Path
from random import Random

import httpx
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from app.config import Settings
from app.main import create_app
from app.store import open_store, queries
from harness.callers import JSON, PATIENCE
from harness.forked import ForkedSite
from harness.socket_players import start_game

DEPLOY = Path(__file__).parents[2] / "deploy"


@pytest.fixture
async def client(tmp_path: Path) -> AsyncGenerator[httpx.AsyncClient]:
    """A site in which somebody has done something."""
    app = create_app(Settings(data_dir=tmp_path, rate_limits="off"))
    transport = httpx.ASGITransport(app)
    async with app.router.lifespan_context(app), httpx.AsyncClient(transport=transport, base_url="http://site") as web:
        yield web


async def samples(client: httpx.AsyncClient) -> dict[str, float]:
    """Every sample by its name and labels."""
    text = (await client.get("/metrics")).text
    families = text_string_to_metric_families(text)
    return {
        sample.name + "".join(f"[{value}]" for _, value in sorted(sample.labels.items())): sample.value
        for family in families
        for sample in family.samples
    }


async def test_what_can_t_be_read_is_counted_among_the_refusals(client: httpx.AsyncClient) -> None:
    counted = "fogline_refusals_total[bad_request]"
    before = (await samples(client))[counted]
    assert (await client.post("/api/v1/players", content="{", headers=JSON)).status_code == 400
    host = {"Authorization": f"Bearer {(await client.post('/api/v1/players', json={'name': 'Ann'})).json()['token']}"}
    code = (await client.post("/api/v1/rooms", json={"seats": 2}, headers=host)).json()["code"]
    assert (await client.delete(f"/api/v1/rooms/{code}/seats/9", headers=host)).status_code == 400
    assert (await samples(client))[counted] == before + 2


def names(figures: dict[str, float]) -> set[str]:
    return {name.partition("[")[0] for name in figures}


async def test_the_dashboard_uses_the_figures_there_are_and_all_of_ours(client: httpx.AsyncClient) -> None:
    expressions = [
        target["expr"]
        for panel in json.loads((DEPLOY / "grafana.json").read_text())["panels"]
        for target in panel["targets"]
    ]
    used = {name for text in expressions for name in re.findall(r"\b(?:fogline|process)_[a-z_]+", text)}
    told = names(await samples(client))
    assert used <= told
    ours = {name for name in told if name.startswith("fogline_")}
    assert {family(name) for name in ours} == {family(name) for name in used if name.startswith("fogline_")}


def family(name: str) -> str:
    return re.sub(r"_(bucket|count|sum|total)$", "", name)


async def test_moves_refusals_and_stages_are_counted(client: httpx.AsyncClient) -> None:
    before = await samples(client)
    people = [(await client.post("/api/v1/players", json={"name": name})).json() for name in ("Ann", "Ben")]
    client.cookies.clear()
    ann, ben = ({"Authorization": f"Bearer {player['token']}"} for player in people)
    code = (await client.post("/api/v1/rooms", json={"seats": 2}, headers=ann)).json()["code"]
    room = f"/api/v1/rooms/{code}"
    await client.post(f"{room}/join", headers=ben)
    await client.post(f"{room}/start", headers=ann)
    offer = (await client.get(f"{room}/view", headers=ann)).json()["offer"]
    keep = {"id": "a1", "version": 0, "action": {"type": "keep_tickets", "tickets": offer}}
    assert (await client.post(f"{room}/act", json=keep, headers=ann)).json() == {"version": 1}
    assert (await client.post(f"{room}/act", json=keep | {"id": "a2"}, headers=ann)).status_code == 409
    after = await samples(client)
    changed = {name: after[name] - before[name] for name in after if name.startswith("fogline_")}
    assert changed["fogline_rooms"] == 1
    assert changed["fogline_moves_total[human]"] == 1
    assert changed["fogline_refusals_total[not_your_turn]"] == 1
    assert changed["fogline_stage_seconds_count[commit]"] == 1
    assert changed["fogline_stage_seconds_count[play]"] == 1
    assert changed["fogline_commit_moves_count[database]"] == 1
    assert changed["fogline_commit_moves_bucket[1.0][database]"] == 1


@pytest.mark.slow
async def test_logs_name_rooms_and_moves_and_hold_nothing_secret(tmp_path: Path) -> None:
    """A game is played through a restart, with refusals; then everything is looked for that a log must not hold."""
    site = ForkedSite(tmp_path / "data", log="json")
    people = await start_game([site.port], 2, Random(5), bots=1)
    games = asyncio.gather(*(person.play() for person in people))
    async with asyncio.timeout(PATIENCE):
        while not all(person.acknowledged for person in people):  # noqa: ASYNC110  nobody tells
            await asyncio.sleep(0.01)
    before = site.log
    site.kill()
    await asyncio.to_thread(site.start)
    await games
    site.stop()
    text = before + site.log
    entries = [json.loads(line) for line in text.splitlines()]
    assert {"room_made", "game_begun", "game_over", "stopped"} <= {entry["event"] for entry in entries}
    assert [entry for entry in entries if entry["level"] != "info"] == []
    assert all(entry["room"] == people[0].code for entry in entries if "room" in entry)
    async with open_store(f"sqlite:///{tmp_path / 'data' / 'fogline.db'}") as store:
        row = await store.read(queries.find_room, people[0].code)
    assert row is not None
    assert row.seed is not None
    secrets = [row.seed.hex(), row.server_seed.hex(), "Player 0", "Player 1", *(person.token for person in people)]
    assert [secret for secret in secrets if secret in text] == []


def test_prometheus_is_told_where_the_figures_are() -> None:
    [job] = yaml.safe_load((DEPLOY / "prometheus.yml").read_text())["scrape_configs"]
    assert job["metrics_path"] == "/metrics"
    assert job["job_name"] == "fogline"
    assert 'job="fogline"' in (DEPLOY / "grafana.json").read_text().replace("\\", "")
