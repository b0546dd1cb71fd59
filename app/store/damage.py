"""Detects damaged rows, so that one of them does not keep anybody from the others."""

from collections import OrderedDict
from dataclasses import fields
from functools import cache
from types import UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import structlog

from .errors import DamagedRowError

T = TypeVar("T")

REMEDY = "`fogline restore` fills the database from a backup; `fogline rooms delete CODE` removes a room"
MOST_KNOWN = 1000

log = structlog.get_logger(__name__)


def sound(row: T, table: str, key: object) -> T:
    """The row, a dataclass, if each value has the type of its field.

    Raises:
        DamagedRowError: a value has another type; the text names the column.
    """
    kind: Any = type(row)
    for name, types, allowed in columns_of(kind):
        value = getattr(row, name)
        if not isinstance(value, types) or (allowed and value not in allowed):
            raise DamagedRowError(table, key, f"`{name}` can't be read")
    return row


@cache
def columns_of(kind: type[Any]) -> tuple[tuple[str, tuple[type, ...], tuple[Any, ...]], ...]:
    """The name of each column, its types, and for a `Literal` the allowed values."""
    hints = get_type_hints(kind)
    return tuple((each.name, types_of(hints[each.name]), values_of(hints[each.name])) for each in fields(kind))


def types_of(hint: Any) -> tuple[type, ...]:
    origin = get_origin(hint)
    if origin is UnionType:
        return tuple(each for part in get_args(hint) for each in types_of(part))
    if origin is Literal:
        return tuple({type(value) for value in get_args(hint)})
    return (origin or hint,)


def values_of(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) is Literal else ()


class DamageReports:
    """Logs each damaged row once, however often it is read."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, None] = OrderedDict()

    def report(self, error: Exception) -> None:
        """Log it, unless it was logged before."""
        problem = str(error)
        if problem in self._known:
            return
        self._known[problem] = None
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)
        log.error("data_damaged", detail=problem, remedy=REMEDY)
