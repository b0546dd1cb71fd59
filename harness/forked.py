"""Programs that start at once, because a process that has imported the whole application forks them.

Importing takes longer than all else that most tests do with a server, so it is done once for a run. Tests of the start
itself use a `Site`.
"""

import ctypes
import os
import runpy
import signal
import sys
from collections.abc import Mapping, Sequence
from multiprocessing import forkserver, get_context
from pathlib import Path

from harness.processes import PATIENCE, ChildProcess
from harness.site import Site
from harness.timeouts import lengthen_timeouts

PARENT_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of <linux/prctl.h>."""

forking = get_context("forkserver")
forking.set_forkserver_preload(["app.main", "harness.timeouts"])


class Forked(ChildProcess):
    """A running program: a module and its arguments. It dies with the test run."""

    def __init__(
        self, program: Sequence[str], folder: Path, environment: Mapping[str, str], *, patient: bool = False
    ) -> None:
        """Its output goes to the file `log` in its folder. `patient`: with longer timeouts."""
        folder.mkdir(parents=True, exist_ok=True)
        surroundings = {**os.environ, "LC_ALL": "C", "HOME": str(folder), **environment}
        self._process = forking.Process(
            target=become_patiently if patient else become, args=(tuple(program), folder, surroundings), daemon=True
        )
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid

    @property
    def exit_code(self) -> int | None:
        """None while it runs."""
        return self._process.exitcode

    def ended(self) -> bool:
        return self.exit_code is not None

    def wait(self) -> int:
        """Wait for its end. Gives its exit code."""
        self._process.join(PATIENCE)
        assert self.exit_code is not None, f"process {self.pid} goes on"
        return self.exit_code

    def stop(self, how: signal.Signals) -> None:
        if not self.ended():
            os.kill(self.pid, how)
            self.wait()


def become(program: tuple[str, ...], folder: Path, environment: dict[str, str]) -> None:
    """Become `python -m PROGRAM`."""
    die_with_the_run()
    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    log = os.open("log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(log, 1)
    os.dup2(log, 2)
    module, *sys.argv[1:] = program
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def become_patiently(program: tuple[str, ...], folder: Path, environment: dict[str, str]) -> None:
    """The same with longer timeouts."""
    lengthen_timeouts()
    become(program, folder, environment)


def die_with_the_run() -> None:
    """The fork server exits when nobody else holds its pipe open, and the kernel kills this process with it."""
    os.close(forkserver._forkserver._forkserver_alive_fd)  # type: ignore[attr-defined]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, signal.SIGKILL)


class ForkedSite(Site):
    """A site that starts at once."""

    main: tuple[str, ...] = ("app", "serve")
    patient = True

    def start(self) -> None:
        self._logs = self.folder.with_name(f"{self.folder.name}-log")
        self._server = Forked(self.main, self._logs, self._environment, patient=self.patient)
        self.wait_until_ready()


def refused_start(folder: Path, **settings: str) -> str:
    """The output of a server that refuses to start."""
    server = Forked(("app",), folder, {"FOGLINE_DATA_DIR": str(folder), "FOGLINE_PORT": "0", **settings})
    assert server.wait() == 1
    said = (folder / "log").read_text()
    assert "Traceback" not in said
    return said
