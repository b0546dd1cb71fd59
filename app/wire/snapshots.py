"""Snapshots of positions, as they are stored."""

import orjson
from pydantic import TypeAdapter, ValidationError

from app.rules import Snapshot

from .reading import WireError

_SNAPSHOT: TypeAdapter[Snapshot] = TypeAdapter(Snapshot)


def dump_snapshot(taken: Snapshot) -> str:
    """A snapshot as JSON."""
    return orjson.dumps(taken).decode()


def parse_snapshot(text: str) -> Snapshot:
    """A snapshot that was stored.

    Raises:
        WireError: it can't be read; nothing of it is quoted, since it holds every hand.
    """
    try:
        return _SNAPSHOT.validate_json(text)
    except ValidationError:
        raise WireError("This is no snapshot of a position.") from None
