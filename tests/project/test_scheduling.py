"""`harness.scheduling` decides which process runs a test. If pytest-xdist's API changes, it ignores that silently."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
WORDS = ["-n", "2", "--dist", "loadgroup", "--no-loadscope-reorder"]

MODULE = """
import os
import pytest

def note(word):
    with open("noted", "a") as notes:
        notes.write(f"{word} {os.getpid()}\\n")

@pytest.fixture(scope="module")
def made():
    note("made")

@pytest.mark.parametrize("number", range(5))
def test_one(made, number):
    pass

@pytest.mark.heavy
@pytest.mark.parametrize("number", range(5))
def test_alone(number):
    note("heavy")
"""


def test_a_module_is_set_up_once_and_what_is_heavy_has_one_process(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / f"test_{name}.py").write_text(MODULE)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n    heavy\n    slow\n")
    command = [sys.executable, "-m", "pytest", "-p", "xdist", "-p", "harness.scheduling", *WORDS]
    alone = {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # others take long to load
    ran = subprocess.run(command, cwd=tmp_path, env=alone, check=False, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout
    notes = [line.split() for line in (tmp_path / "noted").read_text().splitlines()]
    assert [word for word, _ in notes].count("made") == 2
    assert len({process for word, process in notes if word == "heavy"}) == 1


def test_the_tests_are_run_with_these_words() -> None:
    assert " ".join(WORDS[2:]) in (ROOT / "run").read_text()
