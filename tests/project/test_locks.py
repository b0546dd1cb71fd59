"""The lock files: whole, in agreement with pyproject.toml, and tied to nobody's index."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[2]
SERVING = "requirements.lock"
TESTING = "requirements-dev.lock"
PIN = re.compile(r"^(?P<name>[a-z0-9.-]+)==(?P<version>[^\s;]+)(?: ; [^\\]+?)? \\$", re.MULTILINE)


def text_of(lock: str) -> str:
    return (ROOT / lock).read_text(encoding="utf-8")


def pins(lock: str) -> set[tuple[str, Version]]:
    return {(pin["name"], Version(pin["version"])) for pin in PIN.finditer(text_of(lock))}


def demands(lock: str) -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = project["dependency-groups"]
    extra = [] if lock == SERVING else groups["dev"] + groups["bench"]
    return [Requirement(line) for line in project["project"]["dependencies"] + extra]


@pytest.mark.parametrize("lock", [SERVING, TESTING])
def test_a_lock_holds_no_address(lock: str) -> None:
    assert "://" not in text_of(lock)


@pytest.mark.parametrize("lock", [SERVING, TESTING])
def test_every_line_of_a_lock_is_a_pin_a_hash_or_a_remark(lock: str) -> None:
    known = re.compile(r"[a-z0-9.-]+==.* \\|    --hash=sha256:[0-9a-f]{64}(?: \\)?|\s*#.*")
    assert not [line for line in text_of(lock).splitlines() if not known.fullmatch(line)]


@pytest.mark.parametrize("lock", [SERVING, TESTING])
def test_a_lock_fulfils_what_pyproject_asks_for(lock: str) -> None:
    locked = pins(lock)
    unfulfilled = [
        str(demand)
        for demand in demands(lock)
        if not any(name == demand.name and version in demand.specifier for name, version in locked)
    ]
    assert not unfulfilled, "run ./run lock"


def test_the_tests_run_on_what_is_served() -> None:
    assert pins(SERVING) <= pins(TESTING)
