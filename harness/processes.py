"""Child processes that die with the test run even when that is killed: a shell waits at the end of a pipe."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypedDict

# a line on the pipe means that the run has stopped the child; its end, that the run is gone
WATCH = """
folder=$1 quit=$2; shift 2
"$@" >>"$folder/log" 2>&1 &
echo $!
if read -r _; then wait; else kill -s CONT $!; kill -s "$quit" $!; wait; rm -rf "$folder"; fi
"""


PATIENCE = 120.0
"""Seconds for a server to start or stop: many, since the machine may be busy."""

ROOM = 1 << 30
"""Bytes wanted on the quick disk; a run of all tests takes less than half of them."""


class ChildProcess:
    """A running program. If the test run is killed, it gets the signal `ending`, and its `folder` is removed."""

    def __init__(self, command: list[str], folder: Path, *, ending: str, user: str | None) -> None:
        self._shell = subprocess.Popen(
            ["/bin/sh", "-c", WATCH, "watch", str(folder), ending, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=folder,
            env={**os.environ, "LC_ALL": "C", "HOME": str(folder)},
            start_new_session=True,
            **as_user(user),
        )
        assert self._shell.stdout is not None
        self.pid = int(self._shell.stdout.readline())

    def ended(self) -> bool:
        return not alive(self.pid)

    def stop(self, how: signal.Signals) -> None:
        assert self._shell.stdin is not None
        assert self._shell.stdout is not None
        if not self._shell.stdin.closed:
            os.kill(self.pid, how)
            self._shell.communicate(b"ended\n", timeout=PATIENCE)

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """Stop it (SIGSTOP): it keeps its connections and does not answer."""
        os.kill(self.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self.pid, signal.SIGCONT)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


class Identity(TypedDict, total=False):
    """The arguments of `subprocess` for another user; empty for the same one."""

    user: str
    group: int
    extra_groups: list[int]


def as_user(user: str | None) -> Identity:
    if user is None:
        return {}
    return {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}


def quick_disk() -> str:
    """The fastest folder for files of tests: in memory, if there is room and programs may run there."""
    memory = Path("/dev/shm")
    if os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > ROOM:
        return tempfile.gettempdir() if os.statvfs(memory).f_flag & os.ST_NOEXEC else str(memory)
    return tempfile.gettempdir()


def make_folder(prefix: str, user: str | None) -> Path:
    folder = Path(tempfile.mkdtemp(prefix=f"fogline-{prefix}-", dir=quick_disk()))
    if user is not None:
        shutil.chown(folder, user)
    return folder


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def cpu_seconds(pid: int) -> float:
    """The CPU time of a process with all its threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")
