"""Changes a module in one place at a time, runs its tests on each change, and shows the changes that no test notices.

    .venv/bin/python -m tools.mutate app/rules/scoring.py --tests tests/rules/test_end.py --most 40

It uses cosmic-ray in an environment of its own, on a copy of the files that git knows: the working tree stays as it is.
Of more than `--most` changes it tries so many, always the same ones. It is for a look now and then, and no part of CI.
"""

import argparse
import json
import shlex
import shutil
import sqlite3
import subprocess
import sys
import venv
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
ENVIRONMENT = ROOT / ".venv" / "cosmic-ray"
COSMIC_RAY = ENVIRONMENT / "bin" / "cosmic-ray"
REQUIREMENT = "cosmic-ray>=8.7,<9"
SECONDS = 120.0
"""Seconds for the tests; a change that makes them hang counts as noticed."""


def main() -> int:
    """Gives the number of unnoticed changes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="+")
    parser.add_argument("--tests", nargs="+", required=True)
    parser.add_argument("--most", type=int, default=100)
    asked = parser.parse_args()
    if not COSMIC_RAY.exists():
        venv.create(ENVIRONMENT, with_pip=True)
        subprocess.run([ENVIRONMENT / "bin" / "python", "-m", "pip", "install", "--quiet", REQUIREMENT], check=True)
    with TemporaryDirectory() as folder:
        return try_changes(Path(folder), asked.modules, asked.tests, asked.most)


def try_changes(folder: Path, modules: list[str], tests: list[str], most: int) -> int:
    """Run the tests on each change in a copy of the tree. Gives the number of unnoticed changes."""
    copy, session = folder / "copy", folder / "session.sqlite"
    copy_to(copy)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-x",
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        "-m",
        "not slow",
        *tests,
    ]
    subprocess.run(command, cwd=copy, check=True)
    configuration = folder / "cosmic-ray.toml"
    configuration.write_text(
        f"[cosmic-ray]\nmodule-path = {json.dumps(modules)}\ntimeout = {SECONDS}\nexcluded-modules = []\n"
        f'test-command = {json.dumps(shlex.join(command))}\n[cosmic-ray.distributor]\nname = "local"\n'
    )
    subprocess.run([COSMIC_RAY, "init", configuration, session], cwd=copy, check=True)
    pick(session, most)
    with suppress(KeyboardInterrupt):  # what was tried until then is shown
        subprocess.run([COSMIC_RAY, "exec", configuration, session], cwd=copy, check=True)
    return report(session)


def copy_to(copy: Path) -> None:
    """Copy the files of the working tree that git tracks."""
    named = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
    for name in filter(None, named.stdout.split("\0")):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, copy / name)


def pick(session: Path, most: int) -> None:
    """Keep at most `most` of the changes. Drop those of annotations, which change nothing."""
    with closing(sqlite3.connect(session)) as database, database:
        jobs = [
            job
            for job, operator in database.execute("SELECT job_id, operator_name FROM mutation_specs ORDER BY rowid")
            if "BinaryOperator_BitOr" not in operator
        ]
        kept = [(job,) for job in Random(1).sample(jobs, min(most, len(jobs)))]
        database.execute("CREATE TEMPORARY TABLE kept (job)")
        database.executemany("INSERT INTO kept VALUES (?)", kept)
        for table in ("mutation_specs", "work_items"):
            database.execute(f"DELETE FROM {table} WHERE job_id NOT IN (SELECT job FROM kept)")


def report(session: Path) -> int:
    """Print the unnoticed changes. Gives their number."""
    with closing(sqlite3.connect(session)) as database:
        tried = database.execute("SELECT test_outcome, diff FROM work_results").fetchall()
    unnoticed = [diff for outcome, diff in tried if outcome == "SURVIVED"]
    print(*unnoticed, f"{len(tried)} changes, {len(unnoticed)} not noticed", sep="\n\n")
    return len(unnoticed)


if __name__ == "__main__":
    sys.exit(main())
