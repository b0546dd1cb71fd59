"""Which process of a run runs which tests, and in which order: `./run test` starts a process for each core."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

Fixtures = Mapping[str, Sequence[pytest.FixtureDef[Any]]]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep tests that share a module's fixtures in one process, and start long tests first.

    Otherwise one process would still run a long test when all others are done.
    """
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return
    for item in items:
        if group := group_of(item):
            item.add_marker(pytest.mark.xdist_group(group))
    items.sort(key=rank)


def rank(item: pytest.Item) -> int:
    """Tests of a lower rank start first: heavy ones, then slow ones, then those with a browser."""
    signs = (item.get_closest_marker("heavy"), item.get_closest_marker("slow"), "chromium" in fixtures_of(item))
    return next((place for place, sign in enumerate(signs) if sign), len(signs))


def group_of(item: pytest.Item) -> str | None:
    """Heavy tests form a group, so that no two run at once, and so do the tests that share a module's fixtures."""
    if item.get_closest_marker("heavy"):
        return "heavy"
    return item.nodeid.partition("::")[0] if "module" in scopes_of(item) else None


def scopes_of(item: pytest.Item) -> set[str]:
    return {fixtures[-1].scope for fixtures in fixtures_of(item).values()}


def fixtures_of(item: pytest.Item) -> Fixtures:
    """The fixtures that a test needs, directly or through others."""
    assert isinstance(item, pytest.Function)
    return item._fixtureinfo.name2fixturedefs
