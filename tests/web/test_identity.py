"""Players by their tokens: those who came last are known without asking the database."""

from datetime import UTC, datetime

import pytest
from starlette.requests import HTTPConnection

from app.store import PlayerRow, Store
from app.web import identity
from app.web.identity import Identities
from tests.store.conftest import store

__all__ = ["store"]


def bearer(token: str) -> HTTPConnection:
    return HTTPConnection({"type": "http", "headers": [(b"authorization", f"Bearer {token}".encode())]})


async def test_those_who_came_last_are_known_and_of_others_the_database_is_asked(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(identity, "PLAYERS_KEPT", 2)
    players = Identities(store, lambda: datetime.now(UTC))
    tokens = {name: (await players.add(name))[1] for name in ("Ann", "Ben", "Cal")}
    asked: list[str] = []
    find_player = store.find_player

    async def noted(key: bytes) -> PlayerRow | None:
        found = await find_player(key)
        assert found is not None
        asked.append(found.name)
        return found

    monkeypatch.setattr(store, "find_player", noted)
    for name in ("Ann", "Ben", "Ann", "Cal", "Ann", "Ben"):
        found = await players.find(bearer(tokens[name]))
        assert found is not None
        assert found.name == name
    assert asked == ["Ann", "Ben", "Cal", "Ben"], "Ann came again before Cal, so Cal took the place of Ben"
