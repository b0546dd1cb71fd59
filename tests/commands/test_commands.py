"""`fogline check`, `rooms`, `board check` and `verify`, as a host runs them."""

import asyncio
import json
import os
import shlex
import sqlite3
import subprocess
import sys
from asyncio.subprocess import PIPE, STDOUT
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import orjson
import pytest
from alembic.script import ScriptDirectory

from app.cli.records import DisagreesError, findings
from app.rooms import lobby
from app.rules import Action, View
from app.store import open_store, queries
from app.store.backup import load
from app.wire import dump, parse_record
from harness.forked import ForkedSite
from harness.live_rooms import lobby_of, open_house
from harness.paths import ROOT
from harness.site import Site
from harness.store_rows import add_people, room
from harness.valkey import ValkeyServer
from tests.commands.conftest import Fogline, complaint

FIRST = Path(__file__).parent / "first-schema.backup"
NEWEST = ScriptDirectory(ROOT / "migrations").get_current_head()
"""The number of the newest schema."""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A server on its own, under a path."""
    site = ForkedSite(tmp_path / "data", base_path="/games/sf/", trusted_proxies="10.0.0.1")
    yield site
    site.stop()


# --- check ---------------------------------------------------------------------------------------------------------


def test_check_of_a_new_host_is_fine(fogline: Fogline) -> None:
    done = fogline("check")
    assert done.returncode == 0, done
    assert "is not there yet" in done.stdout
    assert done.stdout.endswith("Everything is fine.\n")


def test_data_stays_in_its_folder_whatever_that_is_called(fogline: Fogline, tmp_path: Path) -> None:
    folder = tmp_path / "50%2F50 ?x=1#y ü:@"
    fogline("migrate", data_dir=str(folder))
    assert [file.name for file in folder.iterdir()] == ["fogline.db"]
    assert [path.name for path in tmp_path.iterdir()] == [folder.name]
    assert "0 rooms" in fogline("check", data_dir=str(folder)).stdout


def test_check_looks_at_every_part(fogline: Fogline, postgres_address: str, valkey_address: str) -> None:
    settings = {"database_url": postgres_address, "bus_url": valkey_address}
    assert "is empty" in fogline("check", **settings).stdout
    fogline("restore", FIRST, **settings)
    done = fogline("check", **settings)
    assert done.returncode == 0, done
    for part in ("database: PostgreSQL", f"schema {NEWEST}, 7 rooms", "bus: 127.0.0.1 answers", "clock: it shows"):
        assert part in done.stdout


def test_a_database_that_can_t_keep_every_name_is_named_by_all_that_open_it(
    fogline: Fogline, narrow_address: str
) -> None:
    done = fogline("check", database_url=narrow_address)
    assert done.returncode == 1
    [wrong] = [line for line in done.stdout.splitlines() if line.startswith("FIX")]
    assert "CREATE DATABASE fogline ENCODING 'UTF8'" in wrong
    for command in (["serve"], ["migrate"], ["restore", str(FIRST)]):
        assert "CREATE DATABASE fogline ENCODING 'UTF8'" in complaint(fogline(*command, database_url=narrow_address))


def test_check_says_what_to_fix(fogline: Fogline, tmp_path: Path, own_valkey: ValkeyServer) -> None:
    own_valkey.stop()
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "fogline.db").write_bytes(b"no database" * 1000)
    done = fogline("check", bus_url=own_valkey.address, public_url="http://127.0.0.1:9")
    assert done.returncode == 1, done
    wrong = [line.split(":")[0] for line in done.stdout.splitlines() if line.startswith("FIX")]
    assert wrong == ["FIX   database", "FIX   bus", "FIX   proxy"]
    assert "Traceback" not in done.stderr + done.stdout


def test_check_reports_a_wrong_setting_in_a_line(fogline: Fogline) -> None:
    assert "FOGLINE_PORT=x is not allowed" in complaint(fogline("check", port="x"))


@pytest.mark.slow
def test_check_looks_through_the_proxy(fogline: Fogline, site: Site) -> None:
    done = fogline("check", "--url", f"{site.address}/games/sf/", base_path="/games/sf")
    assert done.returncode == 0, done
    assert "WebSockets come through" in done.stdout
    assert "host and scheme are passed on" in done.stdout
    assert "stop it first" in complaint(fogline("restore", "--replace", FIRST))
    done = fogline("check", "--url", site.address)
    assert "FOGLINE_BASE_PATH" in done.stdout


def test_check_notices_that_the_database_is_not_the_one_that_is_served(fogline: Fogline, site: Site) -> None:
    file = site.folder / "fogline.db"
    assert fogline("check").returncode == 0
    kept = file.rename(file.with_suffix(".kept"))
    assert "was removed or replaced under a running server" in fogline("check").stdout
    file.write_bytes(kept.read_bytes())
    done = fogline("check")
    assert done.returncode == 1
    assert "FIX   database: " in done.stdout
    kept.rename(file)
    assert fogline("check").returncode == 0
    site.stop()
    file.unlink()
    assert "is not there yet" in fogline("check").stdout


def test_check_wants_a_whole_address(fogline: Fogline) -> None:
    """Without its scheme it would look at this machine, and speak of that."""
    done = fogline("check", "--url", "fog.example.org")
    assert "FIX   proxy: fog.example.org has to begin with http:// or https://." in done.stdout.splitlines()


def test_check_looks_at_the_boards_of_the_host(fogline: Fogline, tmp_path: Path) -> None:
    (tmp_path / "boards").mkdir()
    built_in = (ROOT / "app/boards/san-francisco.json").read_text()
    (tmp_path / "boards" / "good.json").write_text(built_in)
    (tmp_path / "boards" / "wrong.json").write_text(built_in.replace('"routes"', '"roads"'))
    done = fogline("check", boards_dir=str(tmp_path / "boards"))
    assert done.returncode == 1
    assert "fine  board: San Francisco can be played" in done.stdout
    assert 'wrong.json: the field "routes" is missing' in done.stdout


# --- rooms ---------------------------------------------------------------------------------------------------------


async def test_a_name_with_signs_that_the_terminal_does_not_know_is_listed(fogline: Fogline, address: str) -> None:
    before = room()
    named = replace(before, seats=(replace(before.seats[0], name="Ștefan"), *before.seats[1:]))
    async with open_store(address) as store:
        await add_people(store)
        await store.write(queries.create_room, named)
    assert r"\u0218tefan" in fogline("rooms", database_url=address).stdout


def test_rooms_are_listed_ended_and_removed(fogline: Fogline, address: str) -> None:
    settings = {"database_url": address}
    fogline("restore", FIRST, **settings)
    listed = fogline("rooms", **settings).stdout.splitlines()
    assert listed[-1] == "7 rooms"
    playing = fogline("rooms", "--status", "playing", "list", **settings).stdout.splitlines()
    assert playing[-1] == "5 rooms"
    newest = fogline("rooms", "--most", "2", "list", **settings).stdout.splitlines()
    assert newest == [*listed[:2], "2 rooms, the newest; --most shows more"]
    code = playing[0].split()[0]
    done = fogline("rooms", "end", code.lower(), **settings)
    assert done.stdout.startswith(f"{code} is over."), done
    assert "is over already" in complaint(fogline("rooms", "end", code, **settings))
    assert "is removed" in fogline("rooms", "delete", code, **settings).stdout
    assert f"there is no room {code}" in complaint(fogline("rooms", "delete", code, **settings))
    assert fogline("rooms", **settings).stdout.splitlines()[-1] == "6 rooms"


def test_what_is_no_room_is_said_in_a_sentence(fogline: Fogline) -> None:
    fogline("migrate")
    assert "is no code of a room" in complaint(fogline("rooms", "end", "what"))
    assert "there is no room" in complaint(fogline("rooms", "end", "00000000"))


def test_who_asks_for_rooms_makes_no_database_and_changes_none(fogline: Fogline, tmp_path: Path) -> None:
    assert "there is no database of Fogline here" in complaint(fogline("rooms"))
    assert not (tmp_path / "data").exists()
    fogline("migrate")
    with closing(sqlite3.connect(tmp_path / "data" / "fogline.db")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    assert f"has schema 0001, this Fogline has {NEWEST}" in complaint(fogline("rooms"))
    with closing(sqlite3.connect(tmp_path / "data" / "fogline.db")) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == ("0001",)


# --- board check ---------------------------------------------------------------------------------------------------


def test_board_check_says_what_the_board_has(fogline: Fogline) -> None:
    done = fogline("board", "check", "san-francisco")
    assert done.returncode == 0
    assert "San Francisco" in done.stdout


def test_board_check_names_file_place_and_fault(fogline: Fogline, tmp_path: Path) -> None:
    board = json.loads((ROOT / "app/boards/san-francisco.json").read_text())
    board["routes"][3]["color"] = "pink"
    (tmp_path / "mine.json").write_text(json.dumps(board))
    assert "mine.json: routes[3].color: " in complaint(fogline("board", "check", "mine.json"))
    assert "no board can be read here" in complaint(fogline("board", "check", "nothing.json"))


# --- verify --------------------------------------------------------------------------------------------------------


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """The record of a game."""
    path = tmp_path / "record.json"
    path.write_bytes(asyncio.run(played(tmp_path)))
    return path


class Absent:
    """A mind that never comes to a decision, so that the test can play for its bot."""

    async def choose(self, _level: str, _view: View, _seed: int, known: object = ()) -> Action:
        await asyncio.Event().wait()
        raise AssertionError


async def played(folder: Path, derivation: int = 2) -> bytes:
    async with open_house(folder, mind=Absent()) as house:
        party = await lobby_of(house, 2, seats=3)
        await party.room.change(lambda row: replace(row, derivation=derivation))
        for person in party.people:
            await house.rooms.join(party.room, person, person.name)
        await party.room.change(lambda row: lobby.add_bot(row, party.people[0].id, "easy"))
        await house.rooms.start(party.room, party.people[0])
        await party.play_until(lambda _: False, Random(7))
        return dump(await house.rooms.record(party.room))


def test_a_true_record_is_verified(fogline: Fogline, record: Path) -> None:
    done = fogline("verify", record)
    assert done.returncode == 0, done
    for part in ("rules", "board", "commitment", "parts", "seed", "deal", "moves", "scores"):
        assert f"agrees   {part}: " in done.stdout
    assert done.stdout.splitlines()[-1].endswith("is true.")


def test_the_record_of_an_older_version_is_verified(tmp_path: Path) -> None:
    """The parts of its bots are empty, and it names no derivation."""
    record = json.loads(asyncio.run(played(tmp_path, derivation=1)))
    assert record["seed"].pop("derivation") == 1
    assert record["seed"]["nonces"][2] == ""
    lines = list(findings(parse_record(orjson.dumps(record))))
    assert [line for line in lines if line.startswith("parts: ")] == [
        "parts: those of bots are empty, as in games from before the parts followed the commitment"
    ]


def test_verify_says_where_a_record_differs(fogline: Fogline, record: Path) -> None:
    truth = record.read_bytes()
    for expected, change in CHANGES.items():
        forged = json.loads(truth)
        change(forged)
        with pytest.raises(DisagreesError, match=expected):
            list(findings(parse_record(orjson.dumps(forged))))
    record.write_bytes(orjson.dumps(forged))
    done = fogline("verify", record)
    assert done.returncode == 1
    assert "DIFFERS  scores" in done.stdout


CHANGES: dict[str, Callable[[Any], object]] = {
    "^rules: ": lambda record: record.update(rules_version=2),
    "^board: .*routes": lambda record: record["board"].pop("routes"),
    "^commitment: ": lambda record: record["seed"].update(commitment="00"),
    "^seed: it is not mixed": lambda record: record["seed"].update(seed="00" * 32),
    "^seed: the part of a bot": lambda record: record["seed"]["nonces"].__setitem__(0, "other"),
    "^seed: the part of a bot does not": lambda record: record["seed"]["nonces"].__setitem__(2, "chosen"),
    "^seed: the part of a bot does not follow": lambda record: record["seed"].update(derivation=1),
    "^seed: There is no derivation 3": lambda record: record["seed"].update(derivation=3),
    "^seed: there is not": lambda record: record["seed"]["nonces"].pop(),
    "^seed: the server": lambda record: record["seed"].update(server_part="xy"),
    "^move 9: the record has number": lambda record: record["moves"].pop(8),
    "^move 20, seat [0-2], ": lambda record: record["moves"][19].update(seat=(record["moves"][19]["seat"] + 1) % 3),
    "^scores: seat 1 has ": lambda record: record["scores"][1].update(total=1000),
}


def test_what_is_no_record_is_said_in_a_sentence(fogline: Fogline, tmp_path: Path) -> None:
    assert "can't be read" in complaint(fogline("verify", "nothing"))
    (tmp_path / "list").write_text("[]")
    assert "is no record" in complaint(fogline("verify", "list"))
    (tmp_path / "empty").write_text("{}")
    assert "code: " in complaint(fogline("verify", "empty"))


# --- the command itself --------------------------------------------------------------------------------------------


def test_the_command_is_a_process_that_says_a_sentence(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "app", "restore", "nothing"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "FOGLINE_DATA_DIR": str(tmp_path)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "fogline: nothing can't be read: No such file or directory.\n"


@pytest.mark.slow
async def test_a_backup_goes_through_a_pipe(tmp_path: Path) -> None:
    """Out of one database and into another; and to one who does not read, without a traceback."""
    await load(f"sqlite:///{tmp_path / 'one' / 'fogline.db'}", FIRST, replace=False)
    fogline = shlex.join([sys.executable, "-m", "app"])
    script = f"""
        FOGLINE_DATA_DIR=one {fogline} backup - | FOGLINE_DATA_DIR=two {fogline} restore -
        FOGLINE_DATA_DIR=two {fogline} rooms | tail -n 1
        FOGLINE_DATA_DIR=two {fogline} rooms | true
    """
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = await asyncio.create_subprocess_shell(script, cwd=tmp_path, env=environment, stdout=PIPE, stderr=STDOUT)
    said = (await done.communicate())[0].decode().splitlines()
    assert sorted(said) == ["268 rows were restored.", "268 rows were saved.", "7 rooms"]


def test_every_command_has_help(fogline: Fogline) -> None:
    done = fogline("--help")
    for command in ("serve", "migrate", "backup", "restore", "check", "rooms", "board", "verify"):
        assert command in done.stdout
    assert "--replace" in fogline("restore", "--help").stdout


async def test_migrate_makes_the_tables(fogline: Fogline, address: str) -> None:
    assert "up to date" in fogline("migrate", database_url=address).stdout
    async with open_store(address) as store:
        assert await store.read(queries.newest_rooms) == []
