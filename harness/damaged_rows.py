"""Columns that hold what can't be there, in a database with something in every table."""

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import cast

import psycopg
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient
from psycopg.sql import SQL, Identifier

from app.store import results, visits
from app.store.tables import installation, metadata
from app.web import Site
from harness.callers import Caller, first_legal, new_caller

VALUES = {"null": None, "brace": "{", "bytes": b"\xff\x00\xfe", "number": 7, "huge": "9" * 100_000}
POSTGRES_VALUES = {
    "null": None,
    "brace": "{",
    "bytes": b"\xff\x00\xfe",
    "number": 7,
    "infinity": "infinity",
    "empty": "",
}
"""PostgreSQL takes a value only where the column's type has it."""

COLUMNS = [
    f"{table.name}.{column.name}"
    for table in metadata.sorted_tables
    if table is not installation
    for column in table.columns
]


async def fill_every_table(client: AsyncClient) -> tuple[str, Caller]:
    """A game with a move, talk, a kept position, a result, something due, and a link: its code, and its host."""
    ann, bob = await new_caller(client), await new_caller(client, "Bob")
    code = await ann.create(seats=2)
    await bob.post(f"{code}/join", {})
    await ann.post(f"{code}/start")
    view = (await ann.get(f"{code}/view")).json()
    await ann.post(f"{code}/act", {"id": "a", "version": view["version"], "action": first_legal(view)})
    await ann.post(f"{code}/talk", {"id": "b", "text": "Hello"})
    link = await client.post("/api/v1/links", json={}, headers=ann.headers)
    assert link.status_code == 201
    app = cast("FastAPI", cast("ASGITransport", client._transport).app)
    site = cast("Site", app.state.site)
    await site.upkeep.keep_positions(timedelta(0))
    await site.store.write(results.add_results, {code: "{}"})
    await site.store.write(visits.put_off, [code], site.context.now())
    return code, ann


def empty_tables(address: str) -> list[str]:
    """The tables in which there is nothing to damage."""
    names = [table.name for table in metadata.sorted_tables]
    return [name for name in names if not run(address, f"SELECT count(*) FROM {name}")[0][0]]


def run(address: str, query: str) -> list[tuple[int]]:
    if address.startswith("sqlite"):
        with closing(sqlite3.connect(file_of(address))) as connection:
            return connection.execute(query).fetchall()
    with psycopg.connect(address) as connected:
        return connected.execute(SQL(query)).fetchall()


def file_of(address: str) -> Path:
    return Path(address.removeprefix("sqlite:///"))


def damage(address: str, column: str, value: object) -> bool:
    """Put the value into all rows; whether the database takes it there."""
    table, _, name = column.partition(".")
    try:
        if address.startswith("sqlite"):
            with closing(sqlite3.connect(file_of(address), isolation_level=None)) as connection:
                connection.execute(f"UPDATE {table} SET {name} = ?", [value])
        else:
            with psycopg.connect(address) as connected:
                connected.execute(SQL("UPDATE {} SET {} = %s").format(Identifier(table), Identifier(name)), [value])
    except (sqlite3.IntegrityError, psycopg.Error):
        return False
    return True
