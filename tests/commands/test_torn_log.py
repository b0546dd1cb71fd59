"""A write-ahead log that the disk has torn: what was committed and is lost is told, and a mere crash is not."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from app.store.engine import open_sqlite
from app.store.wal import FRAME, HEADER, keep_torn_log, kept_log, page_size
from harness.forked import ForkedSite
from harness.prepared import make_ready
from tests.commands.conftest import Fogline

COMMITS = 6
Tear = Callable[[bytearray, list[int]], None]
"""Changes a log, given where its frames begin."""


@pytest.fixture
def crashed(tmp_path: Path) -> Path:
    """A database whose log holds some commits and the beginning of a transaction, as a kill leaves it."""
    live, left = tmp_path / "live", tmp_path / "left"
    make_ready(live)
    make_ready(left)
    with closing(open_sqlite(live / "fogline.db")) as connection:
        for number in range(COMMITS):
            add(connection, number)
        connection.execute("PRAGMA cache_size=1")
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO boards VALUES (?, ?)", [(f"open {n}", "x" * 3000) for n in range(40)])
        for end in ("", "-wal"):
            shutil.copy(live / f"fogline.db{end}", left / f"fogline.db{end}")
        connection.execute("ROLLBACK")
    return left / "fogline.db"


def add(connection: sqlite3.Connection, number: int) -> None:
    """One transaction of several pages."""
    connection.execute("INSERT INTO boards VALUES (?, ?)", (f"commit {number}", "x" * 9000))


def log_of(database: Path) -> Path:
    return database.with_name("fogline.db-wal")


def frames_of(database: Path) -> list[int]:
    """Where the frames begin."""
    length = FRAME.size + page_size(database)
    return list(range(HEADER.size, log_of(database).stat().st_size - length + 1, length))


def commits_of(log: bytes | bytearray, frames: list[int]) -> list[int]:
    """The numbers of the frames that end a transaction."""
    return [number for number, start in enumerate(frames) if FRAME.unpack_from(log, start)[1]]


def tear(database: Path, change: Tear) -> None:
    content = bytearray(log_of(database).read_bytes())
    change(content, frames_of(database))
    log_of(database).write_bytes(content)


def stored(database: Path) -> list[int]:
    """The commits that are there, read as whoever opens the database reads it."""
    with closing(open_sqlite(database)) as connection:
        [sound] = connection.execute("PRAGMA integrity_check").fetchone()
        assert sound == "ok"
        rows = connection.execute("SELECT digest FROM boards WHERE digest LIKE 'commit %' ORDER BY digest")
        assert connection.execute("SELECT count(*) FROM boards WHERE digest LIKE 'open %'").fetchone() == (0,)
        return [int(digest.split()[1]) for (digest,) in rows]


def is_told(database: Path) -> bool:
    keep_torn_log(database)
    return kept_log(database).exists()


def test_a_crash_is_no_alarm(crashed: Path) -> None:
    log = log_of(crashed).read_bytes()
    frames = frames_of(crashed)
    assert len(commits_of(log, frames)) == COMMITS
    assert commits_of(log, frames)[-1] < len(frames) - 5, "the open transaction is in the log"
    assert not is_told(crashed)
    assert stored(crashed) == list(range(COMMITS))


def test_a_log_that_ends_anywhere_is_no_alarm(crashed: Path) -> None:
    whole = log_of(crashed).read_bytes()
    start = crashed.read_bytes()
    for length in [0, 10, HEADER.size, *(at + cut for at in frames_of(crashed) for cut in (0, 10, 1000))]:
        crashed.write_bytes(start)
        log_of(crashed).write_bytes(whole[:length])
        assert not is_told(crashed), length
        kept = stored(crashed)
        assert kept == list(range(len(kept)))


def test_a_torn_frame_is_an_alarm_where_a_later_commit_proves_a_loss(crashed: Path) -> None:
    """At every place of every frame: the frame's header, its checksum, its page."""
    whole, start = log_of(crashed).read_bytes(), crashed.read_bytes()
    frames, commits = frames_of(crashed), commits_of(whole, frames_of(crashed))
    told = 0
    for number, at in enumerate(frames):
        for place in (0, 8, 16, FRAME.size + 100):
            crashed.write_bytes(start)
            torn = bytearray(whole)
            torn[at + place] ^= 0xFF
            log_of(crashed).write_bytes(torn)
            has_told = is_told(crashed)
            kept_log(crashed).unlink(missing_ok=True)
            lost = [each for each in commits if each >= number]
            assert stored(crashed) == list(range(COMMITS - len(lost))), "whole transactions, none behind a gap"
            if not lost:
                assert not has_told, "nothing that was committed is lost"
            elif len(lost) > 2:
                assert has_told, (number, place)
            told += has_told
    assert told > 0


def zero_a_page(log: bytearray, frames: list[int]) -> None:
    log[frames[1] : frames[2]] = bytes(frames[2] - frames[1])


def lose_the_header(log: bytearray, _frames: list[int]) -> None:
    log[: HEADER.size] = bytes(HEADER.size)


def swap_two_frames(log: bytearray, frames: list[int]) -> None:
    first, second, end = frames[1:4]
    log[first:end] = log[second:end] + log[first:second]


@pytest.mark.parametrize("change", [zero_a_page, lose_the_header, swap_two_frames])
def test_other_damage_is_an_alarm_too(crashed: Path, change: Tear) -> None:
    tear(crashed, change)
    assert is_told(crashed)


def test_the_last_transaction_looks_like_one_that_was_being_written(crashed: Path) -> None:
    """Its loss can't be told from a power cut before its end; what is left is whole."""

    def cut_the_last(log: bytearray, frames: list[int]) -> None:
        last = commits_of(log, frames)[-1]
        log[frames[last] :] = bytes(len(log) - frames[last])

    tear(crashed, cut_the_last)
    assert not is_told(crashed)
    assert stored(crashed) == list(range(COMMITS - 1))


def test_frames_of_an_older_log_are_no_alarm(crashed: Path) -> None:
    """After a checkpoint SQLite writes the log from its beginning, over what is of no use any more."""
    with closing(open_sqlite(crashed)) as connection:
        for number in range(COMMITS, 3 * COMMITS):
            add(connection, number)
        connection.execute("PRAGMA wal_checkpoint(RESTART)")
        add(connection, 99)
        copy = crashed.with_name("copy")
        copy.mkdir()
        for end in ("", "-wal"):
            shutil.copy(crashed.with_name(f"fogline.db{end}"), copy / f"fogline.db{end}")
    assert log_of(copy / "fogline.db").stat().st_size > 10_000
    assert not is_told(copy / "fogline.db")


@pytest.mark.heavy
def test_the_server_and_check_tell_it_until_the_host_has_acted(crashed: Path, fogline: Fogline) -> None:
    tear(crashed, zero_a_page)
    said = fogline("check", data_dir=str(crashed.parent)).stdout
    assert "FIX   database: the disk has lost transactions" in said
    site = ForkedSite(crashed.parent)
    site.stop()
    [line] = [line for line in site.log.splitlines() if "write_ahead_log_torn" in line]
    assert "restore BACKUP" in line
    assert "fogline check" in line
    assert "Traceback" not in site.log
    kept_log(crashed).unlink()
    assert "torn-wal" not in fogline("check", data_dir=str(crashed.parent)).stdout
