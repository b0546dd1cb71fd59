"""The bot of the documents: short, and able to play a whole game as it stands there."""

import asyncio
import json
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any
from urllib.request import urlopen

import pytest

from harness.documents import document
from harness.forked import ForkedSite

(PROGRAM,) = re.findall(r"```python\n(.*?)```", document("docs/a-bot-of-your-own.md"), re.DOTALL)
PATIENCE = 120.0


@pytest.fixture
def site(tmp_path: Path) -> Iterator[ForkedSite]:
    site = ForkedSite(tmp_path / "data")
    yield site
    site.kill()


def test_it_has_at_most_80_lines() -> None:
    assert len(PROGRAM.splitlines()) <= 80


def test_it_plays_a_whole_game_as_a_guest_and_as_a_host(site: ForkedSite, tmp_path: Path) -> None:
    """The guest is the program as it stands; the host plays by its functions, at a table with a bot of the server's."""
    program = tmp_path / "bot.py"
    program.write_text(PROGRAM)
    host: dict[str, Any] = {}
    exec(PROGRAM.rpartition("main(*")[0], host)
    token = host["call"](site.address, "players", name="Ann")["token"]
    code = host["call"](site.address, "rooms", token, seats=3)["code"]
    with Popen([sys.executable, program, site.address, code.lower(), "Robby"], stdout=PIPE, text=True) as guest:
        try:
            wait_for(site, code, "Robby")
            host["call"](site.address, f"rooms/{code}/bots", token, level="easy")
            host["call"](site.address, f"rooms/{code}/start", token)
            scores = asyncio.run(asyncio.wait_for(host["play"](site.address, code, token), PATIENCE))
            told, _ = guest.communicate(timeout=PATIENCE)
        finally:
            guest.kill()
    assert told.splitlines() == [
        f"seat {score['seat']}: {score['total']} points, rank {score['rank']}" for score in scores
    ]
    assert guest.returncode == 0


def wait_for(site: ForkedSite, code: str, name: str) -> None:
    """Until somebody of this name has sat down."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with urlopen(f"{site.address}/api/v1/rooms/{code}") as answer:
            if name in [seat["name"] for seat in json.load(answer)["seats"]]:
                return
        time.sleep(0.05)
    raise TimeoutError(f"{name} has not sat down")
