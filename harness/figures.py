"""Measurements that are worth a look, shown at the end of a run."""

from collections.abc import Callable

import pytest

FIGURES = "figures"
Tell = Callable[[str], None]


@pytest.fixture
def tell(request: pytest.FixtureRequest) -> Tell:
    """Shows a text at the end of the run."""

    def note(figures: str) -> None:
        request.node.user_properties.append((FIGURES, figures))

    return note


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for report in terminalreporter.getreports("passed"):
        for name, figures in report.user_properties:
            if name == FIGURES:
                terminalreporter.line(f"\n{report.location[2]}:\n{figures}")
