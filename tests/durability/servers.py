"""The server as its own process, which can be killed and started again at the same place."""

import asyncio
import os
import signal
import socket
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from httpx import AsyncClient, TransportError

from tests.services.forks import Forked

ROOT = Path(__file__).parents[2]


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass(frozen=True)
class Start:
    """The seconds until a server was ready, and how many of them were work of its own."""

    wall: float
    cpu: float


def cpu_of(pid: int) -> float:
    """The seconds a process has worked."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


class Child:
    """A forked program, waited for as for one of asyncio's."""

    def __init__(self, forked: Forked) -> None:
        self._forked = forked
        self.pid = forked.pid

    @property
    def returncode(self) -> int | None:
        return self._forked.exit_code

    def send_signal(self, how: signal.Signals) -> None:
        os.kill(self.pid, how)

    async def wait(self) -> int:
        return await asyncio.to_thread(self._forked.wait)


class Process:
    """`python -m app serve` on a folder and a port."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._settings = {
            "FOGLINE_DATA_DIR": str(folder),
            "FOGLINE_PORT": str(self.port),
            "FOGLINE_RATE_LIMITS": "off",
            "FOGLINE_BOT_PACE": "0",
            **settings,
        }
        self._folder = folder
        self._process: asyncio.subprocess.Process | Child | None = None

    async def start(self, *program: str) -> Start:
        """Start it, or the program that stands for it, and wait until it is ready."""
        began = time.perf_counter()
        self._process = await self._begin(program or ("app", "serve"))
        await self.answering()
        return Start(time.perf_counter() - began, cpu_of(self._process.pid))

    async def _begin(self, program: tuple[str, ...]) -> asyncio.subprocess.Process | Child:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", *program), cwd=ROOT, env={**os.environ, **self._settings}
        )

    async def answering(self) -> None:
        """Wait until it answers."""
        assert self._process is not None
        async with AsyncClient(base_url=self.address, verify=False) as client:
            while not await is_ready(client):
                assert self._process.returncode is None, "the server did not start"
                await asyncio.sleep(0.02)

    async def died(self) -> None:
        """Wait for its end."""
        assert self._process is not None
        await self._process.wait()

    async def kill(self) -> None:
        """As power loss does it to a process: no last word."""
        await self.stop(signal.SIGKILL)

    async def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Stop it, and wait for its end."""
        assert self._process is not None
        if self._process.returncode is None:
            self._process.send_signal(how)
        return await self._process.wait()


class ForkedProcess(Process):
    """Begins at once, so that many can be killed; its start tells nothing of a real one."""

    async def _begin(self, program: tuple[str, ...]) -> Child:
        return Child(Forked(program, self._folder, self._settings))


async def is_ready(client: AsyncClient) -> bool:
    """Whether a server answers."""
    try:
        return (await client.get("/readyz")).is_success
    except TransportError:
        return False
