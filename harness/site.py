"""A real server: `python -m app serve`, which dies with the test run."""

import http.client
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.paths import ROOT
from harness.processes import PATIENCE, ChildProcess, free_port, make_folder


class Site:
    """A server process with settings of its own: keywords are FOGLINE_... in the environment."""

    program: tuple[str, ...] = ("-P", "-m", "app", "serve")
    begins_with = "/readyz"
    """The path that answers 200 once the server is ready."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.port = free_port()
        self.folder = folder
        self._environment = {
            "FOGLINE_PORT": str(self.port),
            "FOGLINE_DATA_DIR": str(folder),
            "FOGLINE_RATE_LIMITS": "off",
            "FOGLINE_BOT_PACE": "0",
            "PYTHONPATH": str(ROOT),
            **{f"FOGLINE_{name.upper()}": value for name, value in settings.items()},
        }
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        return self._server.pid

    @property
    def log(self) -> str:
        return (self._logs / "log").read_text()

    def start(self) -> None:
        words = [f"{name}={value}" for name, value in self._environment.items()]
        command = ["/usr/bin/env", *words, sys.executable, *self.program]
        self._logs = make_folder("site", None)
        self._server = ChildProcess(command, self._logs, ending="KILL", user=None)
        self.wait_until_ready()

    def wait_until_ready(self) -> None:
        until = time.monotonic() + PATIENCE
        base = self._environment.get("FOGLINE_BASE_PATH", "").rstrip("/")
        while self.status(f"{base}{self.begins_with}") != 200:
            if self._server.ended() or time.monotonic() > until:
                raise RuntimeError(self.log)
            time.sleep(0.02)

    def status(self, path: str) -> int | None:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("GET", path)
            return connection.getresponse().status
        except OSError:
            return None
        finally:
            connection.close()

    def kill(self) -> None:
        self._server.stop(signal.SIGKILL)

    def stop(self) -> None:
        self._server.stop(signal.SIGTERM)

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """Stop the process (SIGSTOP): it keeps its connections and does not answer."""
        with self._server.hanging():
            yield
