"""Cheap requests are limited, too, and a class of sixty behind one address can begin."""

from pathlib import Path

import pytest
from httpx import ASGITransport, AsyncClient

from app.web.limits import OTHER, STATIC_FILE, Rate
from harness.callers import app_with, settings_in

FEW = Rate(10, 0.001)
"""However slow the machine is, it does not fill up."""


@pytest.mark.parametrize(
    ("path", "status"),
    [
        *(("/healthz", 200), ("/api/v1/openapi.json", 200), ("/nothing", 404), ("/api/v1/nothing", 404)),
        *(("/static/nothing", 404), ("/api/v1/players", 405)),
    ],
)
async def test_no_address_is_without_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, status: int
) -> None:
    for module in ("health", "openapi", "problems", "templating"):
        monkeypatch.setattr(f"app.web.{module}.OTHER", FEW)
    app = app_with(settings_in(tmp_path, rate_limits="on"))
    transport = ASGITransport(app, client=("192.0.2.7", 1))
    async with app.router.lifespan_context(app), AsyncClient(transport=transport, base_url="http://fog.test") as client:
        statuses = [(await client.get(path)).status_code for _ in range(FEW.burst + 1)]
        assert statuses == [status] * FEW.burst + [429]
        page = await client.get("/nothing", headers={"Accept": "text/html"})
        assert page.status_code == 429
        assert int(page.headers["retry-after"]) >= 1
        assert (await client.get("/static/icon.svg")).status_code == 200
        assert (await client.get("/rules")).status_code == 200


@pytest.mark.parametrize("address", ["127.0.0.1", "127.1.2.3", "::1"])
async def test_a_health_check_on_this_machine_is_always_answered(tmp_path: Path, address: str) -> None:
    app = app_with(settings_in(tmp_path, rate_limits="on"))
    transport = ASGITransport(app, client=(address, 1))
    async with app.router.lifespan_context(app), AsyncClient(transport=transport, base_url="http://fog.test") as client:
        assert {(await client.get("/healthz")).status_code for _ in range(3 * OTHER.burst)} == {200}


def test_sixty_can_load_the_page_at_once() -> None:
    files = sum(path.is_file() for path in (Path(__file__).parents[2] / "static").rglob("*"))
    assert STATIC_FILE.burst >= 60 * files / 2


async def test_files_have_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.web.files.STATIC_FILE", FEW)
    app = app_with(settings_in(tmp_path, rate_limits="on"))
    async with (
        app.router.lifespan_context(app),
        AsyncClient(transport=ASGITransport(app), base_url="http://fog.test") as client,
    ):
        statuses = [(await client.get("/static/icon.svg")).status_code for _ in range(FEW.burst + 1)]
        assert statuses == [200] * FEW.burst + [429]
