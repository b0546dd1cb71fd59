"""Reading JSON strictly, with the place of whatever is wrong."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from .boarderror import BoardError

_ID = re.compile(r"[a-z0-9]+(-+[a-z0-9]+)*")


def each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, which has no field twice."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("an object has a field twice")
    return fields


def no_constant(name: str) -> NoReturn:
    """Refuse NaN and the infinities, which Python reads but JSON doesn't have."""
    raise ValueError(f"{name} is no number")


@dataclass(frozen=True, slots=True)
class Node:
    """A value in a JSON document: where it comes from, the way to it, and itself."""

    source: str
    place: str
    value: Any

    def wrong(self, problem: str) -> NoReturn:
        """Refuse the document because of this value."""
        raise BoardError(self.source, self.place, problem)

    def fields(self, *names: str, optional: tuple[str, ...] = ()) -> dict[str, "Node"]:
        """The fields of an object, which has all of `names`, perhaps some of `optional`, and no others."""
        if not isinstance(self.value, dict):
            self.wrong("an object is wanted here")
        for name in names:
            if name not in self.value:
                self.wrong(f'the field "{name}" is missing')
        for name in self.value:
            if name not in names and name not in optional:
                self.wrong(f'there is no field "{name}" here')
        return {name: self._under(f".{name}", value) for name, value in self.value.items()}

    def entries(self) -> dict[str, "Node"]:
        """The fields of an object whose names are free."""
        if not isinstance(self.value, dict):
            self.wrong("an object is wanted here")
        return {name: self._under(f".{name}", value) for name, value in self.value.items()}

    def items(self, number: int | None = None) -> Iterator["Node"]:
        """The items of a list, which has `number` of them if that is given."""
        if not isinstance(self.value, list):
            self.wrong("a list is wanted here")
        if number is not None and len(self.value) != number:
            self.wrong(f"a list of {number} is wanted here, not of {len(self.value)}")
        return (self._under(f"[{index}]", value) for index, value in enumerate(self.value))

    def text(self) -> str:
        """A string with something in it, and no control signs."""
        if not isinstance(self.value, str) or not self.value.strip() or not self.value.isprintable():
            self.wrong("a text is wanted here, on one line")
        return self.value

    def id(self) -> str:
        """An id: small letters and digits, in parts joined by hyphens."""
        if not isinstance(self.value, str) or not _ID.fullmatch(self.value):
            self.wrong("an id is wanted here: small letters, digits and hyphens")
        return self.value

    def number(self) -> float:
        """A number."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | float) or abs(self.value) > 1e6:
            self.wrong("a number is wanted here")
        return self.value

    def whole(self, least: int, most: int = 1000) -> int:
        """A whole number in bounds."""
        if isinstance(self.value, bool) or not isinstance(self.value, int) or not least <= self.value <= most:
            self.wrong(f"a whole number from {least} to {most} is wanted here")
        return self.value

    def _under(self, step: str, value: Any) -> "Node":
        return Node(self.source, f"{self.place}{step}".lstrip("."), value)
