"""Snapshots of positions, as they are stored."""

import orjson
from pydantic import TypeAdapter

from app.rules import Snapshot

_SNAPSHOT: TypeAdapter[Snapshot] = TypeAdapter(Snapshot)


def dump_snapshot(taken: Snapshot) -> str:
    """A snapshot as JSON."""
    return orjson.dumps(taken).decode()


def parse_snapshot(text: str) -> Snapshot:
    """A snapshot that was stored."""
    return _SNAPSHOT.validate_json(text)
