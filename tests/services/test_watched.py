"""A server of the tests ends with them, however they end."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.services.watched import alive

START = """
import time
from tests.services.{module} import {server}, {find}
server = {server}({find}())
print(server._server.pid, server.folder, flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize(
    ("module", "server", "find"),
    [("postgres", "PostgresServer", "find_binaries"), ("valkey", "ValkeyServer", "find_binary")],
)
def test_a_server_dies_with_a_killed_run_and_leaves_nothing(module: str, server: str, find: str) -> None:
    program = START.format(module=module, server=server, find=find)
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        pid, folder = run.stdout.readline().split()
        assert alive(int(pid))
        run.kill()
    until = time.monotonic() + 30
    while alive(int(pid)) or Path(folder).exists():
        assert time.monotonic() < until
        time.sleep(0.05)
