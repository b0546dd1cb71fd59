"""A server process that asyncio code can kill and start again on the same folder and port."""

import asyncio
import os
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from httpx import AsyncClient, TransportError

from harness.forked import Forked
from harness.paths import ROOT
from harness.processes import cpu_seconds, free_port


@dataclass(frozen=True)
class Start:
    """The seconds until a server was ready: on the clock, and of CPU."""

    wall: float
    cpu: float


class AwaitableFork:
    """A forked program with the interface of `asyncio.subprocess.Process`."""

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


class ServerProcess:
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
        self._process: asyncio.subprocess.Process | AwaitableFork | None = None

    async def start(self, *program: str) -> Start:
        """Start it, or another program in its place, and wait until it is ready."""
        began = time.perf_counter()
        self._process = await self._begin(program or ("app", "serve"))
        await self.answering()
        return Start(time.perf_counter() - began, cpu_seconds(self._process.pid))

    async def _begin(self, program: tuple[str, ...]) -> asyncio.subprocess.Process | AwaitableFork:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", *program), cwd=ROOT, env={**os.environ, **self._settings}
        )

    async def answering(self) -> None:
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
        """Stop it at once, as a loss of power would."""
        await self.stop(signal.SIGKILL)

    async def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Stop it and wait for its end. Gives the exit code."""
        assert self._process is not None
        if self._process.returncode is None:
            self._process.send_signal(how)
        return await self._process.wait()


class ForkedServerProcess(ServerProcess):
    """Starts at once, so that a test can kill many. Its start time says nothing about that of a real one."""

    async def _begin(self, program: tuple[str, ...]) -> AwaitableFork:
        return AwaitableFork(Forked(program, self._folder, self._settings))


async def is_ready(client: AsyncClient) -> bool:
    """Whether a server answers."""
    try:
        return (await client.get("/readyz")).is_success
    except TransportError:
        return False
