"""Tokens are known for a while without asking the database, and not more of them than a process has room for."""

import pytest
from httpx import AsyncClient

from app.store import Store
from app.web import identity
from harness.callers import application, new_caller


async def test_the_latest_tokens_are_known_and_of_others_the_database_is_asked(
    client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    callers = {name: await new_caller(client, name) for name in ("Ann", "Ben", "Cal")}
    store: Store = application("").app.state.site.store
    find_token = store.find_token
    asked: list[str] = []

    async def noted(*question: object) -> object:
        found = await find_token(*question)  # type: ignore[arg-type]
        assert found is not None
        asked.append(found.player.name)
        return found

    monkeypatch.setattr(identity, "TOKENS_KEPT", 2)
    monkeypatch.setattr(store, "find_token", noted)
    for name in ("Ann", "Ben", "Ann", "Cal", "Ben", "Ann"):
        assert (await client.get("/api/v1/players/me/devices", headers=callers[name].headers)).status_code == 200
    assert asked == ["Ann", "Ben", "Cal", "Ann"], "Cal took the place of Ann"
