"""Parses records of finished games."""

from pydantic import TypeAdapter, ValidationError

from .messages import Record
from .reading import WireError

MOST_RECORD_BYTES = 16 * 1024 * 1024

_RECORD: TypeAdapter[Record] = TypeAdapter(Record)


def parse_record(text: bytes) -> Record:
    """Parse a record. Its moves are not checked.

    Raises:
        WireError: it is none; the sentence names the field.
    """
    if len(text) > MOST_RECORD_BYTES:
        raise WireError(f"A record has at most {MOST_RECORD_BYTES} bytes.")
    try:
        return _RECORD.validate_json(text, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise WireError(f"{'.'.join(map(str, first['loc'])) or 'the file'}: {first['msg']}.") from None
