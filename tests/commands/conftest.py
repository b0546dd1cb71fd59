"""Commands on each database, as the command line calls them; in this process, since starting one takes a second."""

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from app.__main__ import main


@dataclass(frozen=True)
class Done:
    """What a command said, and how it ended."""

    returncode: int
    stdout: str
    stderr: str


Fogline = Callable[..., Done]

ROOT = Path(__file__).parents[2]


@pytest.fixture
def address(bare_address: str) -> str:
    """Commands make the tables themselves."""
    return bare_address


@pytest.fixture
def fogline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fogline:
    """Runs `fogline` in the test's folder; settings are keywords. It has a thread, and so a loop, of its own."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str | Path, **settings: str) -> Done:
        with monkeypatch.context() as patch:
            for name in [name for name in os.environ if name.startswith("FOGLINE_")]:
                patch.delenv(name)
            for name, value in {"data_dir": str(tmp_path / "data"), **settings}.items():
                patch.setenv(f"FOGLINE_{name.upper()}", value)
            patch.setattr(sys, "argv", ["fogline", *map(str, arguments)])
            with ThreadPoolExecutor(1) as thread:
                return thread.submit(told).result()

    return run


def told() -> Done:
    out = TextIOWrapper(BytesIO(), encoding="ascii")  # a terminal that knows few signs
    err = TextIOWrapper(BytesIO(), encoding="ascii", errors="backslashreplace")  # as Python's own is
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main()
            code: str | int | None = 0
        except SystemExit as ending:
            code = ending.code
        if isinstance(code, str):
            sys.stderr.write(f"{code}\n")
    return Done(1 if isinstance(code, str) else code or 0, text_of(out), text_of(err))


def text_of(stream: TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


def complaint(done: Done) -> str:
    """The one sentence of a command that failed."""
    assert done.returncode == 1, done
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr
