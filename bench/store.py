"""The store alone on SQLite: 32 moves waiting at any moment, against a plain loop of single durable commits."""

import asyncio
import statistics
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from app.store import MoveRow, PlayerRow, RoomRow, Store, devices, open_store, queries
from app.store.engine import open_sqlite

WAITING = 32
NOW = datetime(2026, 1, 1, tzinfo=UTC)
ACTION = '{"type":"draw_card","slot":null}'
PLAIN = "CREATE TABLE plain (room TEXT, number INTEGER, action TEXT, PRIMARY KEY (room, number)) WITHOUT ROWID"


@dataclass(frozen=True)
class Figures:
    """Moves per second."""

    grouped: float
    single: float

    @property
    def ratio(self) -> float:
        return self.grouped / self.single


async def measure(folder: Path, moves: int = 2000) -> Figures:
    """Measure both, one after another, on files in the folder, which should be on the disk in question."""
    async with open_store(f"sqlite:///{folder}/grouped.db") as store:
        await make_rooms(store)
        started = time.perf_counter()
        await asyncio.gather(*(play(store, f"R{room}", moves // WAITING) for room in range(WAITING)))
        grouped = moves / (time.perf_counter() - started)
    return Figures(grouped, commit_singly(folder / "single.db", moves // 4))


async def make_rooms(store: Store) -> None:
    await store.write(devices.add_player, PlayerRow("p", "P"), b"t" * 32, NOW)
    await store.write(queries.add_board, "d", "{}")
    for room in range(WAITING):
        await store.write(
            queries.create_room, RoomRow(f"R{room}", "playing", "p", "d", "b", {}, b"s" * 32, None, 1, NOW)
        )


async def play(store: Store, code: str, moves: int) -> None:
    for number in range(1, moves + 1):
        await store.append_move(code, MoveRow(number, 0, ACTION, f"a{number}", NOW))


def commit_singly(file: Path, moves: int) -> float:
    with closing(open_sqlite(file)) as connection:
        connection.execute(PLAIN)
        started = time.perf_counter()
        for number in range(moves):
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT INTO plain VALUES (?, ?, ?)", (f"R{number % WAITING}", number, ACTION))
            connection.execute("COMMIT")
        return moves / (time.perf_counter() - started)


def main(place: str = ".", rounds: str = "5") -> None:
    """Arguments: a folder on the disk to measure, and how often."""
    ratios = []
    for _ in range(int(rounds)):
        with tempfile.TemporaryDirectory(dir=place) as folder:
            figures = asyncio.run(measure(Path(folder)))
        ratios.append(figures.ratio)
        print(f"grouped {figures.grouped:7.0f}/s   single {figures.single:7.0f}/s   {figures.ratio:5.1f} times")
    print(f"ratio: median {statistics.median(ratios):.1f}, {min(ratios):.1f} to {max(ratios):.1f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
