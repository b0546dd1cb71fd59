"""Stored ends of games."""

import orjson
from pydantic import TypeAdapter, ValidationError

from app.rules import End

from .reading import WireError

_END: TypeAdapter[End] = TypeAdapter(End)


def dump_end(end: End) -> str:
    """An end as JSON."""
    return orjson.dumps(end).decode()


def parse_end(text: str) -> End:
    """An end that was stored.

    Raises:
        WireError: it can't be read.
    """
    try:
        return _END.validate_json(text, strict=True)
    except ValidationError:
        raise WireError("This is no end of a game.") from None
