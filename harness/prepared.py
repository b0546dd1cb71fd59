"""An empty database and parsed boards, made once for each process, since that takes longer than most tests."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from app.boards import parse_board
from app.store import open_store


def make_tables(address: str) -> None:
    """Migrate a new database. Runs in a thread, since the test may have an event loop of its own."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, open_once(address)).result()


async def open_once(address: str) -> None:
    async with open_store(address):
        pass


@cache
def empty_file() -> bytes:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "fogline.db"
        make_tables(f"sqlite:///{file}")
        return file.read_bytes()


def make_ready(folder: Path) -> None:
    """Put an empty database into a folder, unless it has one."""
    file = folder / "fogline.db"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        file.write_bytes(empty_file())


def share_boards() -> None:
    """Parse each board once for all databases, from now on. Boards are immutable."""
    pytest.MonkeyPatch().setattr("app.rooms.boards.parse_board", cache(parse_board))
