"""How tests are shared out among the processes of a run, of which `./run test` starts one for each core."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

FIGURES = "figures"
Tell = Callable[[str], None]
Fixtures = Mapping[str, Sequence[pytest.FixtureDef[Any]]]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that need each other's company stay in one process, and the long ones come first.

    So no process is left with a long one when the others have nothing more to do.
    """
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return
    for item in items:
        if group := group_of(item):
            item.add_marker(pytest.mark.xdist_group(group))
    items.sort(key=rank)


def rank(item: pytest.Item) -> int:
    """How late a test may begin: first what runs one after another, then what is slow, then what has a browser."""
    signs = (item.get_closest_marker("heavy"), item.get_closest_marker("slow"), "chromium" in fixtures_of(item))
    return next((place for place, sign in enumerate(signs) if sign), len(signs))


def group_of(item: pytest.Item) -> str | None:
    """Heavy tests run one after another; what a module sets up for its tests is set up once."""
    if item.get_closest_marker("heavy"):
        return "heavy"
    return item.nodeid.partition("::")[0] if "module" in scopes_of(item) else None


def scopes_of(item: pytest.Item) -> set[str]:
    """The scopes of the fixtures of a test."""
    return {fixtures[-1].scope for fixtures in fixtures_of(item).values()}


def fixtures_of(item: pytest.Item) -> Fixtures:
    """Those a test asks for, and those that these ask for."""
    assert isinstance(item, pytest.Function)
    return item._fixtureinfo.name2fixturedefs


@pytest.fixture
def tell(request: pytest.FixtureRequest) -> Tell:
    """Notes figures that are worth a look, for the end of the run."""

    def note(figures: str) -> None:
        request.node.user_properties.append((FIGURES, figures))

    return note


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for report in terminalreporter.getreports("passed"):
        for name, figures in report.user_properties:
            if name == FIGURES:
                terminalreporter.line(f"\n{report.location[2]}:\n{figures}")
