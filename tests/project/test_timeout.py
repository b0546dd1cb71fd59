"""A run of tests ends by itself, whatever hangs: a test, a fixture or the exit."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.paths import ROOT

HANGING = {
    "a loop": "def test_it():\n    while True:\n        pass",
    "a loop on the event loop": "async def test_it():\n    while True:\n        pass",
    "a wait for ever": "import asyncio\nasync def test_it():\n    await asyncio.Event().wait()",
    "a thread": "import threading\ndef test_it():\n    threading.Event().wait()",
    "a fixture": "import pytest, time\n@pytest.fixture\ndef slow():\n    time.sleep(600)\ndef test_it(slow):\n    pass",
}

TEARDOWN = """
import threading, pytest

@pytest.fixture(scope="{scope}")
def hanging():
    yield
    while True:
        try:
            threading.Event().wait()
        except BaseException:
            pass

def test_it(hanging):
    {body}
"""

TEARDOWNS = {
    "a teardown": TEARDOWN.format(scope="function", body="pass"),
    "a teardown after a failure": TEARDOWN.format(scope="function", body="assert False"),
    "a teardown after a timeout": TEARDOWN.format(scope="function", body="threading.Event().wait()"),
    "a teardown of the module": TEARDOWN.format(scope="module", body="assert False"),
}

LAST_TEARDOWN = TEARDOWN.format(scope="session", body="assert False")

EXIT = """
import threading

def test_it():
    threading.Thread(target=threading.Event().wait).start()
"""

LIMITS = {"\ntimeout = 600\n": "\ntimeout = 1\n", "\nfaulthandler_timeout = 660\n": "\nfaulthandler_timeout = 3\n"}


def run(folder: Path, tests: dict[str, str], processes: str) -> subprocess.CompletedProcess[str]:
    """Run these tests with the settings of pyproject.toml but shorter limits, and with a passing one among them."""
    configuration = (ROOT / "pyproject.toml").read_text()
    for limit, shorter in LIMITS.items():
        assert limit in configuration
        configuration = configuration.replace(limit, shorter)
    (folder / "pyproject.toml").write_text(configuration)
    for number, test in enumerate([*tests.values(), "def test_it():\n    pass"]):
        place = folder / "tests" / str(number)
        place.mkdir(parents=True)
        (place / "test_it.py").write_text(test)
    command = [sys.executable, "-m", "pytest", "-p", "harness.hangs", "-n", processes]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command, cwd=folder, env=environment, check=False, capture_output=True, text=True, timeout=300
    )


@pytest.mark.slow
@pytest.mark.parametrize("processes", ["0", "2"])
def test_a_hanging_test_fails_by_itself(processes: str, tmp_path: Path) -> None:
    ran = run(tmp_path, HANGING, processes)
    assert f"{len(HANGING) - 1} failed, 1 passed, 1 error" in ran.stdout, ran.stdout + ran.stderr
    assert ran.stdout.count("Timeout (>1.0s) from pytest-timeout") >= len(HANGING)


@pytest.mark.slow
def test_a_hanging_teardown_costs_a_process_and_the_run_goes_on(tmp_path: Path) -> None:
    ran = run(tmp_path, TEARDOWNS, "2")
    assert ran.returncode == 1, ran.stdout + ran.stderr
    for number in range(len(TEARDOWNS)):
        assert f"crashed while running 'tests/{number}/test_it.py::test_it'" in ran.stdout, ran.stdout + ran.stderr
    assert "2 passed" in ran.stdout  # one of them with its teardown still to come
    assert ran.stderr.count(" in hanging\n") == len(TEARDOWNS)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("test", "processes"),
    [
        pytest.param(TEARDOWNS["a teardown after a timeout"], "0", id="of a test"),
        pytest.param(LAST_TEARDOWN, "0", id="of the session"),
        pytest.param(LAST_TEARDOWN, "2", id="of the session in one of two processes"),
    ],
)
def test_a_hanging_teardown_ends_its_process(test: str, processes: str, tmp_path: Path) -> None:
    ran = run(tmp_path, {"it": test}, processes)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "tests/0/test_it.py" in ran.stdout
    assert " in hanging\n" in ran.stderr


@pytest.mark.slow
def test_an_exit_that_waits_for_a_thread_ends(tmp_path: Path) -> None:
    ran = run(tmp_path, {"an exit": EXIT}, "0")
    assert "2 passed" in ran.stdout
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "Timeout (0:00:03)!" in ran.stderr


def test_the_whole_run_has_a_limit() -> None:
    """Collecting tests, for one, is watched by nobody else."""
    assert "timeout --foreground --kill-after=60 " in (ROOT / "run").read_text()
