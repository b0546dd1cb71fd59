"""Stored positions."""

import orjson
from pydantic import TypeAdapter, ValidationError

from app.rules import Snapshot

from .reading import WireError

_SNAPSHOT: TypeAdapter[Snapshot] = TypeAdapter(Snapshot)


def dump_snapshot(taken: Snapshot) -> str:
    return orjson.dumps(taken).decode()


def parse_snapshot(text: str) -> Snapshot:
    """Parse a stored snapshot.

    Raises:
        WireError: it is unreadable. The error quotes nothing, since a snapshot has every hand.
    """
    try:
        return _SNAPSHOT.validate_json(text)
    except ValidationError:
        raise WireError("This is no snapshot of a position.") from None
