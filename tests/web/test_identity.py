"""Tokens are cached for a while, and in a limited number."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from httpx import AsyncClient

from app.store import devices
from app.web import identity
from harness.callers import new_caller
from harness.queries import replace_query


async def test_the_latest_tokens_are_known_and_of_others_the_database_is_asked(
    client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    callers = {name: await new_caller(client, name) for name in ("Ann", "Ben", "Cal")}
    asked: list[str] = []

    async def noted(find_token: Callable[..., Awaitable[Any]], *question: object) -> object:
        found = await find_token(*question)
        assert found is not None
        asked.append(found.player.name)
        return found

    monkeypatch.setattr(identity, "TOKENS_KEPT", 2)
    replace_query(monkeypatch, devices.find_token, noted)
    for name in ("Ann", "Ben", "Ann", "Cal", "Ben", "Ann"):
        assert (await client.get("/api/v1/players/me/devices", headers=callers[name].headers)).status_code == 200
    assert asked == ["Ann", "Ben", "Cal", "Ann"], "Cal took the place of Ann"
