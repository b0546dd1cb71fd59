"""How finished games ended: stored with the last move of each, or worked out afterwards."""

from collections.abc import Collection, Mapping
from datetime import datetime

from sqlalchemy import Connection, select

from .queries import insert_into
from .tables import results, rooms


def results_of(connection: Connection, codes: Collection[str]) -> dict[str, str]:
    """The stored results of these rooms, by code."""
    found = connection.execute(select(results.c.room, results.c.scores).where(results.c.room.in_(codes)))
    return {code: scores for code, scores in found if isinstance(scores, str)}


def rooms_without_result(connection: Connection, ended_since: datetime | None, most: int) -> list[str]:
    """The codes of finished games without a result: those that ended since then or, which takes longer, all of them."""
    over = [rooms.c.status == "over", *([] if ended_since is None else [rooms.c.ended_at >= ended_since])]
    missing = ~select(results.c.room).where(results.c.room == rooms.c.code).exists()
    found = connection.scalars(select(rooms.c.code).where(*over, missing).order_by(rooms.c.code).limit(most))
    return [code for code in found if isinstance(code, str)]


def add_results(connection: Connection, scores: Mapping[str, str]) -> None:
    """Store results that are not there yet. Of a room that is gone nothing is stored."""
    there = select(rooms.c.code).where(rooms.c.code.in_(scores)).with_for_update(key_share=True)
    values = [{"room": code, "scores": scores[code]} for code in connection.scalars(there)]
    if values:
        connection.execute(insert_into(connection, results).on_conflict_do_nothing(), values)
