"""The commands that list, end and delete rooms."""

import asyncio
from argparse import Namespace
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import TypeVar

from app.rooms import parse_code
from app.rooms.soundness import find_trouble
from app.rooms.upkeep import SWEEP
from app.store import DamagedRowError, RoomRow, Store, open_store, queries
from app.store.instance_lock import need_same_name
from app.store.probe import probe

from .database import told
from .host import CommandError, Host

T = TypeVar("T")

NOTICE = f"A server that has it open notices within {SWEEP:g} seconds."


def show(host: Host, asked: Namespace) -> None:
    """Print a line for each of the newest rooms."""
    listed = _ask(host, lambda store: store.read(queries.newest_rooms, asked.status, asked.most))
    for row, moves in listed:
        print(row if isinstance(row, DamagedRowError) else _line(row, moves))
    print(f"{len(listed)} rooms" + (", the newest; --most shows more" if len(listed) == asked.most else ""))


def _line(row: RoomRow, moves: int) -> str:
    names = ", ".join(seat.name or "-" for seat in row.seats)
    trouble = find_trouble(row)
    damage = "" if trouble is None else f"  (damaged: {trouble})"
    return f"{row.code}  {row.status:<7}  {row.created_at:%Y-%m-%d %H:%M}  {moves:>4} moves  {names}{damage}"


def end(host: Host, asked: Namespace) -> None:
    """End a game as it stands."""
    now = datetime.now(UTC)
    row = _ask(host, lambda store: store.write(queries.change_room, _code(asked.code), lambda row: ended(row, now)))
    if row is None:
        raise CommandError(f"there is no room {asked.code}.")
    print(f"{row.code} is over. {NOTICE}")


def ended(row: RoomRow, now: datetime) -> RoomRow:
    """The row of a game that is over."""
    if row.status == "lobby":
        raise CommandError(f"{row.code} has not begun; `fogline rooms delete {row.code}` removes it.")
    if row.status == "over":
        raise CommandError(f"{row.code} is over already.")
    return replace(row, status="over", ended_at=now)


def delete(host: Host, asked: Namespace) -> None:
    """Remove a room."""
    code = _code(asked.code)
    if not _ask(host, lambda store: store.write(queries.delete_room, code)):
        raise CommandError(f"there is no room {asked.code}.")
    print(f"{code} is removed. {NOTICE}")


def _code(text: str) -> str:
    code = parse_code(text)
    if code is None:
        raise CommandError(f"{text} is no code of a room.")
    return code


def _ask(host: Host, question: Callable[[Store], Awaitable[T]]) -> T:
    async def ask() -> T:
        await _need_own_schema(host.database)
        async with open_store(host.database) as store:
            return await question(store)

    with told():
        need_same_name(host.database)
        return asyncio.run(ask())


async def _need_own_schema(address: str) -> None:
    """Refuse if there is no database, or one of another schema, instead of making or migrating it."""
    found = await probe(address)
    if found is None or found.schema is None:
        raise CommandError("there is no database of Fogline here; it is made when the site is first served.")
    if found.schema != found.newest_schema:
        raise CommandError(
            f"the database has schema {found.schema}, this Fogline has {found.newest_schema}; "
            "`fogline check` says what to do."
        )
