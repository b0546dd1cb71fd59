"""The commands that migrate, save and restore the whole database."""

import asyncio
import os
import shutil
import sys
import tempfile
from argparse import Namespace
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from app.store import InstanceLockedError, NotEmptyError, StoreError, hold_instance_lock, open_store, visits
from app.store.backup import load, save
from app.store.instance_lock import need_same_name

from .host import CommandError, Host


@contextmanager
def told() -> Generator[None]:
    """Turn errors of the database into a message."""
    try:
        yield
    except StoreError as error:
        raise CommandError(str(error)) from error


def migrate(host: Host, _asked: Namespace) -> None:
    """Bring the schema up to date."""
    with told():
        need_same_name(host.database)
        asyncio.run(_open(host.database))
    print("The database's schema is up to date.")


async def _open(address: str) -> None:
    async with open_store(address):
        pass


def backup(host: Host, asked: Namespace) -> None:
    """Save the database. Messages go to standard error, since the backup may go to standard output."""
    with told(), new_file(asked.file) as file:
        need_same_name(host.database)
        count = asyncio.run(save(host.database, file, datetime.now(UTC)))
    print(f"{count} rows were saved.", file=sys.stderr)


def restore(host: Host, asked: Namespace) -> None:
    """Fill the database."""
    with told(), ExitStack() as stack:
        path = stack.enter_context(spooled()) if asked.file == "-" else Path(asked.file)
        try:
            count = asyncio.run(_load(host.database, path, replace=asked.replace))
        except InstanceLockedError as error:
            raise CommandError("A server uses this database; stop it first. Nothing was changed.") from error
        except NotEmptyError as error:
            raise CommandError(f"{error} To remove what it holds, say --replace.") from error
    print(f"{count} rows were restored.")


async def _load(address: str, path: Path, *, replace: bool) -> int:
    async with hold_instance_lock(address, shared=False):
        count = await load(address, path, replace=replace)
        async with open_store(address) as store:
            await store.write(visits.renew_visits, datetime.now(UTC))
        return count


@contextmanager
def new_file(name: str) -> Generator[IO[bytes]]:
    """A file that appears when complete. Only its owner may read it, since it has the seeds of games in progress."""
    try:
        with nullcontext(sys.stdout.buffer) if name == "-" else _written(Path(name)) as file:
            yield file
    except BrokenPipeError:
        raise
    except OSError as error:
        raise CommandError(f"{name} can't be written: {error.strerror}.") from error


@contextmanager
def _written(path: Path) -> Generator[IO[bytes]]:
    if path.exists():
        raise CommandError(f"{path} is there already, and was left as it is.")
    with tempfile.NamedTemporaryFile(dir=path.absolute().parent, prefix=f".{path.name}.", delete=False) as file:
        unfinished = Path(file.name)
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
            unfinished.rename(path)
        except BaseException:
            unfinished.unlink()
            raise


@contextmanager
def spooled() -> Generator[Path]:
    """Standard input as a file, since a backup is read twice, the first time to check it."""
    with tempfile.NamedTemporaryFile(prefix="fogline-") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
        file.flush()
        yield Path(file.name)
