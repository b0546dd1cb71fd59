"""Chromium, and a server for people who use it."""

import shutil
from pathlib import Path

from harness.forked import ForkedSite
from harness.paths import BOARDS

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first one that is installed is used; the headless shell needs a third less CPU for the same pages."""

FLAGS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
    "--disable-gpu",
]


def find_chromium() -> str | None:
    """The system's Chromium. Playwright takes its own one for None."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


class FoglineServer(ForkedSite):
    """A server with the boards of the tests. It can be killed, and started again on the same port and data."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, boards_dir=str(BOARDS))
