"""A query that fails, waits or counts, without a database that does."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from app.store import Store


def replace_query(
    patch: pytest.MonkeyPatch,
    query: Callable[..., object],
    answer: Callable[..., Awaitable[Any]],
    only: Store | None = None,
) -> None:
    """Let `answer` answer for `query`, in one store or in all.

    Its arguments are a function that asks the database itself, and those of the query.
    """
    for name in ("read", "write"):
        patch.setattr(Store, name, replaced(getattr(Store, name), query, answer, only))


def replaced(
    real: Callable[..., Awaitable[Any]],
    query: Callable[..., object],
    answer: Callable[..., Awaitable[Any]],
    only: Store | None,
) -> Callable[..., Awaitable[Any]]:
    async def run(store: Store, asked: Callable[..., object], *arguments: Any, **named: Any) -> Any:
        async def ask(*arguments: Any, **named: Any) -> Any:
            return await real(store, asked, *arguments, **named)

        if asked is query and only in (None, store):
            return await answer(ask, *arguments, **named)
        return await ask(*arguments, **named)

    return run
