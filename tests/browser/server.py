"""The real server as a process of its own, which can be killed and started again on the same port and data."""

import shutil
import signal
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from tests.services.watched import Watched, free_port, make_folder

ROOT = Path(__file__).parents[2]


class FoglineServer:
    def __init__(self) -> None:
        self.folder = make_folder("browser", None)
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._start()

    def _start(self) -> None:
        settings = {
            "PYTHONPATH": ROOT,
            "FOGLINE_PORT": self.port,
            "FOGLINE_DATA_DIR": self.folder / "data",
            "FOGLINE_BOT_PACE": 0,
            "FOGLINE_RATE_LIMITS": "off",
            "FOGLINE_BOARDS_DIR": ROOT / "tests/rules/boards",
        }
        words = [f"{name}={value}" for name, value in settings.items()]
        command = ["/usr/bin/env", *words, sys.executable, "-P", "-m", "app", "serve"]
        self._process = Watched(command, self.folder, ending="KILL", user=None)
        self._wait_until_ready()

    def _wait_until_ready(self) -> None:
        give_up = time.monotonic() + 30
        while not self._answers():
            assert time.monotonic() < give_up, (self.folder / "log").read_text()
            time.sleep(0.05)

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.address}/readyz", timeout=5) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False

    def kill(self) -> None:
        self._process.stop(signal.SIGKILL)

    def start_again(self) -> None:
        self._start()

    def close(self) -> None:
        self._process.stop(signal.SIGTERM)
        shutil.rmtree(self.folder, ignore_errors=True)
