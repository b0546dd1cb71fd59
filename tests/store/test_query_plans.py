"""Frequent queries read no more rooms than they find, on both databases."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, event

from app.store.address import is_sqlite, parse_address
from app.store.engine import make_engine
from app.store.queries import delete_rooms
from app.store.results import results_of, rooms_without_result
from app.store.snapshots import rooms_to_keep
from app.store.store import Store, transact, writing
from app.store.visits import take_due
from harness.store_rows import NOW

INDEXES = ("ix_rooms_status_ended_at", "ix_rooms_next", "ix_visits_due_at", "pk_results", "sqlite_autoindex_results")

Question = Callable[[Connection], object]

EXPLAIN = {"sqlite": "EXPLAIN QUERY PLAN ", "postgresql": "EXPLAIN "}
ALL_OF_THEM = {"sqlite": "SCAN rooms", "postgresql": "Seq Scan on rooms"}


@contextmanager
def explained(connection: Connection, plans: list[str]) -> Iterator[None]:
    """How each statement would be carried out, before it is."""

    def explain(_: object, cursor: object, statement: str, parameters: Any, *__: object) -> None:
        rows = connection.connection.cursor()
        rows.execute(EXPLAIN[connection.dialect.name] + statement, parameters)
        plans.append("\n".join(str(row[-1]) for row in rows.fetchall()))

    event.listen(connection, "before_cursor_execute", explain)
    yield
    event.remove(connection, "before_cursor_execute", explain)


async def plans_of(address: str, question: Question) -> list[str]:
    """PostgreSQL reads small tables whole, unless that is not held for cheap."""
    engine = make_engine(parse_address(address))
    plans: list[str] = []

    def ask(connection: Connection) -> None:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        with explained(connection, plans):
            question(connection)

    try:
        await transact(writing(engine), ask)
    finally:
        await engine.dispose()
    return plans


QUESTIONS: dict[str, Question] = {
    "games to keep": lambda connection: rooms_to_keep(connection, 1, NOW, NOW - timedelta(days=7), 100),
    "games where something is due": lambda connection: take_due(connection, NOW, NOW, 100),
    "games without result": lambda connection: rooms_without_result(connection, NOW - timedelta(days=7), 100),
    "results of a list": lambda connection: results_of(connection, ["ABCD1234"]),
    "rooms to remove": lambda connection: delete_rooms(connection, ["ABCD1234"]),
}


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
async def test_no_room_is_read_that_is_not_asked_for(store: Store, address: str, question: Question) -> None:
    plans = await plans_of(address, question)
    kind = "sqlite" if is_sqlite(parse_address(address)) else "postgresql"
    assert plans
    for plan in plans:
        assert ALL_OF_THEM[kind] not in plan, plan
    assert any(index in plan for plan in plans for index in INDEXES), plans
