"""`fogline backup` and `fogline restore`, on both databases and between them."""

import asyncio
import gzip
import hashlib
import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import get_args

import pytest

from app.rules import Phase, resumed, snapshot
from app.store import (
    ArchiveError,
    Circle,
    MessageRow,
    NotEmptyError,
    RoomRow,
    Store,
    StoreError,
    devices,
    open_store,
    queries,
    talk,
    visits,
)
from app.store.archive import examine
from app.store.backup import load, save
from app.wire import parse_snapshot
from harness.live_rooms import House, Party, house_on
from harness.store_rows import END, NOW, add_people, listed, move, player_of, room
from tests.commands.conftest import Fogline, complaint

CODES = [f"ROOM{number:04}" for number in range(6)]

FIRST_SCHEMA = Path(__file__).parent / "first-schema"


@pytest.fixture
def other_address(request: pytest.FixtureRequest, address: str, tmp_path: Path) -> str:
    """A second database, of the other kind."""
    if address.startswith("sqlite"):
        other: str = request.getfixturevalue("postgres_address")
        return other
    return f"sqlite:///{tmp_path / 'other' / 'fogline.db'}"


async def fill(address: str) -> None:
    """Players, a board, rooms in all states, moves with every kind of value."""
    async with open_store(address) as store:
        await add_people(store)
        for code in CODES:
            await store.write(queries.create_room, room(code))
        for number in range(1, 30):
            await store.append_move(CODES[0], move(number), END if number == 29 else None)
        await store.write(
            queries.change_room, CODES[1], lambda row: replace(row, status="playing", seed=b"\0" * 32, started_at=NOW)
        )
        await store.write(queries.change_room, CODES[2], lambda row: replace(row, next=CODES[1], asked=("ben",)))
        await store.write(talk.say, CODES[0], MessageRow("players", 0, "ben", "Ben", "m1", None, "Ça va?", NOW))
        await store.write(talk.say, CODES[0], MessageRow("spectators", 0, "ben", "Ben", "m2", "hello", None, NOW))


async def contents(address: str) -> list[tuple[RoomRow, list[object]]]:
    async with open_store(address) as store:
        assert await player_of(store, b"a" * 32)
        assert await store.read(queries.find_board, "digest") == "{}"
        rows = sorted(await listed(store), key=lambda row: row.code)
        return [(row, [*await store.load_moves(row.code), *await talk_of(store, row.code)]) for row in rows]


async def talk_of(store: Store, code: str) -> list[MessageRow]:
    return [
        line for circle in get_args(Circle) for line in await store.read_list(talk.load_messages, code, circle, 0, 50)
    ]


async def saved(address: str, path: Path) -> Path:
    with path.open("wb") as file:
        await save(address, file, NOW)
    return path


async def test_a_backup_moves_a_host_to_the_other_database_and_back(
    address: str, other_address: str, tmp_path: Path
) -> None:
    await fill(address)
    before = await contents(address)
    first = await saved(address, tmp_path / "first")
    await load(other_address, first, replace=False)
    assert await contents(other_address) == before
    second = await saved(other_address, tmp_path / "second")
    await load(address, second, replace=True)
    assert await contents(address) == before
    assert first.read_bytes() == second.read_bytes()


async def test_a_site_keeps_the_name_of_its_cookies(address: str, other_address: str, tmp_path: Path) -> None:
    """A backup brings it along; one from before there were such names leaves that of the site it is restored to."""
    await fill(address)
    path = await saved(address, tmp_path / "saved")
    async with open_store(address) as store, open_store(other_address) as other:
        here, there = await store.read(devices.find_installation), await other.read(devices.find_installation)
    assert here != there
    await load(other_address, FIRST_SCHEMA.with_suffix(".backup"), replace=False)
    async with open_store(other_address) as other:
        assert await other.read(devices.find_installation) == there
    await load(other_address, path, replace=True)
    async with open_store(other_address) as other:
        assert await other.read(devices.find_installation) == here


async def test_a_filled_database_is_not_overwritten(address: str, tmp_path: Path) -> None:
    await fill(address)
    path = await saved(address, tmp_path / "saved")
    async with open_store(address) as store:
        await store.append_move(CODES[2], move(1))
    before = await contents(address)
    with pytest.raises(NotEmptyError):
        await load(address, path, replace=False)
    assert await contents(address) == before


async def play(store: Store, code: str, told: dict[str, int], stop: asyncio.Event) -> None:
    while not stop.is_set():
        number = told[code] + 1
        await store.append_move(code, move(number))
        told[code] = number


async def test_a_backup_under_load_is_one_moment(address: str, other_address: str, tmp_path: Path) -> None:
    """Each room's moves are a prefix, no shorter than acknowledged before, no longer than asked for after."""
    async with open_store(address) as store:
        await add_people(store)
        for code in CODES:
            await store.write(queries.create_room, room(code))
        told, stop = dict.fromkeys(CODES, 0), asyncio.Event()
        players = [asyncio.create_task(play(store, code, told, stop)) for code in CODES]
        backups = []
        for number in range(3):
            while min(told.values()) < 20 * (number + 1):  # noqa: ASYNC110 - nobody says so
                await asyncio.sleep(0)
            before = dict(told)
            path = await saved(address, tmp_path / f"backup{number}")
            backups.append((before, path, dict(told)))
        stop.set()
        await asyncio.gather(*players)
    for before, path, after in backups:
        await load(other_address, path, replace=True)
        async with open_store(other_address) as store:
            for code in CODES:
                moves = await store.load_moves(code)
                assert moves == [move(number) for number in range(1, len(moves) + 1)]
                assert before[code] <= len(moves) <= after[code] + 1


async def test_what_two_rooms_did_in_an_order_is_saved_in_that_order(address: str, tmp_path: Path) -> None:
    """A room that always moves after another is never saved ahead of it."""
    async with open_store(address) as store:
        await add_people(store)
        for code in CODES[:2]:
            await store.write(queries.create_room, room(code))

        async def leapfrog() -> None:
            for number in range(1, 400):
                for code in CODES[:2]:
                    await store.append_move(code, move(number))

        moving = asyncio.create_task(leapfrog())
        paths = [await saved(address, tmp_path / f"backup{number}") for number in range(5)]
        await moving
    for path in paths:
        lines = gzip.decompress(path.read_bytes()).splitlines()[1:-1]
        rows = [json.loads(line) for line in lines]
        leader, follower = (sum(name == "moves" and row["room"] == code for name, row in rows) for code in CODES[:2])
        assert follower <= leader <= follower + 1


async def test_a_damaged_file_changes_nothing(address: str, tmp_path: Path) -> None:
    await fill(address)
    before = await contents(address)
    path = await saved(address, tmp_path / "saved")
    for damaged in harmed(path.read_bytes()):
        path.write_bytes(damaged)
        with pytest.raises(ArchiveError, match=re.escape(str(path))):
            await load(address, path, replace=True)
    assert await contents(address) == before


def harmed(packed: bytes) -> list[bytes]:
    """Cut, with a bit changed, without its end, without a row, of the future, of something else."""
    header, *rows = gzip.decompress(packed).splitlines(keepends=True)
    return [
        packed[:-20],
        packed[:200] + bytes([packed[200] ^ 1]) + packed[201:],
        gzip.compress(b"".join([header, *rows[:-1]])),
        gzip.compress(b"".join([header, *rows[:5], *rows[6:]])),
        gzip.compress(b"".join([header.replace(b'"version":1', b'"version":2'), *rows])),
        gzip.compress(b"[]\n"),
        b"hello",
        b"",
    ]


async def test_a_backup_that_fails_half_way_changes_nothing(address: str, tmp_path: Path) -> None:
    """A schema that this version does not know is found out after the old rows went."""
    await fill(address)
    before = await contents(address)
    path = await saved(address, tmp_path / "saved")
    with gzip.open(path) as file:
        text = file.read()
    header, rest = text.split(b"\n", 1)
    rows = rest.rsplit(b"\n", 2)[0] + b"\n"
    forged = re.sub(rb'"schema":"\d+"', b'"schema":"9999"', header) + b"\n" + rows
    path.write_bytes(sealed(forged))
    examine(path)
    with pytest.raises(StoreError, match="schema"):
        await load(address, path, replace=True)
    assert await contents(address) == before


def sealed(text: bytes) -> bytes:
    """A text of lines with the last line that makes it a backup."""
    last = {"rows": text.count(b"\n") - 1, "sha256": hashlib.sha256(text).hexdigest()}
    return gzip.compress(text + json.dumps(last, separators=(",", ":")).encode() + b"\n")


async def test_the_commands_save_and_restore(
    fogline: Fogline, address: str, other_address: str, tmp_path: Path
) -> None:
    await fill(address)
    done = fogline("backup", "saved.fogline", database_url=address)
    assert done.returncode == 0, done
    assert re.fullmatch(r"\d+ rows were saved\.\n", done.stderr)
    assert (tmp_path / "saved.fogline").stat().st_mode & 0o777 == 0o600
    assert not any(name.startswith(".saved") for name in names_in(tmp_path))
    assert "is there already" in complaint(fogline("backup", "saved.fogline", database_url=address))
    assert "--replace" in complaint(fogline("restore", "saved.fogline", database_url=address))
    done = fogline("restore", "saved.fogline", database_url=other_address)
    assert done.returncode == 0, done
    assert await contents(other_address) == await contents(address)
    await assert_visited_now(other_address)


async def assert_visited_now(address: str) -> None:
    """A room that lay in a backup for long is not one that nobody returns to."""
    async with open_store(address) as store:
        assert await store.write(visits.remove_abandoned, datetime.now(UTC) - timedelta(hours=1), 10) == []


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def test_what_can_not_be_saved_or_restored_is_said_in_a_sentence(fogline: Fogline, tmp_path: Path) -> None:
    assert "There is no database" in complaint(fogline("backup", "new"))
    assert not (tmp_path / "new").exists()
    assert "can't be read" in complaint(fogline("restore", "nothing"))
    assert "can't be written" in complaint(fogline("backup", "no/such/folder"))


async def test_a_database_of_nothing_is_not_saved(address: str, tmp_path: Path) -> None:
    if address.startswith("sqlite"):
        (tmp_path / "data").mkdir()
        (tmp_path / "data" / "fogline.db").touch()
    with pytest.raises(StoreError, match="nothing of Fogline"):
        await saved(address, tmp_path / "saved")


async def test_BUG1012_games_of_the_first_schema_go_on(address: str) -> None:
    """A backup of the first schema, with a game in every phase, is restored and played on by every later version.

    Each game stands where it stood, to the card, as do positions that were kept then: else `RULES_VERSION` goes up.
    """
    await load(address, FIRST_SCHEMA.with_suffix(".backup"), replace=False)
    positions = json.loads(FIRST_SCHEMA.with_suffix(".positions.json").read_bytes())
    await assert_visited_now(address)
    async with open_store(address) as store:
        house = house_on(store, now=lambda: NOW)
        phases = [await phase_of(house, row.code, positions.get(row.code)) for row in await listed(store)]
        assert sorted(filter(None, phases)) == sorted(Phase)
        assert phases.count(None) == 1


async def phase_of(house: House, code: str, position: object) -> Phase | None:
    """The phase a room's game was in, which is then played to its end."""
    room = await house.rooms.find(code)
    if room.game is None:
        return None
    kept = parse_snapshot(json.dumps(position))
    assert resumed(room.game.board, room.game.seed, kept) == room.game
    assert snapshot(room.game) == kept
    phase = room.game.phase
    await Party(house, room, []).play_until(lambda _: False)
    assert room.row.status == "over"
    return phase
