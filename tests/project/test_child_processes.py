"""The servers that a test run starts end with it, even when it is killed."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from harness.processes import PATIENCE, alive

START = """
import time
from harness.{module} import {server}, {find}
{prepare}
server = {server}({find}())
print(server._server.pid, server.folder, flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize(
    ("module", "server", "find", "prepare"),
    [
        pytest.param("postgres", "PostgresServer", "find_binaries", "", id="postgres"),
        pytest.param(
            "postgres",
            "PostgresServer",
            "find_binaries",
            "PostgresServer._may_run = lambda *_: False",
            id="a copy of it",
        ),
        pytest.param("valkey", "ValkeyServer", "find_binary", "", id="valkey"),
    ],
)
def test_a_server_dies_with_a_killed_run_and_leaves_nothing(module: str, server: str, find: str, prepare: str) -> None:
    program = START.format(module=module, server=server, find=find, prepare=prepare)
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        pid, folder = run.stdout.readline().split()
        assert alive(int(pid))
        run.kill()
    until = time.monotonic() + PATIENCE
    while alive(int(pid)) or Path(folder).exists():
        assert time.monotonic() < until
        time.sleep(0.05)
