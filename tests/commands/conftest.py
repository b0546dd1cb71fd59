"""Commands run as processes, as a host runs them, on each database."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Fogline = Callable[..., "subprocess.CompletedProcess[str]"]

ROOT = Path(__file__).parents[2]


@pytest.fixture
def sqlite_address(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'data' / 'fogline.db'}"


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest) -> str:
    address: str = request.getfixturevalue(f"{request.param}_address")
    return address


@pytest.fixture
def fogline(tmp_path: Path) -> Fogline:
    """Runs `fogline` on a database; further settings are keywords."""

    def run(*arguments: str | Path, **settings: str) -> "subprocess.CompletedProcess[str]":
        plain = {name: value for name, value in os.environ.items() if not name.startswith("FOGLINE_")}
        named = {f"FOGLINE_{name.upper()}": value for name, value in settings.items()}
        command = [sys.executable, "-m", "app", *map(str, arguments)]
        environment = {**plain, "FOGLINE_DATA_DIR": str(tmp_path / "data"), "PYTHONPATH": str(ROOT), **named}
        return subprocess.run(
            command, cwd=tmp_path, env=environment, check=False, capture_output=True, text=True, timeout=120
        )

    return run


def complaint(done: "subprocess.CompletedProcess[str]") -> str:
    """The one sentence of a command that failed."""
    assert done.returncode == 1, done
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr
