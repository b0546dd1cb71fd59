"""A test that hangs ends by itself, however it hangs: `pyproject.toml` says after how long."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

HANGING = {
    "a loop": "def test_it():\n    while True:\n        pass",
    "a loop on the event loop": "async def test_it():\n    while True:\n        pass",
    "a wait for ever": "import asyncio\nasync def test_it():\n    await asyncio.Event().wait()",
    "a thread": "import threading\ndef test_it():\n    threading.Event().wait()",
    "a fixture": "import pytest, time\n@pytest.fixture\ndef slow():\n    time.sleep(600)\ndef test_it(slow):\n    pass",
}


@pytest.mark.slow
@pytest.mark.parametrize("processes", ["0", "2"])
def test_a_hanging_test_ends_by_itself(processes: str, tmp_path: Path) -> None:
    configuration = (ROOT / "pyproject.toml").read_text()
    assert "\ntimeout = 600\n" in configuration
    (tmp_path / "pyproject.toml").write_text(configuration.replace("\ntimeout = 600\n", "\ntimeout = 2\n"))
    for number, test in enumerate(HANGING.values()):
        folder = tmp_path / "tests" / str(number)
        folder.mkdir(parents=True)
        (folder / "test_it.py").write_text(test)
    command = [sys.executable, "-m", "pytest", "-n", processes]
    ran = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True, timeout=300)
    assert f"{len(HANGING) - 1} failed, 1 error" in ran.stdout, ran.stdout + ran.stderr
    assert ran.stdout.count("Timeout (>2.0s) from pytest-timeout") >= len(HANGING)
